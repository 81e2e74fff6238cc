import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useData } from '../../http/use-data';
import { Spinner } from '../../ui/content/waiting';
import { buttonClass } from '../../ui/controls/button';
import { ModalActions, ModalChoice, useModalFrame } from '../../ui/modal/modal-frame';
import { AppLink } from '../../ui/page/app-link';
import { askNewcomer } from '../consents/ask-for-consent';
import { isNewcomer } from '../login/newcomer';
import { useModals } from '../modals/modals';
import type { OffersView } from '../plans/offers.server';
import { PlanAction } from '../plans/plan-action';
import { useInterval } from '../plans/use-interval';
import { usePaywallEvents } from '../plans/use-paywall-events';

interface Props {
  readonly previousAction: string | null;
  readonly createdAt: string;
  /** Fetched when null. */
  readonly offers: OffersView | null;
  readonly onDone: () => void;
}

/** Continuing without a plan is equally visible. Records the choice. */
export function PaywallStep({ previousAction, createdAt, offers: initialOffers, onDone }: Props) {
  const { t } = useTranslation(['onboarding', 'tiers']);
  const { every } = useInterval();
  const Heading = useModalFrame().mode === 'page' ? 'h2' : 'h3';
  const { open } = useModals();
  const offers = useOffers(initialOffers, onDone);
  const choose = usePaywallEvents({
    priceIds: offers?.plans.map(({ priceId }) => priceId) ?? null,
    view: 'onboarding',
    previousAction,
    onDismissed: () => {
      if (isNewcomer(createdAt, Date.now())) void askNewcomer(open);
    },
  });

  if (!offers) return <Spinner label={t('start.loading')} className="self-center text-muted" />;
  return (
    <>
      <ul className="flex flex-col gap-3">
        {offers.plans.map((offer) => (
          <li key={offer.plan} className="flex flex-col gap-4 rounded-card bg-well p-5">
            <div className="flex flex-col gap-0.5">
              <div className="flex flex-wrap items-baseline justify-between gap-x-4">
                <Heading className="text-title">{t(`tiers:plans.${offer.plan}.title`)}</Heading>
                <p className="text-muted">
                  <span dir="ltr" className="font-medium text-ink">
                    {offer.price}
                  </span>{' '}
                  {every(offers.period)}
                </p>
              </div>
              <p className="text-sm text-pretty text-muted">{t(`tiers:plans.${offer.plan}.subtitle`)}</p>
            </div>
            <PlanAction offer={offer} offers={offers} onChoose={choose} />
          </li>
        ))}
      </ul>
      <ModalActions>
        <ModalChoice kind="quiet" onChoose={onDone}>
          {t('start.free')}
        </ModalChoice>
        <AppLink to="/pricing" onClick={() => choose()} className={buttonClass('ghost')}>
          {t('start.compare')}
        </AppLink>
      </ModalActions>
    </>
  );
}

/** Without offers the step is skipped. */
function useOffers(initialOffers: OffersView | null, onFailed: () => void): OffersView | null {
  const { data, error } = useData<OffersView>(initialOffers ? null : `/onboarding/offers${window.location.search}`);
  useEffect(() => {
    if (error) onFailed();
  }, [error, onFailed]);
  return initialOffers ?? data ?? null;
}
