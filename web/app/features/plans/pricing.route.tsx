import { PLAN_EXPORTS } from '@clearframe/contract';
import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { useTranslation } from 'react-i18next';
import { loadPaywall } from './paywall.server';
import { Tiers } from './tiers';
import { usePaywallEvents } from './use-paywall-events';
import { usePeriod } from './use-period';

export const handle = { i18n: ['tiers'] };
export const loader = (args: LoaderFunctionArgs) => loadPaywall(args);
export { privateHeaders as headers, titleMeta as meta } from '../../http/page';

const QUESTIONS = ['weeks', 'trial', 'cancel', 'change'] as const;

export default function PricingPage() {
  const { offers, isGuest } = useLoaderData<typeof loader>().loaded;
  const { t } = useTranslation('tiers');
  const [period, show] = usePeriod(offers.period);
  const plans = offers.plansByPeriod[period].filter(({ action }) => action !== 'none');
  const choose = usePaywallEvents({
    priceIds: [...offers.packs, ...plans].map(({ priceId }) => priceId),
    view: 'pricing',
    previousAction: 'pricing',
  });
  const questions = QUESTIONS.filter((key) => key !== 'trial' || offers.hasTrial);
  return (
    <section className="mx-auto flex w-full max-w-7xl flex-1 flex-col gap-10 px-5 pt-2 pb-12 sm:px-8 sm:pt-4">
      <div className="flex flex-col items-center gap-4 text-center">
        <h1 className="text-display-sm">{t('title')}</h1>
        <p className="max-w-xl text-lg text-pretty text-muted">{t('lead')}</p>
      </div>
      <Tiers {...{ offers, isGuest, period }} heading="h2" surface="raised" hasFree onPeriod={show} onChoose={choose} />
      <dl className="mx-auto grid w-full max-w-4xl gap-x-12 gap-y-7 pt-6 sm:grid-cols-2">
        {questions.map((key) => (
          <div key={key} className="flex flex-col gap-1.5">
            <dt className="font-medium text-pretty">{t(`questions.${key}.question`)}</dt>
            <dd className="text-pretty text-muted">
              {t(`questions.${key}.answer`, { personal: PLAN_EXPORTS.personal.weekly ?? 0 })}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
