import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useToast } from '../../../ui/toast/toast-list';

/** Says that the visit was forgotten, on the page that is loaded after it. */
export function useResetNotice(): void {
  const { t } = useTranslation();
  const { show } = useToast();
  useEffect(() => {
    if (takeResetFlag()) show(t('visit.forgotten'));
  }, [show, t]);
}

/** Says to the page after it that everything about the visit was just forgotten. */
const FLAG = 'clearframe:reset';

/**
 * Token reset (spec 1, section 4): forgets all that this browser keeps of the visit, says so to the next page, and
 * loads it.
 */
export async function resetVisit(): Promise<void> {
  await fetch('/logout?reset=1', { method: 'POST', redirect: 'manual' }).catch(() => {});
  try {
    localStorage.clear();
    sessionStorage.clear();
    sessionStorage.setItem(FLAG, '1');
  } catch {
    // Nothing was kept then.
  }
  window.location.reload();
}

/** Whether the visit has just been reset. Once: a second time in a row would be no help. */
export function takeResetFlag(): boolean {
  try {
    const isSet = sessionStorage.getItem(FLAG) !== null;
    sessionStorage.removeItem(FLAG);
    return isSet;
  } catch {
    return false;
  }
}
