import { inMilliseconds } from '@clearframe/contract';
import { expect, test } from 'vitest';
import { formatRelativeTime } from './relative-time';

const now = new Date('2026-03-01T12:00:00Z');
const { days, hours, minutes, seconds } = inMilliseconds;
const from = (milliseconds: number): Date => new Date(now.getTime() + milliseconds);

test.each([
  [seconds(3), 'now'],
  [minutes(1), '1 minute ago'],
  [hours(5), '5 hours ago'],
  [days(1), 'yesterday'],
  [days(9), '9 days ago'],
  [-minutes(5), 'now'],
])('%i ms ago is formatted as %s', (passed, text) => {
  expect(formatRelativeTime(from(-passed), now, 'en')).toBe(text);
});

test('uses the visitor’s language', () => {
  expect(formatRelativeTime(from(-hours(5)), now, 'de')).toBe('vor 5 Stunden');
});
