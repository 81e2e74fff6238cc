import { z } from 'zod';

/** See the description of {@link TaskStatus}. */
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
export const TaskStatus = z.enum(TASK_STATUSES).meta({
  id: 'TaskStatus',
  examples: ['completed'],
  description:
    '`started` waits for bytes, `uploading` has received some or all, `processing` and `reprocessing` are queued or ' +
    'run. Final: `completed` has a result, `exported` a result whose clean file was paid for, `failed` and `invalid` ' +
    'an error code, `cancelled` neither. `pristine` is a client’s state before there is a task; no response has it.',
});
export type TaskStatus = z.infer<typeof TaskStatus>;

/** The statuses that `api` returns. */
export const StoredTaskStatus = TaskStatus.exclude(['pristine']);
export type StoredTaskStatus = z.infer<typeof StoredTaskStatus>;
export const STORED_TASK_STATUSES: readonly StoredTaskStatus[] = StoredTaskStatus.options;

const TASK_TRANSITIONS: Readonly<Record<TaskStatus, readonly TaskStatus[]>> = {
  pristine: ['started'],
  started: ['uploading', 'processing', 'invalid', 'cancelled'],
  uploading: ['processing', 'invalid', 'cancelled'],
  processing: ['completed', 'failed', 'invalid', 'cancelled'],
  // Failed or cancelled reprocessing reverts to the earlier result.
  reprocessing: ['completed', 'exported', 'failed', 'cancelled'],
  completed: ['exported', 'reprocessing'],
  exported: ['reprocessing'],
  // The original is kept for a retry.
  failed: ['reprocessing'],
  // An expired upload, with a new address.
  invalid: ['started'],
  cancelled: [],
};

/** Whether {@link TASK_TRANSITIONS} allow the change. */
export const canTransition = (from: TaskStatus, to: TaskStatus): boolean => TASK_TRANSITIONS[from].includes(to);

/** Only a request changes these: polling ends. */
export const FINAL_STATUSES: readonly TaskStatus[] = ['completed', 'exported', 'failed', 'invalid', 'cancelled'];
/** See {@link FINAL_STATUSES}. */
export const isFinal = (status: TaskStatus): boolean => FINAL_STATUSES.includes(status);

/** Queued or processed. */
const RUNNING_STATUSES: readonly TaskStatus[] = ['processing', 'reprocessing'];
/** See {@link RUNNING_STATUSES}. */
export const isRunning = (status: TaskStatus): boolean => RUNNING_STATUSES.includes(status);

/** A result can be shown, before (`completed`) or after (`exported`) its download was paid for. */
export const hasResult = (status: TaskStatus): boolean => status === 'completed' || status === 'exported';

/** Its original is kept: for a result, or for a retry. */
export const hasOriginal = (status: TaskStatus): boolean =>
  isRunning(status) || hasResult(status) || status === 'failed';

/** `completed` when all tasks are final, else the most advanced state of any. */
export function bulkStatusOf(statuses: readonly TaskStatus[]): TaskStatus {
  if (statuses.length > 0 && statuses.every(isFinal)) return 'completed';
  return (
    RUNNING_STATUSES.find((status) => statuses.includes(status)) ??
    (statuses.includes('uploading') ? 'uploading' : 'started')
  );
}
