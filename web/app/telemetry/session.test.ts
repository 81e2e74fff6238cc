import { afterEach, expect, test, vi } from 'vitest';
import { recordActivity } from './session';

const MINUTE = 60_000;
const START = Date.UTC(2026, 10, 25, 12);

afterEach(() => vi.unstubAllGlobals());

function stubStorage() {
  const areas = { localStorage: new Map<string, string>(), sessionStorage: new Map<string, string>() };
  const api = (values: Map<string, string>) => ({
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => values.set(key, value),
  });
  vi.stubGlobal('window', { localStorage: api(areas.localStorage), sessionStorage: api(areas.sessionStorage) });
  return areas;
}

test('a session starts with activity and ends after 30 minutes without any', () => {
  stubStorage();
  expect(recordActivity(START, true)).toEqual([{ subtype: 'session_start', time: START, data: {} }]);
  expect(recordActivity(START + 20 * MINUTE, true)).toEqual([]);
  expect(recordActivity(START + 49 * MINUTE, true)).toEqual([]);
  expect(recordActivity(START + 90 * MINUTE, true)).toEqual([
    { subtype: 'session_end', time: START + 49 * MINUTE, data: { durationSeconds: 49 * 60 } },
    { subtype: 'session_start', time: START + 90 * MINUTE, data: {} },
  ]);
});

test('an event that is recorded later than it happened belongs to the session', () => {
  stubStorage();
  recordActivity(START + MINUTE, true);
  expect(recordActivity(START, true)).toEqual([]);
  expect(recordActivity(START + 2 * MINUTE, true)).toEqual([]);
  expect(recordActivity(START + 60 * MINUTE, true)[0]).toMatchObject({ data: { durationSeconds: 2 * 60 } });
});

test('without consent a session is remembered by the tab only', () => {
  const { localStorage, sessionStorage } = stubStorage();
  recordActivity(START, false);
  expect([localStorage.size, sessionStorage.size]).toEqual([0, 1]);
  expect(recordActivity(START + MINUTE, true)).toHaveLength(1);
  expect(localStorage.size).toBe(1);
});

test.each(['nonsense', '{"startedAt":2,"lastAt":1}', '[]'])('an invalid stored session is ignored: %s', (text) => {
  stubStorage().localStorage.set('clearframe:session', text);
  expect(recordActivity(START, true).map(({ subtype }) => subtype)).toEqual(['session_start']);
});
