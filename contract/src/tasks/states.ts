import { z } from 'zod';

/**
 * The states of a task. `pristine` is a client's word for 'no task yet' and never leaves `api`;
 * `started` waits for bytes; `uploading` has received some or all; the rest say themselves.
 */
export const TASK_STATUSES = [
  'pristine',
  'started',
  'uploading',
  'processing',
  'reprocessing',
  'completed',
  'exported',
  'failed',
  'invalid',
  'cancelled',
] as const;
export const TaskStatus = z.enum(TASK_STATUSES);
export type TaskStatus = z.infer<typeof TaskStatus>;

/** Which state may follow which. What is not here cannot happen. */
export const TASK_TRANSITIONS: Readonly<Record<TaskStatus, readonly TaskStatus[]>> = {
  pristine: ['started'],
  started: ['uploading', 'processing', 'invalid', 'cancelled'],
  uploading: ['processing', 'invalid', 'cancelled'],
  processing: ['completed', 'failed', 'invalid', 'cancelled'],
  // A reprocess that fails or is cancelled goes back to the result that was there before.
  reprocessing: ['completed', 'exported', 'failed', 'cancelled'],
  completed: ['exported', 'reprocessing'],
  exported: ['reprocessing'],
  // The original is kept: it may be tried again.
  failed: ['reprocessing'],
  invalid: [],
  cancelled: [],
};

export const mayFollow = (from: TaskStatus, to: TaskStatus): boolean => TASK_TRANSITIONS[from].includes(to);

/** Nothing more happens by itself in these. */
export const FINAL_STATUSES: readonly TaskStatus[] = ['completed', 'exported', 'failed', 'invalid', 'cancelled'];
export const isFinal = (status: TaskStatus): boolean => FINAL_STATUSES.includes(status);

/** The worker has it, or is about to. */
export const RUNNING_STATUSES: readonly TaskStatus[] = ['processing', 'reprocessing'];
export const isRunning = (status: TaskStatus): boolean => RUNNING_STATUSES.includes(status);

/** There is a result to look at. */
export const hasResult = (status: TaskStatus): boolean => status === 'completed' || status === 'exported';

/** The state of an upload follows from its tasks': completed when all are final, else the furthest any has come. */
export function bulkStatusOf(statuses: readonly TaskStatus[]): TaskStatus {
  if (statuses.length > 0 && statuses.every(isFinal)) return 'completed';
  return (
    RUNNING_STATUSES.find((status) => statuses.includes(status)) ??
    (statuses.includes('uploading') ? 'uploading' : 'started')
  );
}
