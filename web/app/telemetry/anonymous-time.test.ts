import { afterEach, expect, test, vi } from 'vitest';
import { anonymousTime } from './anonymous-time';

const HOURS = 60 * 60 * 1000;
const NOVEMBER = Date.UTC(2026, 10, 23, 12);
const DECEMBER = Date.UTC(2026, 11, 23, 12);

afterEach(() => vi.unstubAllGlobals());

function stubStorage(initial: Record<string, string> = {}): Map<string, string> {
  const values = new Map(Object.entries(initial));
  const localStorage = {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => values.set(key, value),
  };
  vi.stubGlobal('window', { localStorage });
  return values;
}

test('the shift is at most 12 hours and changes each calendar month', () => {
  const values = stubStorage();
  const shift = anonymousTime(NOVEMBER) - NOVEMBER;
  expect(Math.abs(shift)).toBeLessThanOrEqual(12 * HOURS);
  expect(anonymousTime(NOVEMBER + 1000)).toBe(NOVEMBER + 1000 + shift);
  const [november] = values.values();
  anonymousTime(DECEMBER);
  const [december] = values.values();
  expect(november).toContain('2026-11');
  expect(december).toContain('2026-12');
});

test.each(['nonsense', '{"month":"2026-11","ms":1e12}', '[]'])('an invalid stored shift is ignored: %s', (text) => {
  stubStorage({ 'clearframe:event-delta': text });
  expect(Math.abs(anonymousTime(NOVEMBER) - NOVEMBER)).toBeLessThanOrEqual(12 * HOURS);
});

test('without storage the shift lasts as long as the page', () => {
  vi.stubGlobal('window', {});
  const shift = anonymousTime(NOVEMBER) - NOVEMBER;
  expect(anonymousTime(NOVEMBER) - NOVEMBER).toBe(shift);
});
