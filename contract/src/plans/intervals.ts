import { type Period, WEEKS_PER_PERIOD } from './catalogue.js';

/** Units of a recurring interval, as Stripe names them. */
export const INTERVAL_UNITS = ['day', 'week', 'month', 'year'] as const;
export type IntervalUnit = (typeof INTERVAL_UNITS)[number];

/** Time between two charges, for instance every 4 weeks. `count` is a positive integer. */
export interface RecurringInterval {
  readonly interval: IntervalUnit;
  readonly count: number;
}

/** Names of recurring intervals (spec 1, section 3); their texts are `intervals` in the section `tiers`. */
export const INTERVAL_NAMES = [
  'daily',
  'biDaily',
  'triDaily',
  'weekly',
  'biWeekly',
  'triWeekly',
  'lunar',
  'monthly',
  'biMonthly',
  'quarterly',
  'semesterly',
  'yearly',
  'biYearly',
  'triYearly',
] as const;
export type IntervalName = (typeof INTERVAL_NAMES)[number];

/** By unit and count. 52 weeks are the product's year (decisions, section 4). */
const NAMES: Readonly<Record<IntervalUnit, Readonly<Record<number, IntervalName>>>> = {
  day: { 1: 'daily', 2: 'biDaily', 3: 'triDaily', 7: 'weekly' },
  week: { 1: 'weekly', 2: 'biWeekly', 3: 'triWeekly', 4: 'lunar', 52: 'yearly' },
  month: { 1: 'monthly', 2: 'biMonthly', 3: 'quarterly', 6: 'semesterly', 12: 'yearly' },
  year: { 1: 'yearly', 2: 'biYearly', 3: 'triYearly' },
};

/** Null for an interval without a name, such as 5 weeks. */
export const intervalNameOf = ({ interval, count }: RecurringInterval): IntervalName | null =>
  NAMES[interval][count] ?? null;

/** The interval of a plan's price, in weeks. */
export const intervalOf = (period: Period): RecurringInterval => ({
  interval: 'week',
  count: WEEKS_PER_PERIOD[period],
});
