import type { Period, Plan } from '@clearframe/contract';
import { useTranslation } from 'react-i18next';
import { buttonClass } from '../../../../ui/controls/button';
import { SubmitButton, SubmitForm } from '../../../../ui/controls/submit-form';
import { AppLink } from '../../../../ui/page/app-link';
import { CaptchaField } from '../../payment/captcha';
import { CheckoutTerms } from '../../payment/checkout-terms';
import type { PaymentProblem } from '../../payment/order';
import { PaymentProblemNotice } from '../../payment/payment-problem-notice';
import { PriceLine, PriceLines } from '../../payment/price-lines';
import { withoutProblem } from '../../payment/retry-address';

export interface UpgradeView {
  readonly kind: 'upgrade' | 'change_period';
  readonly plan: Plan;
  readonly priceId: string;
  readonly period: Period;
  readonly price: string;
  readonly refund: string | null;
  readonly daysLeft: number;
  readonly isTrialing: boolean;
  readonly nextAt: string;
}

interface UpgradeConfirmationProps {
  readonly upgrade: UpgradeView;
  readonly problem: PaymentProblem | null;
}

export function UpgradeConfirmation({ upgrade, problem }: UpgradeConfirmationProps) {
  const { t } = useTranslation('tiers');
  const { kind, plan, priceId, period, price, refund, daysLeft, isTrialing, nextAt } = upgrade;
  const every = t(`every.${period}`);
  const page = kind === 'upgrade' ? 'upgradePage' : 'periodPage';
  return (
    <section className="mx-auto flex w-full max-w-xl flex-1 flex-col gap-7 px-5 pt-2 pb-10 sm:pt-4 sm:px-8">
      <h1 className="text-display-sm">{t(`${page}.title`)}</h1>
      {problem && (
        <PaymentProblemNotice
          code={problem}
          requestId={null}
          retryAddress={withoutProblem('/upgrade/confirm', `?priceId=${priceId}`)}
        />
      )}
      <p className="text-lg text-pretty text-muted">{t(`${page}.lead`)}</p>
      <div className="flex flex-col gap-5 rounded-picture bg-raised p-6 text-pretty shadow-soft sm:p-7">
        <div className="flex flex-col gap-3">
          <p>{t(`${page}.price`, { price, every, date: nextAt })}</p>
          <p>
            {refund !== null
              ? t(`${page}.back`, { price: refund, days: daysLeft })
              : t(`${page}.${isTrialing ? 'trial' : 'nothingBack'}`)}
          </p>
        </div>
        <PriceLines>
          <PriceLine term={t(`plans.${plan}.title`)}>
            <span dir="ltr">{price}</span> {every}
          </PriceLine>
          <PriceLine term={t('checkout.due')} isTotal>
            <span dir="ltr">{price}</span>
          </PriceLine>
          {refund !== null && (
            <PriceLine term={t('upgradePage.refund')}>
              <span dir="ltr">{refund}</span>
            </PriceLine>
          )}
        </PriceLines>
      </div>
      <SubmitForm method="post" action="/upgrade/confirm" className="flex flex-col gap-5">
        <input type="hidden" name="priceId" value={priceId} />
        <CaptchaField />
        <div className="flex flex-wrap gap-3">
          <SubmitButton kind="primary">{t(`${page}.confirm`)}</SubmitButton>
          <AppLink to="/account/subscription" className={buttonClass('quiet')}>
            {t(`${page}.keep`)}
          </AppLink>
        </div>
        <CheckoutTerms isBusiness={plan === 'business'} />
      </SubmitForm>
    </section>
  );
}
