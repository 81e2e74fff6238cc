import type { ImageContentType } from './types.js';
import { extensionOf } from './types.js';

/**
 * Where bytes lie in the object store. Keys are made only here, so that `api` and `worker` agree without knowing
 * each other. All ids are UUIDs; a key never contains anything a visitor typed.
 */
export const objectKeys = {
  /** What a visitor sent and nobody has looked at yet. */
  upload: (taskId: string): string => `uploads/${taskId}`,
  /** The original, claimed at `process`: an upload address that is used again cannot reach it. */
  input: (taskId: string): string => `inputs/${taskId}`,
  /** Everything about a task's results; one run of the pipeline has one folder in it. */
  results: (taskId: string): string => `results/${taskId}/`,
  run: (taskId: string, runId: string): string => `results/${taskId}/${runId}/`,
  /** The clean result in full, lossless, from which renditions are encoded when somebody may have them. Never served. */
  master: (taskId: string, runId: string): string => `results/${taskId}/${runId}/master.png`,
  /** A rendition that is served. */
  rendition: (taskId: string, runId: string, name: string, contentType: ImageContentType): string =>
    `results/${taskId}/${runId}/${name}.${extensionOf(contentType)}`,
  /** The run's report, stored last: where it is, the run is finished and is not done again. */
  report: (taskId: string, runId: string): string => `results/${taskId}/${runId}/report.json`,
} as const;

const KEY = /^(?:[a-z0-9][a-z0-9._-]*\/)*[a-z0-9][a-z0-9._-]*\/?$/i;

/** True for a key that cannot leave the store's folder: plain names joined by slashes, none beginning with a dot. */
export const isSafeObjectKey = (key: string): boolean => key.length <= 512 && KEY.test(key);
