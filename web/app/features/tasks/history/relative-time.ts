import { inMilliseconds } from '@clearframe/contract';

/** '2 hours ago', 'yesterday', 'now'. @param language BCP 47 */
export function formatRelativeTime(moment: Date, now: Date, language: string): string {
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  const passed = Math.max(0, now.getTime() - moment.getTime());
  if (passed >= inMilliseconds.days(1)) return format.format(-Math.floor(passed / inMilliseconds.days(1)), 'day');
  if (passed >= inMilliseconds.hours(1)) return format.format(-Math.floor(passed / inMilliseconds.hours(1)), 'hour');
  if (passed >= inMilliseconds.minutes(1)) {
    return format.format(-Math.floor(passed / inMilliseconds.minutes(1)), 'minute');
  }
  return format.format(0, 'second');
}
