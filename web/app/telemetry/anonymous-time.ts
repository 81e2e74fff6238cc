const KEY = 'clearframe:event-delta';
const MAX_DELTA_MS = 12 * 60 * 60 * 1000;

interface Delta {
  /** Year and month, `2026-11`. */
  readonly month: string;
  readonly ms: number;
}

let inMemory: Delta | null = null;

/**
 * Shifts the time by up to 12 hours, so that it can't be matched with a visit. The shift is the same for a calendar
 * month, which keeps the order of events.
 * @param time Unix time in milliseconds
 */
export function anonymousTime(time: number): number {
  const month = new Date(time).toISOString().slice(0, 7);
  const known = stored() ?? inMemory;
  if (known?.month === month) return time + known.ms;
  inMemory = { month, ms: Math.round((Math.random() * 2 - 1) * MAX_DELTA_MS) };
  try {
    localStorage.setItem(KEY, JSON.stringify(inMemory));
  } catch {
    // Without storage, until the page is closed.
  }
  return time + inMemory.ms;
}

function stored(): Delta | null {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(KEY) ?? 'null');
    return isDelta(value) ? value : null;
  } catch {
    return null;
  }
}

const isDelta = (value: unknown): value is Delta =>
  typeof value === 'object' &&
  value !== null &&
  'month' in value &&
  typeof value.month === 'string' &&
  'ms' in value &&
  typeof value.ms === 'number' &&
  Math.abs(value.ms) <= MAX_DELTA_MS;
