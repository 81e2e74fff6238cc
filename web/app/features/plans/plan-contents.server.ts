import type { Period, Plan, Settings } from '@clearframe/contract';
import { DELIVERED, isDelivered } from '../settings/delivered';
import type { ComparedContents, PlanContents } from './offers';

/** What a plan has in a period, without parts that have no page or are switched off. */
export function planContents(settings: Settings, plan: Plan, period: Period): PlanContents {
  const delivered = { ...DELIVERED, pluginKey: DELIVERED.pluginKey && settings.psPlugin };
  const { features, periods } = settings.paymentStrategies[plan];
  return {
    plan,
    period,
    exports: periods[period].exports,
    features: features.filter(({ textKey }) => isDelivered(textKey, delivered)),
  };
}

/** The contents with those of the plan below, which its list does not repeat. */
export const comparedContents = (settings: Settings, plan: Plan, period: Period): ComparedContents => ({
  offer: planContents(settings, plan, period),
  below: plan === 'business' ? planContents(settings, 'personal', period) : null,
});
