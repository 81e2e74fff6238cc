import { readStored, writeStored } from './storage';

const KEY = 'clearframe:event-delta';
const MAX_DELTA_MS = 12 * 60 * 60 * 1000;

interface Delta {
  /** Year and month, `2026-11`. */
  readonly month: string;
  readonly ms: number;
}

/**
 * Shifts the time by up to 12 hours, so that it can't be matched with a visit. The shift is the same for a calendar
 * month, which keeps the order of events.
 * @param time Unix time in milliseconds
 */
export function anonymousTime(time: number): number {
  const month = new Date(time).toISOString().slice(0, 7);
  const known = readStored('localStorage', KEY);
  if (isDelta(known) && known.month === month) return time + known.ms;
  const delta: Delta = { month, ms: Math.round((Math.random() * 2 - 1) * MAX_DELTA_MS) };
  writeStored('localStorage', KEY, delta);
  return time + delta.ms;
}

const isDelta = (value: unknown): value is Delta =>
  typeof value === 'object' &&
  value !== null &&
  'month' in value &&
  typeof value.month === 'string' &&
  'ms' in value &&
  typeof value.ms === 'number' &&
  Math.abs(value.ms) <= MAX_DELTA_MS;
