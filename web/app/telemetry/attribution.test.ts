import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { attributionFor, landingParameters } from './attribution';

let values: Map<string, string>;
beforeEach(() => {
  values = new Map();
  const localStorage = {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => values.set(key, value),
  };
  vi.stubGlobal('window', { localStorage });
});
afterEach(() => vi.unstubAllGlobals());

const SEARCH = '?utm_source=mail&utm_campaign=spring&t_adset=7&gclid=abc&taskId=1&utmost=2&t_=3';

test('campaigns, attribution fields and click ids are landing parameters', () => {
  const expected = { utm_source: 'mail', utm_campaign: 'spring', t_adset: '7', gclid: 'abc' };
  expect(landingParameters(SEARCH)).toEqual(expected);
});

test('an address can’t make events large', () => {
  const many = new URLSearchParams(Array.from({ length: 100 }, (_, index) => [`utm_${index}`, 'x'.repeat(1_000)]));
  const parameters = landingParameters(`?${many}`);
  expect(Object.keys(parameters)).toHaveLength(20);
  expect(parameters.utm_0).toHaveLength(200);
});

test('nothing is read or stored without consent to measurement', () => {
  expect(attributionFor(SEARCH, [])).toEqual({});
  expect(attributionFor(SEARCH, ['C0004'])).toEqual({});
  expect(values.size).toBe(0);
});

test('click ids need consent to advertising, also to be stored', () => {
  expect(attributionFor(SEARCH, ['C0002'])).not.toHaveProperty('gclid');
  expect([...values.values()].join()).not.toContain('abc');
  expect(attributionFor(SEARCH, ['C0002', 'C0004'])).toHaveProperty('gclid', 'abc');
  // Withdrawn since.
  expect(attributionFor('', ['C0002'])).toEqual({ utm_source: 'mail', utm_campaign: 'spring', t_adset: '7' });
});

test('a later landing replaces an earlier one, a page without parameters keeps it', () => {
  attributionFor(SEARCH, ['C0002']);
  expect(attributionFor('?taskId=2', ['C0002'])).toHaveProperty('utm_source', 'mail');
  expect(attributionFor('?utm_source=search', ['C0002'])).toEqual({ utm_source: 'search' });
});

test.each(['nonsense', '[1]', '{"password":"x"}'])('what is stored otherwise is ignored: %s', (text) => {
  values.set('clearframe:attribution', text);
  expect(attributionFor('', ['C0002'])).toEqual({});
});
