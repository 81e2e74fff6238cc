import { PERIODS } from '@clearframe/contract';
import { useTranslation } from 'react-i18next';
import { Badge } from '../../ui/content/badge';
import { buttonClass } from '../../ui/controls/button';
import { AppLink } from '../../ui/page/app-link';
import { Features } from './features';
import type { OffersView, PlanOffer } from './offers.server';
import { useInterval } from './use-interval';

/** The best plan, for a visitor who is offered no other one; else null. */
export function finalPlan({ isPremium, plans, plansByPeriod, packs }: OffersView): PlanOffer | null {
  const isForSale = ({ action }: PlanOffer) => action !== 'none' && action !== 'change_period';
  if (!isPremium || packs.length > 0 || Object.values(plansByPeriod).some((offers) => offers.some(isForSale)))
    return null;
  return plans.find(({ isCurrent }) => isCurrent) ?? null;
}

interface CurrentPlanProps {
  readonly plan: PlanOffer;
  readonly offers: OffersView;
  readonly onChoose: (priceId: string) => void;
}

/** What the plan includes, its other periods with their savings, and the way to the subscription. */
export function CurrentPlan({ plan, offers, onChoose }: CurrentPlanProps) {
  const { t } = useTranslation('tiers');
  const { every } = useInterval();
  const { current, discounts, plansByPeriod } = offers;
  const changes = PERIODS.flatMap((period) =>
    plansByPeriod[period].filter((offer) => offer.plan === plan.plan && offer.action === 'change_period'),
  );
  return (
    <div className="flex flex-col gap-5 rounded-picture bg-well p-6">
      <p className="flex flex-wrap items-baseline justify-between gap-x-4">
        <span className="text-title">{t(`plans.${plan.plan}.title`)}</span>
        {current?.plan === plan.plan && (
          <span className="text-muted">
            <span dir="ltr" className="text-ink">
              {current.price}
            </span>{' '}
            {every(current.period)}
          </span>
        )}
      </p>
      <Features offer={plan} below={null} />
      {changes.length > 0 && (
        <ul className="flex flex-col gap-3 border-line border-t pt-5">
          {changes.map(({ period, priceId, price }) => (
            <li key={period} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
              <div className="flex min-w-0 flex-col">
                <p className="flex flex-wrap items-center gap-x-3 font-medium">
                  {t(`period.${period}`)}
                  {discounts[period] > 0 && (
                    <Badge variant="new">{t('save', { share: discounts[period] / 100 })}</Badge>
                  )}
                </p>
                <p className="text-sm text-muted">
                  <span dir="ltr">{price}</span> {every(period)}
                </p>
              </div>
              <AppLink
                to={`/upgrade/confirm?priceId=${priceId}`}
                onClick={() => onChoose(priceId)}
                className={`${buttonClass('quiet', 'small')} min-h-11 bg-raised`}
              >
                {t(`changePeriod.${period}`)}
              </AppLink>
            </li>
          ))}
        </ul>
      )}
      <AppLink to="/account/subscription" className={buttonClass('primary')}>
        {t('paywall.manage')}
      </AppLink>
    </div>
  );
}
