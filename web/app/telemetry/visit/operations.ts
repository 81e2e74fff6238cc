import type { OperationStep } from '@clearframe/contract';

export interface OperationWarning {
  readonly warning: 'started_twice' | 'not_started';
  readonly kind: string;
  readonly step: OperationStep;
}

/** Running operations. Of this page only: a login that leaves the page is started again by the page it returns to. */
const running = new Set<string>();

/** Records a step of an operation; returns a warning when it is out of order (spec 1, section 8). */
export function recordOperation(kind: string, data: object): OperationWarning | null {
  if (!('operation' in data)) return null;
  const step = data.operation as OperationStep;
  if (step === 'started') {
    if (running.has(kind)) return { warning: 'started_twice', kind, step };
    running.add(kind);
    return null;
  }
  return running.delete(kind) ? null : { warning: 'not_started', kind, step };
}
