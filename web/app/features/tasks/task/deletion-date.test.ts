import { LOCALES, languageTagOf } from '@clearframe/contract';
import { expect, test } from 'vitest';
import { formatDeletionDate } from './deletion-date';

const now = new Date('2026-11-22T12:00:00Z');

test.each([
  ['2026-12-22T12:00:00.000Z', 'Dec 22'],
  ['2026-12-22T23:59:59.000Z', 'Dec 22'],
  ['2027-01-03T00:00:00.000Z', 'Jan 3, 2027'],
  ['2026-11-23T14:05:00.000Z', 'Nov 23, 2:05 PM UTC'],
])('%s is formatted as %s', (expiresAt, text) => {
  const { iso, text: formatted } = formatDeletionDate(expiresAt, now, 'en');
  // Some versions of ICU put a narrow space before the day period.
  expect(formatted.replace(/\s/g, ' ')).toBe(text);
  expect(iso).toBe(expiresAt);
});

test('the date is formatted in each language', () => {
  const texts = LOCALES.map((locale) => formatDeletionDate('2026-12-22T12:00:00Z', now, languageTagOf(locale)).text);
  for (const text of texts) expect(text).toContain('22');
  expect(texts[LOCALES.indexOf('de')]).toBe('22. Dez.');
  expect(texts[LOCALES.indexOf('ja')]).toBe('12月22日');
});
