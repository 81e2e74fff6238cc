import fc from 'fast-check';

/** `pick` selects a row; `size` is an amount, or varies the outcome. */
export interface HistoryEvent {
  readonly kind: EventKind;
  readonly pick: number;
  readonly size: number;
}

const WEIGHTS = {
  buy: 2,
  pay: 3,
  'read payment': 4,
  purchase: 6,
  refund: 3,
  dispute: 2,
  win: 2,
  subscribe: 4,
  begin: 2,
  'declined, then another card': 2,
  'another card': 3,
  'approve in the wallet': 3,
  'return from the wallet': 3,
  'read subscription': 6,
  'go broke': 1,
  cancel: 2,
  'dispute subscription': 1,
  'refund subscription': 1,
  upgrade: 3,
  'change period': 3,
  'end replaced': 3,
  'refund replaced': 3,
  download: 8,
  finish: 3,
  fail: 4,
  gift: 2,
  time: 3,
  'to the end': 2,
  'arrive late': 4,
} as const;
export type EventKind = keyof typeof WEIGHTS;

const anyKind = fc.oneof(
  ...(Object.keys(WEIGHTS) as EventKind[]).map((kind) => ({ weight: WEIGHTS[kind], arbitrary: fc.constant(kind) })),
);

export const anyHistory = fc.array(
  fc.record<HistoryEvent>({ kind: anyKind, pick: fc.nat(30), size: fc.integer({ min: 1, max: 100 }) }),
  { maxLength: 100, size: 'max' },
);

export const picked = <Row>(rows: readonly Row[], pick: number): Row | undefined =>
  rows[pick % Math.max(1, rows.length)];

const SHORT = 300;
const LONG = 3_000;

const isLong = !['short', undefined].includes(process.env.VITEST_LENGTH);

export const HISTORY_COUNT = Number(process.env.MONEY_HISTORIES ?? (isLong ? LONG : SHORT));

/** Histories that share one application, over HTTP, PostgreSQL and the sandbox. */
export const HTTP_GROUP = 25;
const LONG_HTTP = 4 * HTTP_GROUP;
/** A hundredth of those in memory; at least one group in `npm test`, four otherwise. */
export const HTTP_HISTORY_COUNT = Math.max(isLong ? LONG_HTTP : HTTP_GROUP, Math.ceil(HISTORY_COUNT / 100));
