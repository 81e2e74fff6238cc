import type { FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/controls/button';
import { resetVisit } from './reset-visit';

export function ResetButton() {
  const { t } = useTranslation();
  const reset = (event: FormEvent) => {
    event.preventDefault();
    void resetVisit();
  };
  return (
    <form method="post" action="/logout?reset=1" onSubmit={reset}>
      <Button kind="quiet" type="submit">
        {t('visit.forget')}
      </Button>
    </form>
  );
}
