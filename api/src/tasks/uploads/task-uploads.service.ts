import { type ImageContentType, type InvalidCode, inMilliseconds } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { AppError } from '../../platform/errors/app-error.js';
import { TasksRepository } from '../records/tasks.repository.js';

/** Limit of a request's duration, set in `createApp`. */
const LONGEST_UPLOAD_MS = inMilliseconds.minutes(30);

@Injectable()
export class TaskUploadsService {
  constructor(private readonly tasks: TasksRepository) {}

  /**
   * Postpones the task's expiry during the upload. Returns the client's declarations.
   * @throws AppError `uploads.not_found`, `uploads.closed`
   */
  async begin(taskId: string): Promise<{ readonly sizeBytes: number | null; readonly sha256: string | null }> {
    const task = await this.tasks.find(taskId);
    if (!task) throw new AppError('uploads.not_found');
    const uploadExpiresAt = new Date(Date.now() + LONGEST_UPLOAD_MS);
    if (!(await this.tasks.updateUpload(taskId, { uploadExpiresAt }))) throw new AppError('uploads.closed');
    return { sizeBytes: task.declaredSizeBytes, sha256: task.sha256 };
  }

  /** False when the task no longer accepts uploads. */
  finish(taskId: string, file: { sizeBytes: number; contentType: ImageContentType }): Promise<boolean> {
    return this.tasks.updateUpload(taskId, { ...file, errorCode: null });
  }

  /** The upload may be repeated until the address expires. */
  async abort(taskId: string, addressExpiresAt: Date): Promise<void> {
    await this.tasks.updateUpload(taskId, { uploadExpiresAt: addressExpiresAt });
  }

  /** For the response of `process`. */
  async recordRejection(taskId: string, errorCode: InvalidCode): Promise<void> {
    await this.tasks.updateUpload(taskId, { errorCode });
  }
}
