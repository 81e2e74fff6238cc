import { type MouseEvent, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Notice } from '../../ui/content/notice';
import { Spinner } from '../../ui/content/waiting';
import { Button } from '../../ui/controls/button';
import { SubmitButton, useIsPressed, useIsSubmitting } from '../../ui/controls/submit-form';
import type { CardFormView, Confirmation } from './order';
import { useCardForm } from './use-card-form';

interface CardFormProps {
  readonly form: CardFormView;
  readonly confirmation: Confirmation | null;
  readonly label: string;
}

export function CardForm({ form, confirmation, label }: CardFormProps) {
  const { t, i18n } = useTranslation('common');
  const { parent, isLoaded, isComplete, isConfirming, problem, validate, confirm } = useCardForm(form, i18n.language);
  const isSubmitting = useIsSubmitting();
  const isPressed = useIsPressed({ name: 'method', value: 'card' });
  const isBusy = isPressed || isConfirming;
  const confirmer = useRef(confirm);
  confirmer.current = confirm;
  useEffect(() => {
    if (confirmation?.kind === 'elements') void confirmer.current(confirmation);
  }, [confirmation]);

  async function pay({ currentTarget: { form: fields } }: MouseEvent<HTMLButtonElement>): Promise<void> {
    if (await validate()) fields?.requestSubmit();
  }

  return (
    <>
      <div ref={parent} className="empty:hidden" />
      {isLoaded && <input type="hidden" name="inPage" value="card" />}
      {problem && <Notice>{problem.message ?? t('errors.payments.declined')}</Notice>}
      {isLoaded ? (
        <Button
          kind="primary"
          disabled={!isComplete || isBusy || isSubmitting}
          aria-busy={isBusy || undefined}
          onClick={(event) => void pay(event)}
        >
          {isBusy && <Spinner label={null} size={20} className="-ms-1" />}
          {label}
        </Button>
      ) : (
        <SubmitButton kind="primary" name="method" value="card">
          {label}
        </SubmitButton>
      )}
    </>
  );
}
