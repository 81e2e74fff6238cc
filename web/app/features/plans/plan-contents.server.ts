import type { Period, Plan, Settings } from '@clearframe/contract';
import type { ComparedContents, PlanContents } from './offers';

/** What a plan has in a period, without the plug-in while it is switched off. */
export function planContents(settings: Settings, plan: Plan, period: Period): PlanContents {
  const { features, periods } = settings.paymentStrategies[plan];
  return {
    plan,
    period,
    exports: periods[period].exports,
    features: settings.psPlugin ? features : features.filter(({ textKey }) => textKey !== 'features.plugin'),
  };
}

/** The contents with those of the plan below, which its list does not repeat. */
export const comparedContents = (settings: Settings, plan: Plan, period: Period): ComparedContents => ({
  offer: planContents(settings, plan, period),
  below: plan === 'business' ? planContents(settings, 'personal', period) : null,
});
