import { inMilliseconds } from '@clearframe/contract';
import { expect, test } from 'vitest';
import { timeLeft, writeAgo } from './times';

const now = new Date('2026-03-01T12:00:00Z');
const { days, hours, minutes, seconds } = inMilliseconds;
const from = (milliseconds: number): Date => new Date(now.getTime() + milliseconds);

test.each([
  [days(30), 30, 'days'],
  [days(30) - minutes(5), 30, 'days'],
  [days(1.6), 2, 'days'],
  [days(1), 24, 'hours'],
  [days(1) - minutes(1), 24, 'hours'],
  [minutes(31), 1, 'hours'],
  [minutes(29), 29, 'minutes'],
  [seconds(10), 0, 'minutes'],
  [-days(1), 0, 'minutes'],
])('what ends in %i ms is left for %i %s', (ahead, count, unit) => {
  expect(timeLeft(from(ahead), now)).toEqual({ unit, count });
});

test.each([
  [seconds(3), 'now'],
  [minutes(1), '1 minute ago'],
  [hours(5), '5 hours ago'],
  [days(1), 'yesterday'],
  [days(9), '9 days ago'],
  [-minutes(5), 'now'],
])('what was %i ms ago was %s', (passed, text) => {
  expect(writeAgo(from(-passed), now, 'en')).toBe(text);
});

test('it is written in the visitor’s language', () => {
  expect(writeAgo(from(-hours(5)), now, 'de')).toBe('vor 5 Stunden');
});
