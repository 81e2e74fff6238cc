import { useLocation } from '@remix-run/react';
import { useTranslation } from 'react-i18next';
import { buttonClass } from '../../../ui/controls/button';
import { AppLink } from '../../../ui/page/app-link';
import { checkoutAddress, type OffersView, type PlanOffer, preserveOfferParam } from './offers';

interface PlanActionProps {
  readonly offer: PlanOffer;
  readonly offers: OffersView;
  readonly onChoose?: () => void;
}

/** Link to buy a plan, with its charges; empty for the current plan. */
export function PlanAction({ offer, offers: { period, taskId }, onChoose }: PlanActionProps) {
  const { t } = useTranslation('tiers');
  const { search } = useLocation();
  const { plan, price, priceId, introPrice, action, hasTrial } = offer;
  if (action === 'none') return null;
  const name = t(`plans.${plan}.title`);
  const every = t(`every.${period}`);
  const isTrial = hasTrial && action === 'subscribe';
  const labelOf = () => {
    if (action === 'change_period') return t(`changePeriod.${period}`);
    return action === 'upgrade' ? t('upgrade', { plan: name }) : t('subscribe', { plan: name });
  };
  return (
    <div className="mt-auto flex flex-col gap-3">
      <AppLink
        to={
          action === 'upgrade' || action === 'change_period'
            ? `/upgrade/confirm?priceId=${priceId}`
            : preserveOfferParam(checkoutAddress(priceId, { taskId, trial: isTrial }), search)
        }
        onClick={onChoose}
        className={buttonClass(plan === 'business' ? 'primary' : 'quiet')}
      >
        {isTrial ? t('try') : labelOf()}
        {/* Two of the links have the same text. */}
        {isTrial && <span className="sr-only">{name}</span>}
      </AppLink>
      {action === 'subscribe' && (
        <p className="text-sm text-pretty text-muted">
          {isTrial
            ? t('chargedLater', { price, every })
            : introPrice
              ? t('chargedIntro', { intro: introPrice, price, every })
              : t('chargedNow', { price, every })}
        </p>
      )}
    </div>
  );
}
