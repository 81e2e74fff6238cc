import type { PictureContentType } from './types.js';
import { extensionOf } from './types.js';

/**
 * Keys in the object store, built only here, so that `api` and `worker` agree. Ids are UUIDs; no key contains user
 * input.
 */
export const objectKeys = {
  upload: (taskId: string): string => `uploads/${taskId}`,
  /** Folder of the received parts of a resumable upload. */
  uploadParts: (taskId: string): string => `upload-parts/${taskId}/`,
  /** @param offset of the part's first byte */
  uploadPart: (taskId: string, offset: number): string => `upload-parts/${taskId}/${String(offset).padStart(10, '0')}`,
  /** The original, moved here at `process`, where its upload URL can't write. */
  input: (taskId: string): string => `inputs/${taskId}`,
  /** See `Mask`. */
  mask: (taskId: string): string => `masks/${taskId}`,
  /** Results of a task, with a folder for each run. */
  results: (taskId: string): string => `results/${taskId}/`,
  run: (taskId: string, runId: string): string => `results/${taskId}/${runId}/`,
  /** The full-size lossless result without watermark; renditions are encoded from it. Never served. */
  master: (taskId: string, runId: string): string => `results/${taskId}/${runId}/master.png`,
  /** A small lossless copy before retouching, blur and color, for thumbnails of other models. */
  base: (taskId: string, runId: string): string => `results/${taskId}/${runId}/base.png`,
  changes: (taskId: string, runId: string): string => `results/${taskId}/${runId}/changes.webp`,
  kept: (taskId: string, runId: string, part: number): string => `results/${taskId}/${runId}/kept-${part}.bin`,
  look: (taskId: string, runId: string, look: number): string => `results/${taskId}/${runId}/look-${look}.jpg`,
  sharePreview: (taskId: string, runId: string): string => `results/${taskId}/${runId}/share-preview.jpg`,
  /** See `tiles` of `DownloadSpec`. */
  tiles: (taskId: string, runId: string): string => `results/${taskId}/${runId}/tiles.bin`,
  rendition: (taskId: string, runId: string, name: string, contentType: PictureContentType): string =>
    `results/${taskId}/${runId}/${name}.${extensionOf(contentType)}`,
  /** First frame of a video, as JPEG: of the original by `video.probe`, of the result by `video.enhance`. */
  videoPoster: (taskId: string, runId: string): string => `results/${taskId}/${runId}/poster.jpg`,
  videoThumbnail: (taskId: string, runId: string): string => `results/${taskId}/${runId}/thumbnail.jpg`,
  video: (taskId: string, runId: string): string => `results/${taskId}/${runId}/result.mp4`,
  /** A copy of the original that browsers play. */
  videoDisplayInput: (taskId: string, runId: string): string => `results/${taskId}/${runId}/display-input.mp4`,
  /** @param frame number of the frame in the video, so that a later preview has another key */
  videoPreview: (taskId: string, runId: string, frame: number, side: 'input' | 'output'): string =>
    `results/${taskId}/${runId}/preview-${frame}-${side}.jpg`,
  /** Stored last: a run whose report exists is finished and not repeated. */
  report: (taskId: string, runId: string): string => `results/${taskId}/${runId}/report.json`,
} as const;

const KEY = /^(?:[a-z0-9][a-z0-9._-]*\/)*[a-z0-9][a-z0-9._-]*\/?$/i;

/** True for plain names joined by slashes, none starting with a dot: the key can't leave the store's folder. */
export const isSafeObjectKey = (key: string): boolean => key.length <= 512 && KEY.test(key);
