import type { OperationStep } from '@clearframe/contract';

interface OperationWarning {
  readonly warning: 'started_twice' | 'not_started';
  readonly kind: string;
  readonly step: OperationStep;
}

interface RecordedStep {
  /** The step is out of order (spec 1, section 8). */
  readonly warning: OperationWarning | null;
  /** Of an operation that ends. */
  readonly durationMs: number | null;
}

/** Unix times at which running operations began, null where unknown. The server tracks those that leave the page. */
const running = new Map<string, number | null>();

const nameOf = (kind: string, key: string): string => `${kind} ${key}`;

/** Makes an operation known that may have started on an earlier page. */
export function resumeOperation(kind: string, key: string): void {
  const name = nameOf(kind, key);
  if (!running.has(name)) running.set(name, null);
}

/**
 * Records a step of an operation.
 * @param key tells apart operations that run at the same time, such as uploads
 * @param time Unix time in milliseconds
 */
export function recordOperation(kind: string, data: object, time: number, key = ''): RecordedStep {
  if (!('operation' in data)) return { warning: null, durationMs: null };
  const step = data.operation as OperationStep;
  const name = nameOf(kind, key);
  const startedAt = running.get(name);
  if (step === 'started') {
    if (startedAt === undefined) running.set(name, time);
    return { warning: startedAt === undefined ? null : { warning: 'started_twice', kind, step }, durationMs: null };
  }
  running.delete(name);
  return startedAt === undefined
    ? { warning: { warning: 'not_started', kind, step }, durationMs: null }
    : { warning: null, durationMs: startedAt === null ? null : Math.max(0, time - startedAt) };
}
