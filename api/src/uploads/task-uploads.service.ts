import {
  type InvalidCode,
  type MediaContentType,
  type MediaType,
  TIME_LIMIT_MARGIN_MS,
  TIME_LIMITS,
} from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { AppError } from '../platform/errors/app-error.js';
import { TasksRepository } from '../tasks/tasks.repository.js';
import { resumableExpiryOf } from './uploads.service.js';

/** An upload ends with its request. */
const LONGEST_UPLOAD_MS = TIME_LIMITS.request.api + TIME_LIMIT_MARGIN_MS;

export interface BegunUpload {
  readonly mediaType: MediaType;
  readonly sizeBytes: number | null;
  readonly sha256: string | null;
  /** When the last address expires. */
  readonly expiresAt: Date;
}

const latest = (one: Date, other: Date | null): Date => (other && other > one ? other : one);

@Injectable()
export class TaskUploadsService {
  constructor(private readonly tasks: TasksRepository) {}

  async begin(taskId: string, addressExpiresAt: Date): Promise<BegunUpload> {
    const task = await this.tasks.find(taskId);
    if (!task) throw new AppError('uploads.not_found');
    const expiresAt = latest(addressExpiresAt, resumableExpiryOf(task));
    const uploadExpiresAt = latest(expiresAt, new Date(Date.now() + LONGEST_UPLOAD_MS));
    if (!(await this.tasks.updateUpload(taskId, { uploadExpiresAt }))) throw new AppError('uploads.closed');
    const { mediaType, declaredSizeBytes: sizeBytes, sha256 } = task;
    return { mediaType, sizeBytes, sha256, expiresAt };
  }

  /** False when the task no longer accepts uploads. */
  markUploading(taskId: string): Promise<boolean> {
    return this.tasks.updateUpload(taskId, {});
  }

  isOpen(taskId: string): Promise<boolean> {
    return this.tasks.acceptsUpload(taskId);
  }

  async cancel(taskId: string): Promise<void> {
    await this.tasks.cancelUpload(taskId);
  }

  /** False when the task no longer accepts uploads. */
  finish(taskId: string, file: { sizeBytes: number; contentType: MediaContentType }): Promise<boolean> {
    return this.tasks.updateUpload(taskId, { ...file, errorCode: null });
  }

  /** The upload may be repeated until its addresses expire. */
  async abort(taskId: string, { expiresAt }: BegunUpload): Promise<void> {
    await this.tasks.updateUpload(taskId, { uploadExpiresAt: expiresAt });
  }

  async recordRejection(taskId: string, errorCode: InvalidCode): Promise<void> {
    await this.tasks.updateUpload(taskId, { errorCode });
  }
}
