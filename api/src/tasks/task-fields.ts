import { extensionOf, hasResult, isRunning, type PictureContentType, type Task } from '@clearframe/contract';
import type { RunProgress } from '../runs/run-progress.repository.js';
import type { TaskRow } from './task.entity.js';

type StateFields = Pick<
  Task,
  | 'status'
  | 'progress'
  | 'fileProgress'
  | 'queueWaitNum'
  | 'remainingSeconds'
  | 'outputUpload'
  | 'errorCode'
  | 'createdAt'
  | 'expiresAt'
>;

export const runOf = (
  { runId, status }: TaskRow,
  progress: ReadonlyMap<string, RunProgress>,
): RunProgress | undefined => (runId && isRunning(status) ? progress.get(runId) : undefined);

/** How far a picture or video is, in every resource that shows it. */
export const stateFields = (row: TaskRow, run: RunProgress | undefined): StateFields => ({
  status: row.status,
  progress: hasResult(row.status) ? 1 : (run?.progress ?? 0),
  fileProgress: row.sizeBytes === null ? 0 : 1,
  queueWaitNum: run?.place ?? null,
  remainingSeconds: run?.remainingSeconds ?? null,
  outputUpload: row.outputUpload,
  errorCode: row.errorCode,
  createdAt: row.createdAt.toISOString(),
  expiresAt: row.expiresAt.toISOString(),
});

/** @param isUnlocked the download is paid for or reserved */
export const taskFields = (row: TaskRow, run: RunProgress | undefined, isUnlocked: boolean) => ({
  taskId: row.id,
  bulkUploadId: row.bulkUploadId,
  aiPipeline: row.aiPipeline,
  isTest: row.isTest,
  isExported: row.exportedAt !== null,
  exportState: exportStateOf(row, isUnlocked),
  ...stateFields(row, run),
});

function exportStateOf({ exportedAt }: TaskRow, isUnlocked: boolean): Task['exportState'] {
  if (exportedAt) return 'ready';
  return isUnlocked ? 'preparing' : 'none';
}

export const fileFields = ({ fileName, sizeBytes, originalSha256: sha256 }: TaskRow) => ({
  fileName,
  sizeBytes,
  sha256,
});

const DEFAULT_NAMES = { image: 'picture', video: 'video' } as const;

const stemOf = ({ fileName, mediaType }: Pick<TaskRow, 'fileName' | 'mediaType'>): string =>
  `${fileName?.replace(/\.[^.]{1,5}$/, '') || DEFAULT_NAMES[mediaType]}-clearframe`;

/** `IMG_1.HEIC` → `IMG_1-clearframe.jpg`. */
export const downloadNameOf = (fileName: string | null, contentType: PictureContentType): string =>
  `${stemOf({ fileName, mediaType: 'image' })}.${extensionOf(contentType)}`;

/** `clip.mov` → `clip-clearframe.mp4`. */
export const videoNameOf = ({ fileName }: Pick<TaskRow, 'fileName'>): string =>
  `${stemOf({ fileName, mediaType: 'video' })}.mp4`;

const MEDIA_NAMES = {
  image: /\.(?:jpe?g|jfif|png|tiff?|webp|psd|hei[cf]|avif)$/i,
  video: /\.(?:mp4|m4v|mov|qt)$/i,
} as const;

/** Only names with an extension of their kind are kept: an upload named `me.html` must not be saved as a page. */
export const originalNameOf = ({ fileName, mediaType, contentType }: TaskRow): string =>
  fileName && MEDIA_NAMES[mediaType].test(fileName)
    ? fileName
    : `${fileName ?? DEFAULT_NAMES[mediaType]}.${extensionOf(contentType)}`;
