import { inMilliseconds } from '@clearframe/contract';
import type { TimeLeft } from './history-view';

/** How long it is from now to a moment, rounded: days from two on, else hours, and minutes at the very end. */
export function timeLeft(until: Date, now: Date): TimeLeft {
  const left = Math.max(0, until.getTime() - now.getTime());
  const count = (unit: number): number => Math.round(left / unit);
  if (count(inMilliseconds.days(1)) >= 2) return { unit: 'days', count: count(inMilliseconds.days(1)) };
  if (count(inMilliseconds.hours(1)) >= 1) return { unit: 'hours', count: count(inMilliseconds.hours(1)) };
  return { unit: 'minutes', count: count(inMilliseconds.minutes(1)) };
}

/** '2 hours ago', 'yesterday', 'now'. @param language BCP 47 */
export function writeAgo(moment: Date, now: Date, language: string): string {
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  const passed = Math.max(0, now.getTime() - moment.getTime());
  if (passed >= inMilliseconds.days(1)) return format.format(-Math.floor(passed / inMilliseconds.days(1)), 'day');
  if (passed >= inMilliseconds.hours(1)) return format.format(-Math.floor(passed / inMilliseconds.hours(1)), 'hour');
  if (passed >= inMilliseconds.minutes(1)) {
    return format.format(-Math.floor(passed / inMilliseconds.minutes(1)), 'minute');
  }
  return format.format(0, 'second');
}
