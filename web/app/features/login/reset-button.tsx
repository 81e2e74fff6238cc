import { useLocation } from '@remix-run/react';
import type { FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { preserveVersionParam } from '../../http/internal-address';
import { Button } from '../../ui/controls/button';
import { resetVisit } from './reset-visit';

export function ResetButton() {
  const { t } = useTranslation();
  const { search } = useLocation();
  const reset = (event: FormEvent) => {
    event.preventDefault();
    void resetVisit();
  };
  return (
    <form method="post" action={preserveVersionParam('/logout?reset=1', search)} onSubmit={reset}>
      <Button kind="quiet" type="submit">
        {t('visit.forget')}
      </Button>
    </form>
  );
}
