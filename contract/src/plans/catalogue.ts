/**
 * Amounts are integer minor units (cents); a month of the product is 4 weeks and a year 52 (decisions, section 4).
 * Price ids are the catalogue's; the providers' are configuration of `api`.
 */
export const CURRENCIES = ['usd', 'eur'] as const;
export type Currency = (typeof CURRENCIES)[number];

/** Subscriptions. */
export const PLANS = ['personal', 'business'] as const;
export type Plan = (typeof PLANS)[number];

/** Billing periods; {@link WEEKS_PER_PERIOD} has their lengths. */
export const PERIODS = ['weekly', 'monthly', 'yearly'] as const;
export type Period = (typeof PERIODS)[number];

/** Length of a billing period in weeks (decisions, section 4). */
export const WEEKS_PER_PERIOD: Readonly<Record<Period, number>> = { weekly: 1, monthly: 4, yearly: 52 };

/** One-time purchases of downloads. */
export const PACKS = ['single_export', 'three_exports', 'ten_exports', 'twenty_exports'] as const;
export type Pack = (typeof PACKS)[number];

/** Spec 1, section 9. */
export const PACK_EXPORTS: Readonly<Record<Pack, number>> = {
  single_export: 1,
  three_exports: 3,
  ten_exports: 10,
  twenty_exports: 20,
};

/** Downloads per period; null is unlimited (spec 1, section 9; decisions, section 2). */
export const PLAN_EXPORTS: Readonly<Record<Plan, Readonly<Record<Period, number | null>>>> = {
  personal: { weekly: 20, monthly: 80, yearly: 1040 },
  business: { weekly: null, monthly: null, yearly: null },
};

/** Megabytes of 1,000,000 bytes and seconds; `period` limits count from Monday 00:00 GMT. */
export interface VideoLimits {
  readonly maxSizeMb: number;
  readonly maxLength: number;
  readonly maxPeriodSizeMb: number;
  readonly maxPeriodLength: number;
}

/** The same for every period (spec 1, section 9). */
export const VIDEO_LIMITS: Readonly<Record<Plan, VideoLimits>> = {
  personal: { maxSizeMb: 60, maxLength: 60, maxPeriodSizeMb: 240, maxPeriodLength: 240 },
  business: { maxSizeMb: 120, maxLength: 120, maxPeriodSizeMb: 480, maxPeriodLength: 480 },
};

/** Downloads in a period; null is unlimited. A free trial of any period has a week's (decisions, section 8). */
export const allowedExportsOf = (
  { plan, exports }: Pick<PlanPrice, 'plan' | 'exports'>,
  isTrialing: boolean,
): number | null => (isTrialing ? PLAN_EXPORTS[plan].weekly : exports);

/** Days of a free trial, and before its end at which the reminder is sent (spec 1, section 9). */
export const TRIAL_DAYS = 7;
export const TRIAL_REMINDER_DAYS_BEFORE = 3;
/** Hours after which an incomplete subscription expires and a new one can be ordered. */
export const INCOMPLETE_HOURS = 23;

interface PriceBase {
  /** For instance `personal_weekly_usd`. */
  readonly id: string;
  readonly amountCents: number;
  readonly currency: Currency;
  /** No longer sold; still charged to its subscribers. */
  readonly isDeprecated: boolean;
}

/** Recurs every {@link WEEKS_PER_PERIOD} weeks. */
export interface PlanPrice extends PriceBase {
  readonly kind: 'plan';
  readonly plan: Plan;
  readonly period: Period;
  /** Per period; null is unlimited. */
  readonly exports: number | null;
}

/** Price of the first week of a weekly plan, for new subscribers. */
export interface IntroPrice extends PriceBase {
  readonly kind: 'intro';
  readonly plan: Plan;
  /** The recurring price that follows. */
  readonly planPriceId: string;
}

/** Price of a {@link Pack}. */
export interface PackPrice extends PriceBase {
  readonly kind: 'pack';
  readonly pack: Pack;
  readonly exports: number;
}

/** Distinguished by `kind`. */
export type CataloguePrice = PlanPrice | IntroPrice | PackPrice;

/** The same in every currency (decisions, section 4). */
const PLAN_CENTS: Readonly<Record<Plan, Readonly<Record<Period, number>>>> = {
  personal: { weekly: 999, monthly: 2599, yearly: 26099 },
  business: { weekly: 1999, monthly: 5199, yearly: 52099 },
};
const PACK_CENTS: Readonly<Record<Pack, number>> = {
  single_export: 499,
  three_exports: 999,
  ten_exports: 2499,
  twenty_exports: 3999,
};
/** Spec 1, section 9. */
const INTRO_CENTS = 99;
/** Former prices. */
const FORMER_WEEKLY_CENTS: Readonly<Record<Plan, number>> = { personal: 799, business: 1799 };

function planPrices(currency: Currency): CataloguePrice[] {
  return PLANS.flatMap((plan): CataloguePrice[] => {
    const current = PERIODS.map(
      (period): PlanPrice => ({
        kind: 'plan',
        id: `${plan}_${period}_${currency}`,
        plan,
        period,
        exports: PLAN_EXPORTS[plan][period],
        amountCents: PLAN_CENTS[plan][period],
        currency,
        isDeprecated: false,
      }),
    );
    const former: PlanPrice = {
      kind: 'plan',
      id: `${plan}_weekly_former_${currency}`,
      plan,
      period: 'weekly',
      exports: PLAN_EXPORTS[plan].weekly,
      amountCents: FORMER_WEEKLY_CENTS[plan],
      currency,
      isDeprecated: true,
    };
    const intro: IntroPrice = {
      kind: 'intro',
      id: `${plan}_intro_${currency}`,
      plan,
      planPriceId: `${plan}_weekly_${currency}`,
      amountCents: INTRO_CENTS,
      currency,
      isDeprecated: false,
    };
    return [...current, former, intro];
  });
}

const packPrices = (currency: Currency): PackPrice[] =>
  PACKS.map((pack) => ({
    kind: 'pack',
    id: `${pack}_${currency}`,
    pack,
    exports: PACK_EXPORTS[pack],
    amountCents: PACK_CENTS[pack],
    currency,
    isDeprecated: false,
  }));

/** Current and former prices. */
export const PRICES: readonly CataloguePrice[] = CURRENCIES.flatMap((currency) => [
  ...planPrices(currency),
  ...packPrices(currency),
]);

const BY_ID = new Map(PRICES.map((price) => [price.id, price]));

/** Undefined for an id outside the catalogue. */
export const priceOf = (id: string): CataloguePrice | undefined => BY_ID.get(id);

/** @throws Error when the catalogue has none */
export function planPriceOf(plan: Plan, period: Period, currency: Currency): PlanPrice {
  const price = priceOf(`${plan}_${period}_${currency}`);
  if (price?.kind !== 'plan') throw new Error(`no price for ${plan} ${period} in ${currency}`);
  return price;
}

/** @throws Error when the catalogue has none */
export function packPriceOf(pack: Pack, currency: Currency): PackPrice {
  const price = priceOf(`${pack}_${currency}`);
  if (price?.kind !== 'pack') throw new Error(`no price for ${pack} in ${currency}`);
  return price;
}

/** The intro price before a plan's price. */
export const introPriceOf = (planPriceId: string): IntroPrice | undefined =>
  PRICES.find((price): price is IntroPrice => price.kind === 'intro' && price.planPriceId === planPriceId);

/** Prices that are no longer sold, whose subscribers keep the plan. */
export const deprecatedPricesOf = (plan: Plan, period: Period, currency: Currency): PlanPrice[] =>
  PRICES.filter(
    (price): price is PlanPrice =>
      price.kind === 'plan' &&
      price.isDeprecated &&
      price.plan === plan &&
      price.period === period &&
      price.currency === currency,
  );
