import { type ImageContentType, type InvalidCode, inMilliseconds } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { AppError } from '../../platform/errors/app-error.js';
import { TasksRepository } from '../records/tasks.repository.js';

/** Limit of a request's duration, set in `createApp`. */
const LONGEST_UPLOAD_MS = inMilliseconds.minutes(30);

/** Tracks the upload of a task's file to the disk store. */
@Injectable()
export class TaskUploadsService {
  constructor(private readonly tasks: TasksRepository) {}

  /**
   * Notes that an upload has started, which stops the expiry of the task meanwhile.
   * @returns what the client declared about the file
   * @throws AppError `uploads.not_found`, `uploads.closed`
   */
  async begin(taskId: string): Promise<{ readonly sizeBytes: number | null; readonly sha256: string | null }> {
    const task = await this.tasks.find(taskId);
    if (!task) throw new AppError('uploads.not_found');
    const uploadExpiresAt = new Date(Date.now() + LONGEST_UPLOAD_MS);
    if (!(await this.tasks.updateUpload(taskId, { uploadExpiresAt }))) throw new AppError('uploads.closed');
    return { sizeBytes: task.declaredSizeBytes, sha256: task.sha256 };
  }

  /** Notes that the file was stored. False when the task no longer accepts uploads. */
  finish(taskId: string, file: { sizeBytes: number; contentType: ImageContentType }): Promise<boolean> {
    return this.tasks.updateUpload(taskId, { ...file, errorCode: null });
  }

  /** Notes that an upload was refused or interrupted. It may be repeated until the address expires. */
  async abort(taskId: string, addressExpiresAt: Date): Promise<void> {
    await this.tasks.updateUpload(taskId, { uploadExpiresAt: addressExpiresAt });
  }

  /** Stores why a file was refused, for the response of `process`. */
  async refuse(taskId: string, errorCode: InvalidCode): Promise<void> {
    await this.tasks.updateUpload(taskId, { errorCode });
  }
}
