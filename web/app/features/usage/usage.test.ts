import { type PluginKey, TOOL_ORDER, type UsageRow } from '@clearframe/contract';
import { describe, expect, it } from 'vitest';
import { daysBetween, type UsageQuery, usageAddress, usageQueryIn } from './usage-range';
import { roundUp, usageViewOf } from './usage-view.server';

const LIMITS = { max: 366, usual: 30 };
const NOW = Date.parse('2026-11-29T12:00:00Z');
const queryOf = (search: string) => usageQueryIn(new URLSearchParams(search), LIMITS, NOW);

describe('the range of an address', () => {
  it.each([
    ['', '2026-10-31', '2026-11-29'],
    ['from=2026-11-01', '2026-11-01', '2026-11-29'],
    ['to=2026-03-01', '2026-01-31', '2026-03-01'],
    ['from=2026-11-20&to=2026-11-10', '2026-11-10', '2026-11-20'],
    ['from=2001-01-01&to=2026-11-29', '2025-11-29', '2026-11-29'],
    ['from=2026-02-31&to=tomorrow', '2026-10-31', '2026-11-29'],
    ['from=&to=', '2026-10-31', '2026-11-29'],
  ])('%s is %s to %s', (search, from, to) => {
    expect(queryOf(search)).toMatchObject({ from, to });
  });

  it('comes back from its own address', () => {
    const query: UsageQuery = { from: '2026-11-01', to: '2026-11-02', keyId: 'one', measure: 'failed' };
    expect(queryOf(new URL(usageAddress('/account/usage', query), 'https://x.example').search)).toEqual(query);
    expect(queryOf('show=money').measure).toBe('pictures');
  });

  it('counts both days, over the end of a month', () => {
    expect(daysBetween('2026-02-27', '2026-03-01')).toEqual(['2026-02-27', '2026-02-28', '2026-03-01']);
    expect(daysBetween('2026-03-01', '2026-03-01')).toHaveLength(1);
  });
});

const keyOf = (id: string, changes: Partial<PluginKey> = {}): PluginKey => ({
  id,
  isTest: false,
  name: null,
  scopes: ['media:read'],
  prefix: `cfk_live_${id}`,
  createdAt: '2026-11-01T00:00:00.000Z',
  expiresAt: null,
  limits: { perMinute: null, perMonth: null },
  lastUsedAt: null,
  lastUsedIp: null,
  deviceId: null,
  ...changes,
});
const NO_TOOLS = Object.fromEntries(TOOL_ORDER.map((tool) => [tool, 0])) as UsageRow['tools'];
const rowOf = (day: string, keyId: string, pictures: number, failed = 0): UsageRow => ({
  day,
  keyId,
  isTest: false,
  pictures,
  videos: 0,
  megapixels: pictures * 2,
  failed,
  tools: { ...NO_TOOLS, faceEnhance: pictures, bokeh: failed },
});
const QUERY: UsageQuery = { from: '2026-11-01', to: '2026-11-03', keyId: null, measure: 'pictures' };

it('stacks the keys of each day, those with most usage at the bottom', () => {
  const rows = [rowOf('2026-11-01', 'few', 1, 4), rowOf('2026-11-01', 'many', 6), rowOf('2026-11-03', 'many', 2)];
  const { days, keys, totals, top } = usageViewOf({ rows, keys: [], month: [] }, QUERY, 'en');
  expect(keys.map(({ id, prefix, color }) => [id, prefix, color])).toEqual([
    ['many', null, 0],
    ['few', null, 1],
  ]);
  expect(days.map(({ parts }) => parts)).toEqual([
    [
      { color: 0, from: 0, to: 6 },
      { color: 1, from: 6, to: 7 },
    ],
    [],
    [{ color: 0, from: 0, to: 2 }],
  ]);
  expect(totals).toEqual({ pictures: 9, videos: 0, megapixels: 18, failed: 4 });
  expect(top).toBe(10);
  expect(keys.map(({ tools }) => tools)).toEqual([
    [{ tool: 'faceEnhance', results: 8 }],
    [
      { tool: 'faceEnhance', results: 1 },
      { tool: 'bokeh', results: 4 },
    ],
  ]);
});

it('gives keys after the fifth one color', () => {
  const rows = Array.from({ length: 8 }, (_row, index) => rowOf('2026-11-02', `key${index}`, 10 - index));
  const { days, keys } = usageViewOf({ rows, keys: null, month: [] }, QUERY, 'en');
  expect(keys.map(({ color }) => color)).toEqual([0, 1, 2, 3, 4, 5, 5, 5]);
  expect(days[1]?.parts).toHaveLength(6);
  expect(days[1]?.parts.at(-1)).toEqual({ color: 5, from: 40, to: 52 });
});

it('shows the limits of a key with its use of the month, also without usage in the range', () => {
  const keys = [keyOf('a', { name: 'Shop', limits: { perMinute: 60, perMonth: 100 } }), keyOf('b')];
  const month = [rowOf('2026-11-28', 'a', 30), rowOf('2026-11-28', 'b', 5)];
  const view = usageViewOf({ rows: [], keys, month }, { ...QUERY, keyId: 'a' }, 'en');
  expect(view.keys).toMatchObject([
    { name: 'Shop', prefix: 'cfk_live_a…', monthLimit: 100, monthUsed: 30, minuteLimit: 60 },
  ]);
  expect(view.top).toBe(1);
});

it.each([
  [0, 1],
  [1, 1],
  [3, 5],
  [5, 5],
  [51, 100],
  [1001, 2000],
  [0.4, 1],
])('rounds the top of the chart, %d to %d', (value, top) => {
  expect(roundUp(value)).toBe(top);
});
