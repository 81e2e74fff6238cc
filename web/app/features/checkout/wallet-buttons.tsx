import { useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { report } from '../../telemetry/telemetry';
import { Notice, StatusNote } from '../../ui/content/notice';
import { Spinner } from '../../ui/content/waiting';
import { SubmitButton, useIsPressed, useIsSubmitting } from '../../ui/controls/submit-form';
import type { WalletFormView } from './checkout.server';
import type { Confirmation, WalletConfirmation } from './order';
import { trackPayment } from './track-payment';
import { type Creation, loadWalletScript, type WalletButtons as ScriptButtons } from './wallet-script';

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

/** Pixels; the height of the product's buttons. */
const HEIGHT = 48;
const CONTEXT = { brand_name: 'Clearframe', shipping_preference: 'NO_SHIPPING' } as const;

interface WalletOptions {
  readonly form: WalletFormView;
  /** The action's result: what the wallet approves. */
  readonly confirmation: Confirmation | null;
  readonly isSubmitting: boolean;
  readonly validate: () => boolean;
  readonly submit: () => void;
}

/**
 * The wallet's buttons in the page. Until they are ready, and when they can't be loaded, payments are approved on the
 * wallet's page.
 */
function useWalletButtons({ form, confirmation, isSubmitting, validate, submit }: WalletOptions) {
  const { scriptUrl, clientId, intent, currency, amountCents } = form;
  const parent = useRef<HTMLDivElement>(null);
  const [isLoaded, setLoaded] = useState(false);
  const [isFinishing, setFinishing] = useState(false);
  const [problem, setProblem] = useState<'canceled' | 'failed' | null>(null);
  const send = useSubmission(confirmation?.kind === 'paypal' ? confirmation : null, isSubmitting, submit);
  const latest = useRef({ validate, send });
  latest.current = { validate, send };

  useEffect(() => {
    let isUnmounted = false;
    let buttons: ScriptButtons | undefined;
    let confirmed: WalletConfirmation | null = null;
    /** The page shows the reason. */
    let isRefused = false;

    const end = (step: Parameters<typeof trackPayment>[2]): void => {
      if (confirmed) trackPayment(confirmed.returnPath, 'wallet', step);
    };

    async function confirm(): Promise<WalletConfirmation> {
      confirmed = await latest.current.send();
      isRefused = confirmed === null;
      if (!confirmed) throw new Error('the payment was refused');
      trackPayment(confirmed.returnPath, 'wallet', 'started');
      return confirmed;
    }

    loadWalletScript({ scriptUrl, clientId, intent, currency })
      .then(async ({ Buttons }) => {
        if (isUnmounted || !parent.current) return;
        buttons = Buttons({
          ...creationOf({ intent, currency, amountCents }, confirm),
          style: { layout: 'vertical', shape: 'pill', height: HEIGHT },
          onClick: (_data, actions) => {
            setProblem(null);
            isRefused = false;
            return latest.current.validate() ? actions.resolve() : actions.reject();
          },
          onApprove: (approved) => {
            if (!confirmed) return;
            if (intent === 'subscription' && !approved.subscriptionID) {
              report(new Error("PayPal's data.subscriptionID not set"));
              end({ operation: 'failed', errorCode: 'unknown' });
              setProblem('failed');
              return;
            }
            setFinishing(true);
            location.assign(approvedPath(confirmed, approved));
          },
          onCancel: () => {
            setProblem('canceled');
            end({ operation: 'canceled' });
          },
          onError: (error) => {
            if (isUnmounted || isRefused) return;
            report(error);
            end({ operation: 'failed', errorCode: 'unknown' });
            setProblem('failed');
          },
        });
        if (!buttons.isEligible()) return;
        await buttons.render(parent.current);
        if (!isUnmounted) setLoaded(true);
      })
      .catch(() => setLoaded(false));
    return () => {
      isUnmounted = true;
      setLoaded(false);
      // Fails for buttons that are still rendered.
      buttons?.close().catch(() => undefined);
    };
  }, [scriptUrl, clientId, intent, currency, amountCents]);

  return { parent, isLoaded, isFinishing, problem };
}

/** How the script creates what the payer approves. `confirm` checks the purchase first. */
function creationOf(
  { intent, currency, amountCents }: Pick<WalletFormView, 'intent' | 'currency' | 'amountCents'>,
  confirm: () => Promise<WalletConfirmation>,
): Creation {
  if (intent === 'subscription') {
    return {
      createSubscription: async (_data, { subscription }) => {
        const { planId, customId } = await confirm();
        if (planId === null) throw new Error('a subscription without a plan');
        return subscription.create({ plan_id: planId, custom_id: customId, application_context: CONTEXT });
      },
    };
  }
  // The API compares the captured amount with the catalogue's.
  const amount = { currency_code: currency.toUpperCase(), value: (amountCents / 100).toFixed(2) };
  return {
    createOrder: async (_data, { order }) => {
      const { customId } = await confirm();
      const purchase_units = [{ custom_id: customId, amount }] as const;
      return order.create({ intent: 'CAPTURE', purchase_units, application_context: CONTEXT });
    },
  };
}

interface Approved {
  readonly subscriptionID?: string | null;
  readonly orderID?: string | null;
}

function approvedPath({ returnPath }: WalletConfirmation, { subscriptionID, orderID }: Approved): string {
  const url = new URL(returnPath, location.origin);
  url.searchParams.set('redirect_status', 'succeeded');
  if (subscriptionID) url.searchParams.set('subscription_id', subscriptionID);
  else if (orderID) url.searchParams.set('charge_id', orderID);
  return `${url.pathname}${url.search}`;
}

function useSubmission<Result extends object>(
  result: Result | null,
  isSubmitting: boolean,
  submit: () => void,
): () => Promise<Result | null> {
  const waiting = useRef<((result: Result | null) => void) | null>(null);
  const seen = useRef<Result | null>(null);
  const wasSubmitting = useRef(false);

  useEffect(() => {
    const settle = (value: Result | null): void => {
      waiting.current?.(value);
      waiting.current = null;
    };
    const isNew = result !== null && result !== seen.current;
    seen.current = result;
    if (isNew) settle(result);
    else if (wasSubmitting.current && !isSubmitting) settle(null);
    wasSubmitting.current = isSubmitting;
  }, [result, isSubmitting]);
  useEffect(() => () => waiting.current?.(null), []);

  const sender = useRef(submit);
  sender.current = submit;
  return useCallback(
    () =>
      new Promise<Result | null>((resolve) => {
        waiting.current = resolve;
        sender.current();
      }),
    [],
  );
}
