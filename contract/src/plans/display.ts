import { type Currency, type Period, type Plan, planPriceOf } from './catalogue.js';

/** A price the way the product writes it in every language: `$9.99`, `9,99€`. Integers all the way: 0.1 + 0.2 never happens. */
export function formatPrice(amountCents: number, currency: Currency): string {
  const sign = amountCents < 0 ? '-' : '';
  const whole = Math.trunc(Math.abs(amountCents) / 100);
  const cents = String(Math.abs(amountCents) % 100).padStart(2, '0');
  return currency === 'usd' ? `${sign}$${whole}.${cents}` : `${sign}${whole},${cents}€`;
}

const SINGLE = { day: 'Daily', week: 'Weekly', month: 'Monthly', year: 'Yearly' } as const;
export type RecurringInterval = keyof typeof SINGLE;

/** Intervals with names of their own (spec 1, section 3). */
const SPECIAL: Readonly<Record<string, string>> = {
  '4 week': 'Lunar',
  '52 week': 'Yearly',
  '3 month': 'Quarterly',
  '6 month': 'Semesterly',
};
const PREFIXES: Readonly<Record<number, string>> = { 2: 'Bi-', 3: 'Tri-' };

/** The name of a recurring interval: `Weekly`, `Bi-Weekly`, `Lunar` (4 weeks), `Quarterly` …, or null where none fits. */
export function intervalName(interval: RecurringInterval, count: number): string | null {
  const special = SPECIAL[`${count} ${interval}`];
  if (special) return special;
  if (count === 1) return SINGLE[interval];
  const prefix = PREFIXES[count];
  return prefix ? `${prefix}${SINGLE[interval]}` : null;
}

/**
 * Units of the shorter period in the longer, for discount badges: a month is 4 weeks, a year 52 weeks or 12 months.
 * These give the 35 %, 50 % and 16 % of spec 1, section 9.
 */
const TIMES: Readonly<Partial<Record<`${Period} in ${Period}`, number>>> = {
  'weekly in monthly': 4,
  'weekly in yearly': 52,
  'monthly in yearly': 12,
};

/** What the longer period saves beside buying the shorter one over and over, in whole percent, rounded half up; 0 for none. */
export function discountPercent(plan: Plan, longer: Period, shorter: Period, currency: Currency): number {
  const times = TIMES[`${shorter} in ${longer}`];
  if (!times) return 0;
  const separately = planPriceOf(plan, shorter, currency).amountCents * times;
  const together = planPriceOf(plan, longer, currency).amountCents;
  return Math.max(0, Math.floor(((separately - together) * 100) / separately + 0.5));
}
