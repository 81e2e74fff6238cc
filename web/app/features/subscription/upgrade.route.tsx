import { useActionData, useLoaderData } from '@remix-run/react';
import { useTranslation } from 'react-i18next';
import { buttonClass } from '../../ui/controls/button';
import { SubmitButton, SubmitForm } from '../../ui/controls/submit-form';
import { AppLink } from '../../ui/page/app-link';
import { Captcha } from '../captcha/captcha';
import { CheckoutTerms } from '../checkout/checkout-terms';
import { PaymentProblemNotice } from '../checkout/payment-problem-notice';
import { PriceLine, PriceLines } from '../checkout/price-lines';
import { PlanContents } from '../plans/features';
import { useInterval } from '../plans/use-interval';
import { loadUpgrade, type upgrade } from './upgrade.server';

export const handle = { i18n: ['tiers'] };
export const loader = loadUpgrade;
export { privateHeaders as headers, unlistedMeta as meta } from '../../http/page';
export { PurchaseBoundary as ErrorBoundary } from '../checkout/refused-page';
export { upgrade as action } from './upgrade.server';

export default function UpgradeConfirmPage() {
  const offer = useLoaderData<typeof loader>();
  const problem = useActionData<typeof upgrade>()?.problem ?? offer.problem;
  const { t } = useTranslation('tiers');
  const { kind, plan, contents, priceId, captchaAction, period, price, refund, daysLeft, isTrialing, nextAt } = offer;
  const { every, nameOf } = useInterval();
  const page = kind === 'upgrade' ? 'upgradePage' : 'periodPage';
  return (
    <section
      className={`mx-auto grid w-full flex-1 content-start gap-x-20 gap-y-7 px-5 pt-2 pb-12 sm:px-8 sm:pt-4 ${
        contents ? 'max-w-5xl lg:grid-cols-2' : 'max-w-xl'
      }`}
    >
      <div className="flex min-w-0 flex-col gap-7">
        <h1 className="text-display-sm">{t(`${page}.title`)}</h1>
        <p className="text-lg text-pretty text-muted">{t(`${page}.lead`)}</p>
        {contents && <PlanContents {...contents} />}
      </div>
      <div className={`flex min-w-0 flex-col gap-5 ${contents ? 'lg:pt-4' : ''}`}>
        {problem && (
          <PaymentProblemNotice
            code={problem}
            requestId={null}
            retryAddress={`/upgrade/confirm?${new URLSearchParams({ priceId })}`}
          />
        )}
        <div className="flex flex-col gap-5 rounded-picture bg-raised p-6 text-pretty shadow-soft sm:p-8">
          <div className="flex flex-col gap-3">
            <p>{t(`${page}.price`, { price, every: every(period), date: nextAt })}</p>
            <p>
              {refund !== null
                ? t(`${page}.back`, { price: refund, days: daysLeft })
                : t(`${page}.${isTrialing ? 'trial' : 'nothingBack'}`)}
            </p>
          </div>
          <PriceLines>
            <PriceLine term={`${t(`plans.${plan}.title`)} · ${nameOf(period)}`}>
              <span dir="ltr">{price}</span>
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
          <SubmitForm method="post" action="/upgrade/confirm" className="flex flex-col gap-3">
            <input type="hidden" name="priceId" value={priceId} />
            <SubmitButton kind="primary">{t(`${page}.confirm`)}</SubmitButton>
            <AppLink to="/account/subscription" className={buttonClass('quiet')}>
              {t(`${page}.keep`)}
            </AppLink>
            <Captcha action={captchaAction} />
            <div className="pt-2 text-center">
              <CheckoutTerms isBusiness={plan === 'business'} />
            </div>
          </SubmitForm>
        </div>
      </div>
    </section>
  );
}
