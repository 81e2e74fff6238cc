import { useLocation } from '@remix-run/react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { buttonClass } from '../../ui/controls/button';
import { AppLink } from '../../ui/page/app-link';
import { ModalLink } from '../modals/modal-link';
import { checkoutAddress, preserveOfferParam } from './offers';
import type { OffersView, PlanOffer, Presentation } from './offers.server';
import { useInterval } from './use-interval';

interface PlanActionProps {
  readonly offer: PlanOffer;
  readonly offers: Pick<OffersView, 'taskId' | 'presentation' | 'credits'>;
  readonly onChoose?: (priceId: string) => void;
  /** Default: only Business has the primary button. */
  readonly isPrimary?: boolean;
}

export function PlanAction({ offer, offers, onChoose, isPrimary = offer.plan === 'business' }: PlanActionProps) {
  const { taskId, presentation, credits } = offers;
  const { t } = useTranslation('tiers');
  const { search } = useLocation();
  const labels = usePriceLabels(presentation);
  const { plan, period, price, priceId, introPrice, action, hasTrial, trialExports } = offer;
  const name = t(`plans.${plan}.title`);
  const every = useInterval().every(period);
  if (action === 'none') return null;
  const isTrial = hasTrial && action === 'subscribe';
  const label = () => {
    switch (action) {
      case 'contact':
        return t('contact.action');
      case 'change_period':
        return t(`changePeriod.${period}`);
      case 'upgrade':
        return t('upgrade', { plan: name });
      default:
        return isTrial ? labels.trial : labels.payNow(t('subscribe', { plan: name }));
    }
  };
  const address = () => {
    switch (action) {
      case 'contact':
        return '/pricing/contact';
      case 'subscribe':
        return checkoutAddress(priceId, { taskId, trial: isTrial });
      default:
        return `/upgrade/confirm?priceId=${priceId}`;
    }
  };
  const charge = () => {
    if (isTrial && trialExports !== null) return t('chargedLaterDownloads', { price, every, count: trialExports });
    if (isTrial) return t('chargedLater', { price, every });
    return introPrice ? t('chargedIntro', { intro: introPrice, price, every }) : t('chargedNow', { price, every });
  };
  const chargeText = action === 'subscribe' ? charge() : null;
  const isInButton = presentation.hasChargeInButton && chargeText !== null;
  return (
    <div className="flex flex-col gap-3">
      <ChoiceLink
        to={preserveOfferParam(address(), search)}
        forfeits={action === 'subscribe' ? credits : 0}
        onChoose={() => onChoose?.(priceId)}
        className={`${buttonClass(isPrimary ? 'primary' : 'quiet')} text-center text-balance ${
          isInButton ? 'flex-col gap-0! rounded-card!' : ''
        }`}
      >
        <span>
          {label()}
          {/* Two of the links have the same text. */}
          {isTrial && <span className="sr-only"> {name}</span>}
        </span>
        {isInButton && <span className="text-caption font-normal"> {chargeText}</span>}
      </ChoiceLink>
      {chargeText !== null && !isInButton && <p className="text-sm text-pretty text-muted">{chargeText}</p>}
    </div>
  );
}

interface ChoiceLinkProps {
  readonly to: string;
  readonly forfeits: number;
  readonly onChoose: () => void;
  readonly className: string;
  readonly children: ReactNode;
}

/** Warns first when the choice loses downloads (spec 1, section 4). */
function ChoiceLink({ to, forfeits, onChoose, className, children }: ChoiceLinkProps) {
  if (forfeits > 0) {
    return (
      <ModalLink
        modal="billing:forfeit"
        with={{ count: forfeits, checkout: to }}
        className={className}
        onOpen={onChoose}
      >
        {children}
      </ModalLink>
    );
  }
  return (
    <AppLink to={to} onClick={onChoose} className={className}>
      {children}
    </AppLink>
  );
}

/** Translated variants of the label experiments. */
const VARIANTS = ['start', 'continue', 'unlock'] as const;

function usePriceLabels({ trialLabel, payNowLabel }: Pick<Presentation, 'trialLabel' | 'payNowLabel'>) {
  const { t } = useTranslation('tiers');
  const labelOf = (group: 'trialLabels' | 'payNowLabels', label: string): string => {
    const variant = VARIANTS.find((name) => name === label);
    return variant ? t(`${group}.${variant}`) : label;
  };
  return {
    trial: trialLabel === null ? t('try') : labelOf('trialLabels', trialLabel),
    /** @param usual without an experiment */
    payNow: (usual: string): string => (payNowLabel === null ? usual : labelOf('payNowLabels', payNowLabel)),
  };
}
