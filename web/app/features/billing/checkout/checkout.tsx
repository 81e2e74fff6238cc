import type { SubmissionResult } from '@conform-to/dom';
import { useLocation } from '@remix-run/react';
import ArrowLeft from 'lucide-react/icons/arrow-left';
import { useTranslation } from 'react-i18next';
import type { ProblemView } from '../../../http/problem';
import { CheckboxField, TextField } from '../../../ui/controls/fields';
import { SubmitButton, SubmitForm } from '../../../ui/controls/submit-form';
import { type FormField, useForm } from '../../../ui/controls/use-form';
import { AppLink, TEXT_LINK } from '../../../ui/page/app-link';
import { CaptchaField } from '../payment/captcha';
import { CheckoutTerms } from '../payment/checkout-terms';
import type { OrderView, PaymentProblem } from '../payment/order';
import { PaymentProblemNotice } from '../payment/payment-problem-notice';
import { checkoutAddress, preserveOfferParam } from '../plans/offers';

interface CheckoutProps {
  readonly order: OrderView;
  /** Outcome or error code of a failed payment. */
  readonly problem: PaymentProblem | null;
  /** Error of the submitted payment. */
  readonly refusal: ProblemView | null;
  /** The action's result for an invalid form. */
  readonly result: SubmissionResult | null;
}

/** The order, its charges, and the two ways to pay. */
export function Checkout({ order, problem, refusal, result }: CheckoutProps) {
  const { t } = useTranslation(['tiers', 'common']);
  const { item, price, dueNow, trial, forfeits, taskId } = order;
  const { search } = useLocation();
  const isPlan = item.kind === 'plan';
  const problemCode = refusal?.code ?? problem;
  const questions = { asksForEmail: order.asksForEmail, asksForForfeit: isPlan && forfeits > 0 };
  const { form, field } = useForm({
    result,
    load: () => import('./checkout-form'),
    parse: ({ parseCheckout }, fields) => parseCheckout(fields, questions),
  });
  return (
    <section className="mx-auto flex w-full max-w-xl flex-1 flex-col gap-7 px-5 pt-2 pb-10 sm:pt-4 sm:px-8">
      <div className="flex flex-col gap-2">
        <AppLink
          to={preserveOfferParam(taskId ? `/upgrade?taskId=${taskId}` : '/upgrade', search)}
          className="link-quiet flex min-h-11 items-center gap-2 self-start text-sm text-muted"
        >
          <ArrowLeft aria-hidden className="size-4 rtl:-scale-x-100" />
          {t('checkout.back')}
        </AppLink>
        <h1 className="text-display-sm">{t('checkout.title')}</h1>
      </div>
      {problemCode && <PaymentProblemNotice code={problemCode} requestId={refusal?.requestId ?? null} />}
      <div className="flex flex-col gap-4 rounded-picture bg-raised p-6 shadow-soft sm:p-7">
        <div className="flex items-baseline justify-between gap-4">
          <h2 className="text-title">
            {isPlan ? t(`plans.${item.plan}.title`) : t('packs.name', { count: item.exports })}
          </h2>
          <p className="text-end">
            <span dir="ltr">{price}</span>
            {isPlan && <span className="text-muted"> {t(`every.${item.period}`)}</span>}
          </p>
        </div>
        <p className="flex justify-between gap-4 border-line border-t pt-4 font-medium">
          <span>{t('checkout.due')}</span>
          <span dir="ltr">{dueNow}</span>
        </p>
        <Disclosure order={order} />
      </div>
      {isPlan && trial.isOffered && (
        <AppLink
          to={preserveOfferParam(checkoutAddress(order.priceId, { taskId, trial: !trial.isChosen }), search)}
          replace
          className={`${TEXT_LINK} self-start`}
        >
          {trial.isChosen ? t('checkout.trialOff') : t('checkout.trial')}
        </AppLink>
      )}
      {/* With the order in the URL, a rejected form works without JavaScript. */}
      <SubmitForm
        {...form}
        method="post"
        action={preserveOfferParam(checkoutAddress(order.priceId, { taskId, trial: trial.isChosen }), search)}
        className="flex flex-col gap-5"
      >
        <input type="hidden" name="priceId" value={order.priceId} />
        <input type="hidden" name="attempt" value={order.attempt} />
        {taskId && <input type="hidden" name="taskId" value={taskId} />}
        <CaptchaField />
        {order.withIntro && <input type="hidden" name="withIntroPrice" value="true" />}
        {order.withoutIntro && <input type="hidden" name="withoutIntro" value="true" />}
        {trial.isChosen && <input type="hidden" name="freeTrialEnabled" value="true" />}
        {trial.isChosen && trial.hasReminder && (
          <CheckboxField
            field={field('emailReminderEnabled')}
            label={t('checkout.reminder')}
            value="true"
            isChecked={trial.wantsReminder}
          />
        )}
        {order.asksForEmail && (
          // Not type=email: browsers validate addresses differently.
          <TextField
            field={field('receiptEmail')}
            label={t('checkout.receipt.label')}
            hint={t('checkout.receipt.hint')}
            error={t('checkout.receipt.invalid')}
            inputMode="email"
            autoComplete="email"
            autoCapitalize="none"
            maxLength={254}
            defaultValue={order.receiptEmail ?? undefined}
          />
        )}
        {questions.asksForForfeit && <Forfeit count={forfeits} field={field('agreesToForfeit')} />}
        <div className="flex flex-col gap-3">
          <SubmitButton kind="primary" name="method" value="card">
            {t(trial.isChosen ? 'checkout.cardTrial' : 'checkout.card')}
          </SubmitButton>
          {order.hasWallet && (
            <SubmitButton kind="quiet" name="method" value="wallet">
              {t(trial.isChosen ? 'checkout.walletTrial' : 'checkout.wallet')}
            </SubmitButton>
          )}
        </div>
        <CheckoutTerms isBusiness={isPlan && item.plan === 'business'} />
      </SubmitForm>
    </section>
  );
}

/** When money is charged. */
function Disclosure({ order: { item, next, trial, taskId } }: { readonly order: OrderView }) {
  const { t } = useTranslation('tiers');
  if (item.kind === 'pack' || !next) {
    return (
      <p className="text-sm text-pretty text-muted">
        {t(taskId && item.kind === 'pack' && item.exports === 1 ? 'checkout.forOnePhoto' : 'checkout.once')}
      </p>
    );
  }
  const values = { price: next.price, date: next.date, every: t(`every.${item.period}`) };
  return (
    <p className="text-sm text-pretty text-muted">
      {trial.isChosen ? t('checkout.trialThen', values) : t('checkout.then', values)}
    </p>
  );
}

/** Consent to losing downloads that a subscription replaces. */
function Forfeit({ count, field }: { readonly count: number; readonly field: FormField }) {
  const { t } = useTranslation(['tiers', 'common']);
  return (
    <fieldset className="flex flex-col gap-3 rounded-card bg-alert p-5 text-on-alert">
      <legend className="float-start mb-1 font-medium">{t('checkout.forfeit.title')}</legend>
      <p className="clear-both text-pretty">{t('checkout.forfeit.body', { count })}</p>
      {/* The error has no box of its own in this one. */}
      <div className="flex flex-wrap items-center gap-x-6 gap-y-2 [&_[role=alert]]:order-last [&_[role=alert]]:w-full [&_[role=alert]]:p-0">
        <CheckboxField
          field={field}
          label={<span className="font-medium">{t('checkout.forfeit.agree')}</span>}
          value="true"
          error={t('common:errors.billing.forfeit_unconfirmed')}
        />
        <AppLink to="/account/limits" className={TEXT_LINK}>
          {t('checkout.forfeit.dismiss')}
        </AppLink>
      </div>
    </fieldset>
  );
}
