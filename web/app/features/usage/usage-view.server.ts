import { type PluginKey, TOOL_ORDER, type UsageRow } from '@clearframe/contract';
import { dateFormat } from '@clearframe/contract/dates';
import { shownPrefix } from '../plugin-keys/plugin-keys.server';
import { daysBetween, MEASURES, type Measure, type UsageQuery } from './usage-range';

type Counts = Readonly<Record<Measure, number>>;

const NOTHING: Counts = { pictures: 0, videos: 0, megapixels: 0, failed: 0 };

const sumOf = (rows: readonly Counts[]): Counts =>
  rows.reduce<Counts>(
    (sum, row) => ({
      pictures: sum.pictures + row.pictures,
      videos: sum.videos + row.videos,
      megapixels: sum.megapixels + row.megapixels,
      failed: sum.failed + row.failed,
    }),
    NOTHING,
  );

const madeOf = ({ pictures, videos }: Counts): number => pictures + videos;

function groupBy(rows: readonly UsageRow[], keyOf: (row: UsageRow) => string): Map<string, UsageRow[]> {
  const groups = new Map<string, UsageRow[]>();
  for (const row of rows) groups.set(keyOf(row), [...(groups.get(keyOf(row)) ?? []), row]);
  return groups;
}

/** Keys with a color of their own in the chart; the others share one. */
const COLORS = 5;

interface UsageData {
  /** Of the range. */
  readonly rows: readonly UsageRow[];
  /** Valid keys; null when they can't be read. */
  readonly keys: readonly PluginKey[] | null;
  /** Of the running month (UTC), of all keys. */
  readonly month: readonly UsageRow[];
}

export type UsageView = ReturnType<typeof usageViewOf>;

/** @param language BCP 47 */
export function usageViewOf({ rows, keys, month }: UsageData, query: UsageQuery, language: string) {
  const byKey = groupBy(rows, ({ keyId }) => keyId);
  const shown = (keys ?? []).filter(({ id }) => query.keyId === null || id === query.keyId);
  const ids = new Set([...byKey.keys(), ...shown.map(({ id }) => id)]);
  const used = [...ids]
    .map((id) => keyUsageOf(id, byKey.get(id) ?? [], keys?.find((key) => key.id === id) ?? null, month))
    // By what is common to all measures, so that a key keeps its color.
    .sort((one, other) => madeOf(other.counts) - madeOf(one.counts));
  const colorOf = new Map(used.map(({ id }, index) => [id, Math.min(index, COLORS)]));
  const format = dateFormat(language, { month: 'short', day: 'numeric' });
  const byDay = groupBy(rows, ({ day }) => day);
  const days = daysBetween(query.from, query.to).map((day) => {
    const ofDay = byDay.get(day) ?? [];
    return {
      day,
      text: format(new Date(day)),
      counts: sumOf(ofDay),
      parts: partsOf(ofDay, query.measure, colorOf),
    };
  });
  return {
    days,
    keys: used.map((key) => ({ ...key, color: colorOf.get(key.id) ?? COLORS })),
    totals: sumOf(rows),
    /** Top of the chart: a round number of at least the greatest day. */
    top: roundUp(Math.max(...days.map(({ counts }) => counts[query.measure]))),
  };
}

export type KeyUsageView = UsageView['keys'][number];

function keyUsageOf(id: string, rows: readonly UsageRow[], key: PluginKey | null, month: readonly UsageRow[]) {
  const ofMonth = sumOf(month.filter(({ keyId }) => keyId === id));
  return {
    id,
    name: key?.name ?? null,
    /** Null for a key that is revoked. */
    prefix: key && shownPrefix(key.prefix),
    isTest: key?.isTest ?? rows.some(({ isTest }) => isTest),
    counts: sumOf(rows),
    /** Those that had a part in results. */
    tools: TOOL_ORDER.map((tool) => ({
      tool,
      results: rows.reduce((sum, { tools }) => sum + tools[tool], 0),
    })).filter(({ results }) => results > 0),
    /** Of its own; null without one. */
    monthLimit: key?.limits.perMonth ?? null,
    monthUsed: madeOf(ofMonth),
    minuteLimit: key?.limits.perMinute ?? null,
  };
}

/** From the bottom, the keys with most usage first. */
function partsOf(rows: readonly UsageRow[], measure: Measure, colorOf: ReadonlyMap<string, number>) {
  const parts = new Map<number, number>();
  for (const row of rows) {
    const color = colorOf.get(row.keyId) ?? COLORS;
    parts.set(color, (parts.get(color) ?? 0) + row[measure]);
  }
  let from = 0;
  return [...parts]
    .sort(([one], [other]) => one - other)
    .filter(([, value]) => value > 0)
    .map(([color, value]) => {
      from += value;
      return { color, from: from - value, to: from };
    });
}

/** 1, 2 or 5 times a power of ten; at least 1. */
export function roundUp(value: number): number {
  if (value <= 1) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return power * ([1, 2, 5].find((factor) => factor * power >= value) ?? 10);
}

export const hasUsage = ({ totals }: Pick<UsageView, 'totals'>): boolean =>
  MEASURES.some((measure) => totals[measure] > 0);
