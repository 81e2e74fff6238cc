import { expect, it } from 'vitest';
import { dateFormat } from './dates.js';

it.each([
  ['fr', 'le 1er novembre 2026', 'le 11 novembre 2026'],
  ['it', 'dal 1º novembre 2026', 'dal 11 novembre 2026'],
  ['pt-BR', 'em 1º de novembro de 2026', 'em 11 de novembro de 2026'],
  ['de', 'am 1. November 2026', 'am 11. November 2026'],
  ['en', 'on November 1, 2026', 'on November 11, 2026'],
])('in %s the first of a month is “%s”', (language, first, eleventh) => {
  const format = dateFormat(language);
  const [word] = first.split(' ');
  expect(`${word} ${format(new Date('2026-11-01T23:59:00Z'))}`).toBe(first);
  expect(`${word} ${format(new Date('2026-11-11T00:00:00Z'))}`).toBe(eleventh);
});

it('abbreviates months', () => {
  expect(dateFormat('fr', { day: 'numeric', month: 'short' })(new Date('2026-11-01'))).toBe('1er nov.');
});
