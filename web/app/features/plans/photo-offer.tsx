import { useTranslation } from 'react-i18next';
import { buttonClass } from '../../ui/controls/button';
import { AppLink } from '../../ui/page/app-link';
import type { OffersView, PackOffer, PlanOffer } from './offers.server';
import { needsNoLogin, packAddress } from './packs';
import { PlanCard } from './single-offer';

/** For one photo: the smallest plan, recommended, and the photo alone. */
export interface PhotoChoices {
  readonly plan: PlanOffer;
  /** Null where single photos aren't sold. */
  readonly single: PackOffer | null;
}

/** Null without a photo to pay for, and for visitors who can't subscribe. */
export function photoChoices({ taskId, isPhotoPaid, packs, plansByPeriod }: OffersView): PhotoChoices | null {
  const plan = plansByPeriod.weekly.find(({ action }) => action === 'subscribe');
  if (taskId === null || isPhotoPaid || !plan) return null;
  return { plan, single: packs.find(({ pack }) => pack === 'single_export') ?? null };
}

interface PhotoOfferProps {
  readonly choices: PhotoChoices;
  readonly offers: OffersView;
  readonly isGuest: boolean;
  readonly onChoose: (priceId: string) => void;
}

export function PhotoOffer({ choices: { plan, single }, offers, isGuest, onChoose }: PhotoOfferProps) {
  return (
    <>
      <div className="flex flex-col gap-5 rounded-picture bg-well p-6">
        <PlanCard plan={plan} offers={offers} onChoose={onChoose} />
      </div>
      {single && <SinglePhoto offer={single} {...{ offers, isGuest, onChoose }} />}
    </>
  );
}

interface SinglePhotoProps extends Omit<PhotoOfferProps, 'choices'> {
  readonly offer: PackOffer;
}

function SinglePhoto({ offer, offers: { taskId }, isGuest, onChoose }: SinglePhotoProps) {
  const { t } = useTranslation('tiers');
  const choice = { taskId, isGuest };
  return (
    <section
      aria-label={t('paywall.single')}
      className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 rounded-picture bg-well px-6 py-5"
    >
      <div className="flex min-w-0 flex-col">
        <p className="font-medium">{t('paywall.single')}</p>
        <p className="text-sm text-muted">{t(needsNoLogin(offer, choice) ? 'packs.noLogin' : 'checkout.once')}</p>
      </div>
      <AppLink
        to={packAddress(offer, choice)}
        onClick={() => onChoose(offer.priceId)}
        className={`${buttonClass('quiet')} bg-quiet-strong`}
      >
        {t('paywall.pay', { price: offer.price })}
      </AppLink>
    </section>
  );
}
