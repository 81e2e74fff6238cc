import type { ImageContentType } from './types.js';
import { extensionOf } from './types.js';

/**
 * Keys in the object store, built only here, so that `api` and `worker` agree. All ids are UUIDs; a key never contains
 * user input.
 */
export const objectKeys = {
  /** An upload that has not been inspected yet. */
  upload: (taskId: string): string => `uploads/${taskId}`,
  /** The original, moved here at `process`, out of reach of the upload address. */
  input: (taskId: string): string => `inputs/${taskId}`,
  /** All results of a task, with a folder for each run. */
  results: (taskId: string): string => `results/${taskId}/`,
  run: (taskId: string, runId: string): string => `results/${taskId}/${runId}/`,
  /** The full-size lossless result without watermark, from which renditions are encoded. Never served. */
  master: (taskId: string, runId: string): string => `results/${taskId}/${runId}/master.png`,
  /** An encoded result. */
  rendition: (taskId: string, runId: string, name: string, contentType: ImageContentType): string =>
    `results/${taskId}/${runId}/${name}.${extensionOf(contentType)}`,
  /** The run's report, stored last: a run whose report exists is finished and not repeated. */
  report: (taskId: string, runId: string): string => `results/${taskId}/${runId}/report.json`,
} as const;

const KEY = /^(?:[a-z0-9][a-z0-9._-]*\/)*[a-z0-9][a-z0-9._-]*\/?$/i;

/** True for a key that can't leave the store's folder: plain names joined by slashes, none starting with a dot. */
export const isSafeObjectKey = (key: string): boolean => key.length <= 512 && KEY.test(key);
