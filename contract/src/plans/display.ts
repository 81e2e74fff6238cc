import {
  type Currency,
  type PackPrice,
  type Period,
  type Plan,
  type PlanPrice,
  planPriceOf,
  WEEKS_PER_PERIOD,
} from './catalogue.js';

/** A price as written in every language: `$9.99`, `9,99€`. Integer arithmetic: no rounding errors. */
export function formatPrice(amountCents: number, currency: Currency): string {
  const sign = amountCents < 0 ? '-' : '';
  const whole = Math.trunc(Math.abs(amountCents) / 100);
  const cents = String(Math.abs(amountCents) % 100).padStart(2, '0');
  return currency === 'usd' ? `${sign}$${whole}.${cents}` : `${sign}${whole},${cents}€`;
}

/**
 * An amount of money that is no price: paid, refunded or due. Written as the language does, with a space that doesn't
 * break: `$9.99`, `9,99 €`.
 * @param language BCP 47
 */
export const formatMoney = (amountCents: number, currency: Currency, language: string): string =>
  new Intl.NumberFormat(language, { style: 'currency', currency, currencyDisplay: 'narrowSymbol' }).format(
    amountCents / 100,
  );

/**
 * Shorter periods in the longer, for discount badges: a month is 4 weeks, a year 52 weeks or 12 months. These give the
 * 35 %, 50 % and 16 % of spec 1, section 9.
 */
const UNITS_IN: Readonly<Partial<Record<`${Period} in ${Period}`, number>>> = {
  'weekly in monthly': 4,
  'weekly in yearly': 52,
  'monthly in yearly': 12,
};

/** Saving of the longer period over repeated shorter ones, in whole percent, rounded half up; 0 for none. */
export function discountPercent(plan: Plan, longer: Period, shorter: Period, currency: Currency): number {
  const times = UNITS_IN[`${shorter} in ${longer}`];
  if (!times) return 0;
  const separately = planPriceOf(plan, shorter, currency).amountCents * times;
  const together = planPriceOf(plan, longer, currency).amountCents;
  return Math.max(0, Math.floor(((separately - together) * 100) / separately + 0.5));
}

/** A plan's price for one week of its period, in cents, rounded half up. */
export const centsPerWeek = ({ amountCents, period }: Pick<PlanPrice, 'amountCents' | 'period'>): number =>
  Math.floor(amountCents / WEEKS_PER_PERIOD[period] + 0.5);

/** A pack's price for one download, in cents, rounded half up. */
export const centsEach = ({ amountCents, exports }: Pick<PackPrice, 'amountCents' | 'exports'>): number =>
  Math.floor(amountCents / exports + 0.5);
