import { inMilliseconds } from '@clearframe/contract/units';

const UNITS = [
  ['day', inMilliseconds.days(1)],
  ['hour', inMilliseconds.hours(1)],
  ['minute', inMilliseconds.minutes(1)],
] as const;

/** '2 hours ago', 'yesterday', 'now'. @param language BCP 47 */
export function formatRelativeTime(moment: Date, now: Date, language: string): string {
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  const elapsed = Math.max(0, now.getTime() - moment.getTime());
  for (const [unit, length] of UNITS) if (elapsed >= length) return format.format(-Math.floor(elapsed / length), unit);
  return format.format(0, 'second');
}
