import { randomUUID } from 'node:crypto';
import { inMilliseconds } from '@clearframe/contract';
import type { Caller } from '../sessions/caller.js';
import type { TaskRow } from '../tasks/task.entity.js';
import { putExpiry, resumableExpiryOf } from './uploads.service.js';

/** Retention of media (decisions, section 3). */
const RETENTION_MS = { guest: inMilliseconds.hours(24), account: inMilliseconds.days(30) } as const;

type Announced = Pick<
  TaskRow,
  | 'aiPipeline'
  | 'contentType'
  | 'declaredSizeBytes'
  | 'fileName'
  | 'jpegQuality'
  | 'keepLocation'
  | 'mediaType'
  | 'outputContentType'
  | 'position'
  | 'sha256'
  | 'video'
>;

export function newTaskRow(caller: Caller, bulkUploadId: string, announced: Announced): TaskRow {
  const now = new Date();
  const { declaredSizeBytes } = announced;
  const retentionMs = caller.isGuest ? RETENTION_MS.guest : RETENTION_MS.account;
  return {
    ...announced,
    id: randomUUID(),
    bulkUploadId,
    userId: caller.userId,
    status: 'started',
    originalSha256: null,
    sizeBytes: null,
    uploadExpiresAt: resumableExpiryOf({ declaredSizeBytes, createdAt: now }) ?? putExpiry(now),
    runId: null,
    rendition: null,
    processing: null,
    outputs: [],
    looks: null,
    errorCode: null,
    exportedAt: null,
    exportFormat: null,
    createdAt: now,
    expiresAt: new Date(now.getTime() + retentionMs),
  };
}
