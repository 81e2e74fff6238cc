import type { SubmissionResult } from '@conform-to/dom';
import { useLocation } from '@remix-run/react';
import LockKeyhole from 'lucide-react/icons/lock-keyhole';
import { useTranslation } from 'react-i18next';
import { Toggle } from '../../ui/controls/choices';
import { CheckboxField, TextField } from '../../ui/controls/fields';
import { SubmitButton, SubmitForm } from '../../ui/controls/submit-form';
import { type FormField, useForm } from '../../ui/controls/use-form';
import { AppLink, TEXT_LINK } from '../../ui/page/app-link';
import { Captcha } from '../captcha/captcha';
import { checkoutAddress, preserveOfferParam } from '../plans/offers';
import { CardForm } from './card-form';
import type { OrderView } from './checkout.server';
import { CheckoutTerms } from './checkout-terms';
import type { Confirmation } from './order';
import { TrialChoice } from './trial-choice';
import { WalletPayment } from './wallet-buttons';

interface PaymentFormProps {
  readonly order: OrderView;
  readonly result: SubmissionResult | null;
  readonly confirmation: Confirmation | null;
}

/** The buyer's choices and the ways to pay, PayPal first (spec 1, section 9). */
export function PaymentForm({ order, result, confirmation }: PaymentFormProps) {
  const { t } = useTranslation('tiers');
  const { item, trial, forfeits, taskId } = order;
  const { search } = useLocation();
  const isPlan = item.kind === 'plan';
  const questions = { asksForEmail: order.asksForEmail, asksForForfeit: isPlan && forfeits > 0 };
  const { form, field, validate } = useForm({
    result,
    load: () => import('./checkout-form'),
    parse: ({ parseCheckout }, fields) => parseCheckout(fields, questions),
  });
  return (
    // With the order in the URL, a rejected form works without JavaScript.
    <SubmitForm
      {...form}
      method="post"
      action={preserveOfferParam(checkoutAddress(order.priceId, { taskId, trial: trial.isChosen }), search)}
      className="flex flex-col gap-5"
    >
      {/* Enter pays by card: browsers use the first button of a form. */}
      <button type="submit" name="method" value="card" tabIndex={-1} aria-hidden className="sr-only" />
      <input type="hidden" name="priceId" value={order.priceId} />
      <input type="hidden" name="attempt" value={order.attempt} />
      {taskId && <input type="hidden" name="taskId" value={taskId} />}
      {order.withIntro && <input type="hidden" name="withIntroPrice" value="true" />}
      {order.withoutIntro && <input type="hidden" name="withoutIntro" value="true" />}
      {trial.isOffered && <TrialChoice order={order} />}
      {trial.isOffered && trial.hasReminder && <Reminder trial={trial} field={field('emailReminderEnabled')} />}
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
          defaultValue={order.receiptEmail ?? undefined}
        />
      )}
      {questions.asksForForfeit && (
        <Forfeit count={forfeits} isAgreed={order.hasAgreedToForfeit} field={field('agreesToForfeit')} />
      )}
      <PayButtons order={order} confirmation={confirmation} validate={validate} />
      <p className="flex items-center justify-center gap-2 text-sm text-muted">
        <LockKeyhole aria-hidden className="size-4 shrink-0" />
        <span className="min-w-0 text-pretty">{t('checkout.secure')}</span>
      </p>
      <Captcha action={order.captchaAction} />
      <div className="text-center">
        <CheckoutTerms isBusiness={isPlan && item.plan === 'business'} />
      </div>
    </SubmitForm>
  );
}

interface PayButtonsProps extends Pick<PaymentFormProps, 'order' | 'confirmation'> {
  readonly validate: () => boolean;
}

/** Both ways lead to the provider's page, unless its form is in this one. */
function PayButtons({
  order: { trial, dueNow, hasWallet, walletForm, cardForm },
  confirmation,
  validate,
}: PayButtonsProps) {
  const { t } = useTranslation('tiers');
  const cardLabel = trial.isChosen ? t('checkout.cardTrial') : t('checkout.card', { price: dueNow });
  return (
    <div className="flex flex-col gap-3">
      {hasWallet && (
        <>
          <WalletPayment
            form={walletForm}
            confirmation={confirmation}
            label={t(trial.isChosen ? 'checkout.walletTrial' : 'checkout.wallet')}
            validate={validate}
          />
          <p className="flex items-center gap-4 text-sm text-muted before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
            {t('checkout.or')}
          </p>
        </>
      )}
      {cardForm ? (
        <CardForm form={cardForm} confirmation={confirmation} label={cardLabel} />
      ) : (
        <SubmitButton kind="primary" name="method" value="card">
          {cardLabel}
        </SubmitButton>
      )}
    </div>
  );
}

interface ReminderProps {
  readonly trial: OrderView['trial'];
  readonly field: FormField;
}

/** Without a trial there is nothing to be reminded of. */
function Reminder({ trial: { isChosen, wantsReminder }, field: { id, name, entered } }: ReminderProps) {
  const { t } = useTranslation('tiers');
  return (
    <Toggle
      key={isChosen ? 'trial' : 'none'}
      id={id}
      name={name}
      value="true"
      label={t('checkout.reminder')}
      disabled={!isChosen}
      defaultChecked={isChosen && (entered === undefined ? wantsReminder : entered === 'true')}
    />
  );
}

interface ForfeitProps {
  readonly count: number;
  /** In the warning before. */
  readonly isAgreed: boolean;
  readonly field: FormField;
}

function Forfeit({ count, isAgreed, field }: ForfeitProps) {
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
          isChecked={isAgreed}
          error={t('common:errors.billing.forfeit_unconfirmed')}
        />
        <AppLink to="/account/limits" className={TEXT_LINK}>
          {t('checkout.forfeit.dismiss')}
        </AppLink>
      </div>
    </fieldset>
  );
}
