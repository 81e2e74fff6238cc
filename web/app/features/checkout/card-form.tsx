import { type MouseEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Notice } from '../../ui/content/notice';
import { Spinner } from '../../ui/content/waiting';
import { Button } from '../../ui/controls/button';
import { SubmitButton, useIsPressed, useIsSubmitting } from '../../ui/controls/submit-form';
import { useDocument } from '../../ui/page/document-data';
import {
  type CardAppearance,
  type CardElement,
  type CardElements,
  type CardScript,
  loadCardScript,
} from './card-script';
import type { CardFormView } from './checkout.server';
import type { CardConfirmation, Confirmation } from './order';
import { METHOD_PARAMETER } from './return-parameters';
import { trackPayment } from './track-payment';

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

/** Spec 1, section 9. */
const METHOD_ORDER = ['paypal', 'apple_pay', 'google_pay', 'card'];

interface LoadedForm {
  readonly script: CardScript;
  readonly elements: CardElements;
}

/** An error without a message is shown as a declined payment. */
interface CardFormProblem {
  readonly message: string | null;
}

/** Until it is ready, and when it can't be loaded, cards are entered on the provider's page. */
function useCardForm({ publishableKey, scriptUrl, mode, amountCents, currency }: CardFormView, locale: string) {
  const parent = useRef<HTMLDivElement>(null);
  const method = useRef<string | null>(null);
  const [loaded, setLoaded] = useState<LoadedForm | null>(null);
  const [isComplete, setComplete] = useState(false);
  const [isConfirming, setConfirming] = useState(false);
  const [problem, setProblem] = useState<CardFormProblem | null>(null);
  const appearance = useRef<CardAppearance>({ theme: 'stripe' });
  useAppearance(appearance, loaded?.elements ?? null);

  useEffect(() => {
    let isUnmounted = false;
    let element: CardElement | undefined;
    loadCardScript(scriptUrl)
      .then((create) => {
        if (isUnmounted || !parent.current) return;
        const script = create(publishableKey, { locale });
        const terms =
          mode === 'payment'
            ? { mode, currency, amount: amountCents }
            : { mode, currency, setupFutureUsage: 'off_session' as const };
        const elements = script.elements({ ...terms, appearance: appearance.current });
        element = elements.create('payment', { paymentMethodOrder: METHOD_ORDER });
        element.on('change', ({ complete, value }) => {
          setComplete(complete);
          method.current = value?.type ?? null;
        });
        element.on('ready', () => setLoaded({ script, elements }));
        element.on('loaderror', () => setLoaded(null));
        element.mount(parent.current);
      })
      .catch(() => setLoaded(null));
    return () => {
      isUnmounted = true;
      element?.destroy();
    };
  }, [scriptUrl, publishableKey, locale, mode, amountCents, currency]);

  async function validate(): Promise<boolean> {
    setProblem(null);
    const error = (await loaded?.elements.submit())?.error;
    if (error) setProblem({ message: error.message ?? null });
    return !error;
  }

  /** Leaves the page when the payment is confirmed. */
  async function confirm({ clientSecret, returnPath }: CardConfirmation): Promise<void> {
    if (!loaded || !(await validate())) return;
    setConfirming(true);
    trackPayment(returnPath, 'card', 'started');
    const { script, elements } = loaded;
    const returnUrl = new URL(returnPath, location.origin);
    if (method.current) returnUrl.searchParams.set(METHOD_PARAMETER, method.current);
    const confirmParams = { return_url: returnUrl.href };
    const order = { elements, clientSecret, confirmParams, redirect: 'if_required' as const };
    try {
      const { error, ...done } =
        mode === 'setup' ? await script.confirmSetup(order) : await script.confirmPayment(order);
      if (!error) return location.assign(finishedPath(returnPath, done));
      setProblem({ message: error.message ?? null });
      trackPayment(returnPath, 'card', { operation: 'failed', errorCode: error.code ?? 'payments.declined' });
    } catch {
      setProblem({ message: null });
      trackPayment(returnPath, 'card', { operation: 'failed', errorCode: 'unknown' });
    }
    setConfirming(false);
  }

  return { parent, isLoaded: loaded !== null, isComplete, isConfirming, problem, validate, confirm };
}

/** Of the product's theme, which can change while the form is open. Before the effect that creates the elements. */
function useAppearance(appearance: { current: CardAppearance }, elements: CardElements | null): void {
  const { theme } = useDocument();
  useEffect(() => {
    const system = matchMedia('(prefers-color-scheme: dark)');
    const apply = (): void => {
      const isDark = theme === 'dark' || (theme === 'system' && system.matches);
      appearance.current = { theme: isDark ? 'night' : 'stripe' };
      elements?.update({ appearance: appearance.current });
    };
    apply();
    system.addEventListener('change', apply);
    return () => system.removeEventListener('change', apply);
  }, [theme, elements, appearance]);
}

interface Confirmed {
  readonly setupIntent?: { readonly id: string };
  readonly paymentIntent?: { readonly id: string };
}

/** The return address with the parameters that a redirect would add. */
function finishedPath(returnPath: string, { setupIntent, paymentIntent }: Confirmed): string {
  const url = new URL(returnPath, location.origin);
  url.searchParams.set('redirect_status', 'succeeded');
  if (setupIntent) url.searchParams.set('setup_intent', setupIntent.id);
  if (paymentIntent) url.searchParams.set('payment_intent', paymentIntent.id);
  return `${url.pathname}${url.search}`;
}
