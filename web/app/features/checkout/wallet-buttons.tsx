import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Notice, StatusNote } from '../../ui/content/notice';
import { Spinner } from '../../ui/content/waiting';
import { SubmitButton, useIsPressed, useIsSubmitting } from '../../ui/controls/submit-form';
import type { Confirmation, WalletFormView } from './order';
import { useWalletButtons } from './use-wallet-buttons';

interface WalletButtonsProps {
  /** Null: payments are approved on the wallet's page. */
  readonly form: WalletFormView | null;
  readonly confirmation: Confirmation | null;
  readonly label: string;
  readonly validate: () => boolean;
}

export function WalletPayment({ form, ...rest }: WalletButtonsProps) {
  return form ? <WalletButtons form={form} {...rest} /> : <PageButton label={rest.label} />;
}

const PageButton = ({ label }: { readonly label: string }) => (
  <SubmitButton kind="quiet" name="method" value="wallet">
    {label}
  </SubmitButton>
);

function WalletButtons({
  form,
  confirmation,
  label,
  validate,
}: WalletButtonsProps & { readonly form: WalletFormView }) {
  const { t } = useTranslation(['tiers', 'common']);
  const isSubmitting = useIsSubmitting();
  const submitter = useRef<HTMLButtonElement>(null);
  const submit = (): void => submitter.current?.form?.requestSubmit(submitter.current);
  const { parent, isLoaded, isFinishing, problem } = useWalletButtons({
    form,
    confirmation,
    isSubmitting,
    validate,
    submit,
  });
  const isPressed = useIsPressed({ name: 'method', value: 'wallet' });
  const isBusy = isFinishing || (isLoaded && isSubmitting);
  return (
    <>
      {problem === 'canceled' && <StatusNote>{t('checkout.canceled')}</StatusNote>}
      {problem === 'failed' && (
        <Notice>
          <p className="font-medium">{t('checkout.problem.title')}</p>
          <p>{t('checkout.problem.wallet')}</p>
        </Notice>
      )}
      <div className="grid has-[>:first-child:empty]:hidden">
        <div
          ref={parent}
          aria-busy={isBusy || undefined}
          {...(isBusy ? { inert: '' } : {})}
          className="col-start-1 row-start-1 aria-busy:opacity-50"
        />
        {isLoaded && (isFinishing || isPressed) && (
          <Spinner label={null} size={20} className="col-start-1 row-start-1 self-center justify-self-center" />
        )}
      </div>
      {isLoaded ? (
        <>
          <input type="hidden" name="inPage" value="wallet" />
          <button ref={submitter} type="submit" name="method" value="wallet" hidden />
        </>
      ) : (
        <PageButton label={label} />
      )}
    </>
  );
}
