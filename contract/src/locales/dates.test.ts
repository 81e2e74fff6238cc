import { expect, it } from 'vitest';
import { dateFormat } from './dates.js';

it.each([
  ['fr', '1er novembre 2026', '11 novembre 2026'],
  ['it', '1º novembre 2026', '11 novembre 2026'],
  ['pt-BR', '1º de novembro de 2026', '11 de novembro de 2026'],
  ['de', '1. November 2026', '11. November 2026'],
  ['en', 'November 1, 2026', 'November 11, 2026'],
])('in %s the first of a month is “%s”', (language, first, eleventh) => {
  const format = dateFormat(language);
  expect(format(new Date('2026-11-01T23:59:00Z'))).toBe(withoutBreaks(first));
  expect(format(new Date('2026-11-11T00:00:00Z'))).toBe(withoutBreaks(eleventh));
});

it('abbreviates months', () => {
  expect(dateFormat('fr', { day: 'numeric', month: 'short' })(new Date('2026-11-01'))).toBe(withoutBreaks('1er nov.'));
});

const withoutBreaks = (date: string): string => date.replaceAll(' ', '\u00a0');
