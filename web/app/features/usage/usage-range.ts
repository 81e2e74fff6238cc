import { inMilliseconds } from '@clearframe/contract/units';

/** Measures of the chart, in the order of their links. */
export const MEASURES = ['pictures', 'videos', 'megapixels', 'failed'] as const;
export type Measure = (typeof MEASURES)[number];

/** Ranges with a link of their own, in days. */
export const RANGE_DAYS = [7, 30, 90] as const;

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** @param day `2026-11-29`, in UTC */
export const addDays = (day: string, days: number): string => dayOf(Date.parse(day) + inMilliseconds.days(days));

/** Both included. */
export function daysBetween(from: string, to: string): string[] {
  const count = (Date.parse(to) - Date.parse(from)) / inMilliseconds.days(1) + 1;
  return Array.from({ length: count }, (_day, index) => addDays(from, index));
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Also of addresses that were typed: `2026-02-31` is no day. */
const dayIn = (text: string | null): string | null =>
  text !== null && DAY.test(text) && !Number.isNaN(Date.parse(text)) && dayOf(Date.parse(text)) === text ? text : null;

export interface UsageQuery {
  readonly from: string;
  readonly to: string;
  /** Null: all keys. */
  readonly keyId: string | null;
  readonly measure: Measure;
}

/**
 * What an address asks for: the last 30 days by default, days in either order, and of a longer range the newest.
 * @param limits days of an answer: at most, and by default
 */
export function usageQueryIn(
  query: URLSearchParams,
  limits: { readonly max: number; readonly usual: number },
  now = Date.now(),
): UsageQuery {
  const to = dayIn(query.get('to')) ?? dayOf(now);
  const from = dayIn(query.get('from')) ?? addDays(to, 1 - limits.usual);
  const [first, last] = from > to ? [to, from] : [from, to];
  const earliest = addDays(last, 1 - limits.max);
  return {
    from: [first, earliest].sort().at(-1) ?? first,
    to: last,
    keyId: query.get('key') || null,
    measure: MEASURES.find((measure) => measure === query.get('show')) ?? 'pictures',
  };
}

/** @param page address of the page */
export function usageAddress(page: string, { from, to, keyId, measure }: UsageQuery): string {
  const query = new URLSearchParams({ from, to });
  if (keyId !== null) query.set('key', keyId);
  if (measure !== 'pictures') query.set('show', measure);
  return `${page}?${query}`;
}
