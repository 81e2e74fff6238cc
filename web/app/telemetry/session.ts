import { SESSION_TIMEOUT_MS } from '@clearframe/contract';
import { readStored, writeStored } from './storage';

const KEY = 'clearframe:session';

interface Session {
  /** Unix times in milliseconds. */
  readonly startedAt: number;
  readonly lastAt: number;
}

interface SessionEvent {
  readonly subtype: 'session_start' | 'session_end';
  readonly time: number;
  readonly data: { readonly durationSeconds?: number };
}

/**
 * Records activity. Returns the events that it causes: the end of a session that timed out, which only later activity can
 * report, and the start of another.
 * @param isRemembered with consent to measurement: beyond the tab
 */
export function recordActivity(time: number, isRemembered: boolean): SessionEvent[] {
  const area = isRemembered ? 'localStorage' : 'sessionStorage';
  const value = readStored(area, KEY);
  const last = isSession(value) ? value : null;
  const isRunning = last !== null && time - last.lastAt < SESSION_TIMEOUT_MS;
  // Events that waited for this code are older than the activity that loaded it.
  const session = isRunning ? extended(last, time) : { startedAt: time, lastAt: time };
  writeStored(area, KEY, session satisfies Session);
  if (isRunning) return [];
  return [...(last ? [endOf(last)] : []), { subtype: 'session_start', time, data: {} }];
}

const extended = ({ startedAt, lastAt }: Session, time: number): Session => ({
  startedAt: Math.min(startedAt, time),
  lastAt: Math.max(lastAt, time),
});

const endOf = ({ startedAt, lastAt }: Session): SessionEvent => ({
  subtype: 'session_end',
  time: lastAt,
  data: { durationSeconds: Math.round((lastAt - startedAt) / 1_000) },
});

const isSession = (value: unknown): value is Session =>
  typeof value === 'object' &&
  value !== null &&
  'startedAt' in value &&
  'lastAt' in value &&
  typeof value.startedAt === 'number' &&
  typeof value.lastAt === 'number' &&
  value.startedAt <= value.lastAt;
