import type { Period, Plan, Settings } from '@clearframe/contract';

/** What a plan has in a period, without the plug-in while it is switched off. */
export function planContents(settings: Settings, plan: Plan, period: Period) {
  const { features, periods } = settings.paymentStrategies[plan];
  return {
    plan,
    period,
    /** Downloads per period; null: unlimited. */
    exports: periods[period].exports,
    features: settings.psPlugin ? features : features.filter(({ textKey }) => textKey !== 'features.plugin'),
  };
}

/** The contents with those of the plan below, which its list does not repeat. */
export const comparedContents = (settings: Settings, plan: Plan, period: Period) => ({
  offer: planContents(settings, plan, period),
  below: plan === 'business' ? planContents(settings, 'personal', period) : null,
});

export type PlanContents = ReturnType<typeof planContents>;
export type ComparedContents = ReturnType<typeof comparedContents>;
