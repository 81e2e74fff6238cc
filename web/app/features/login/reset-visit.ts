import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { submit } from '../../http/browser-client';
import { useToast } from '../../ui/toast/toast-list';

export function useResetNotice(): void {
  const { t } = useTranslation();
  const { show } = useToast();
  useEffect(() => {
    if (takeResetFlag()) show(t('visit.forgotten'));
  }, [show, t]);
}

const FLAG = 'clearframe:reset';

/** Token reset (spec 1, section 4): deletes the browser's data of the visit and loads the next page. */
export async function resetVisit(): Promise<void> {
  await submit('/logout?reset=1', {});
  try {
    localStorage.clear();
    sessionStorage.clear();
    sessionStorage.setItem(FLAG, '1');
  } catch {
    // Storage is disabled.
  }
  window.location.reload();
}

/** Whether the visit was just reset. True once, since repeating a reset doesn't help. */
function takeResetFlag(): boolean {
  try {
    const isSet = sessionStorage.getItem(FLAG) !== null;
    sessionStorage.removeItem(FLAG);
    return isSet;
  } catch {
    return false;
  }
}
