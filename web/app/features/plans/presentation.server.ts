import { PACKS, type Pack, type Settings } from '@clearframe/contract';
import type { PackOffer, PlanOffer, Presentation } from './offers';

export function presentationOf(
  settings: Settings,
  weekly: readonly PlanOffer[],
  packs: readonly PackOffer[],
): Presentation {
  return {
    highlight: highlightOf(settings, weekly, packs),
    hasChargeInButton: settings.compliantPriceEnabled,
    trialLabel: settings.expFreeTrialPaywallCtaLabel || null,
    payNowLabel: settings.expFreeTrialPaywallPayNowLabel || null,
  };
}

function highlightOf(
  { highlightedOtpStrategy, businessTierWeeklyHighlighted }: Settings,
  weekly: readonly PlanOffer[],
  packs: readonly PackOffer[],
): Presentation['highlight'] {
  const pack = packNamed(highlightedOtpStrategy);
  if (pack && packs.some((offer) => offer.pack === pack)) return { pack };
  const business = weekly.find(({ plan }) => plan === 'business');
  const isForSale = business?.action === 'subscribe' || business?.action === 'upgrade';
  return businessTierWeeklyHighlighted && isForSale ? { plan: 'business' } : null;
}

/** `ten_exports` or, as in the settings' answer, `tenExports`. */
const packNamed = (name: string | null): Pack | undefined =>
  PACKS.find((pack) => pack === name || pack.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()) === name);
