import { useTranslation } from 'react-i18next';
import { Badge } from '../../ui/content/badge';
import { buttonClass } from '../../ui/controls/button';
import { AppLink } from '../../ui/page/app-link';
import { Features } from './features';
import type { OffersView, PackOffer, PlanOffer } from './offers.server';
import { needsNoLogin, type PackChoice, packAddress } from './packs';
import { PlanAction } from './plan-action';
import { useInterval } from './use-interval';

export type HighlightedOffer =
  | { readonly kind: 'plan'; readonly plan: PlanOffer }
  | { readonly kind: 'pack'; readonly pack: PackOffer };

/** The offer that the flags highlight: weekly Business or a pack. */
export function highlightedOffer({ presentation, plansByPeriod, packs }: OffersView): HighlightedOffer | null {
  const { highlight } = presentation;
  if (!highlight) return null;
  if ('plan' in highlight) {
    const plan = plansByPeriod.weekly.find((one) => one.plan === highlight.plan);
    return plan ? { kind: 'plan', plan } : null;
  }
  const pack = packs.find((one) => one.pack === highlight.pack);
  return pack ? { kind: 'pack', pack } : null;
}

export const highlightedPriceId = (offer: HighlightedOffer): string =>
  offer.kind === 'plan' ? offer.plan.priceId : offer.pack.priceId;

interface SingleOfferProps {
  readonly offer: HighlightedOffer;
  readonly offers: OffersView;
  readonly isGuest: boolean;
  readonly onChoose: (priceId: string) => void;
}

export function SingleOffer({ offer, offers, isGuest, onChoose }: SingleOfferProps) {
  return (
    <div className="flex flex-col gap-5 rounded-picture bg-well p-6">
      {offer.kind === 'plan' ? (
        <PlanCard plan={offer.plan} offers={offers} onChoose={onChoose} />
      ) : (
        <SinglePack offer={offer.pack} choice={{ taskId: offers.taskId, isGuest }} onChoose={onChoose} />
      )}
    </div>
  );
}

interface PlanCardProps extends Pick<SingleOfferProps, 'offers' | 'onChoose'> {
  readonly plan: PlanOffer;
}

/** A plan as the main choice: its button stays above what it includes. */
export function PlanCard({ plan, offers, onChoose }: PlanCardProps) {
  return (
    <>
      <PlanHead plan={plan} />
      <PlanAction offer={plan} offers={offers} onChoose={onChoose} isPrimary />
      <Features offer={plan} below={null} />
    </>
  );
}

function PlanHead({ plan: { plan, price, period } }: { readonly plan: PlanOffer }) {
  const { t } = useTranslation('tiers');
  const { every } = useInterval();
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-4">
      <p className="text-title">{t(`plans.${plan}.title`)}</p>
      <Price price={price} note={every(period)} />
    </div>
  );
}

interface SinglePackProps {
  readonly offer: PackOffer;
  readonly choice: PackChoice;
  readonly onChoose: (priceId: string) => void;
}

function SinglePack({ offer, choice, onChoose }: SinglePackProps) {
  const { t } = useTranslation('tiers');
  const { priceId, price, priceEach, exports } = offer;
  const name = t('packs.name', { count: exports });
  return (
    <>
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <p className="text-title">{name}</p>
        <Price price={price} note={exports > 1 ? t('packs.each', { price: priceEach }) : null} />
      </div>
      {needsNoLogin(offer, choice) && (
        <p>
          <Badge variant="large">{t('packs.noLogin')}</Badge>
        </p>
      )}
      <AppLink
        to={packAddress(offer, choice)}
        onClick={() => onChoose(priceId)}
        className={buttonClass('primary')}
        aria-label={`${t('packs.buy')}: ${name}`}
      >
        {t('packs.buy')}
      </AppLink>
    </>
  );
}

function Price({ price, note }: { readonly price: string; readonly note: string | null }) {
  return (
    <p className="flex flex-wrap items-baseline gap-x-2">
      <span className="text-title" dir="ltr">
        {price}
      </span>
      {note && <span className="text-muted">{note}</span>}
    </p>
  );
}
