import { LOCALES, languageTagOf } from '@clearframe/contract';
import { expect, test } from 'vitest';
import { formatDeletionTime, formatExpiryDate } from './deletion-time';

const now = new Date('2026-11-22T12:00:00Z');

test.each([
  ['2026-12-22T12:00:00.000Z', 'Dec\u00a022'],
  ['2026-12-22T23:59:59.000Z', 'Dec\u00a022'],
  ['2027-01-03T00:00:00.000Z', 'Jan\u00a03,\u00a02027'],
  ['2026-11-24T12:00:00.000Z', 'Nov\u00a024'],
])('%s is formatted as %s', (expiresAt, text) => {
  expect(formatDeletionTime(expiresAt, now, 'en')).toMatchObject({ iso: expiresAt, text, isRelative: false });
});

test.each([
  ['2026-11-24T11:59:59.000Z', 'in 47 hours'],
  ['2026-11-22T17:30:00.000Z', 'in 5 hours'],
  ['2026-11-22T12:59:30.000Z', 'in 59 minutes'],
  ['2026-11-22T12:00:30.000Z', 'in 1 minute'],
  ['2026-11-22T12:00:00.000Z', 'in 1 minute'],
  ['2026-11-21T12:00:00.000Z', 'in 1 minute'],
])('%s is soon, formatted as %s', (expiresAt, text) => {
  expect(formatDeletionTime(expiresAt, now, 'en')).toMatchObject({ iso: expiresAt, text, isRelative: true });
});

test('the date of an expiry has the time if it is soon', () => {
  // Some versions of ICU put a narrow space before the day period.
  const textOf = (expiresAt: string) => formatExpiryDate(expiresAt, now, 'en').text.replace(/\s/g, ' ');
  expect(textOf('2026-11-23T14:05:00.000Z')).toBe('Nov 23, 2:05 PM UTC');
  expect(textOf('2026-12-22T14:05:00.000Z')).toBe('Dec 22');
});

test('the date is formatted in each language', () => {
  const texts = LOCALES.map((locale) => formatDeletionTime('2026-12-22T12:00:00Z', now, languageTagOf(locale)).text);
  for (const text of texts) expect(text).toContain('22');
  expect(texts[LOCALES.indexOf('de')]).toBe('22.\u00a0Dez.');
  expect(texts[LOCALES.indexOf('ja')]).toBe('12月22日');
  expect(formatDeletionTime('2026-11-22T17:00:00Z', now, 'de').text).toBe('in 5 Stunden');
});
