import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useToast } from '../../../ui/toast/toast-list';
import { takeResetFlag } from './reset-visit';

/** Says that the visit was forgotten, on the page that is loaded after it. */
export function useResetNotice(): void {
  const { t } = useTranslation();
  const { show } = useToast();
  useEffect(() => {
    if (takeResetFlag()) show(t('visit.forgotten'));
  }, [show, t]);
}
