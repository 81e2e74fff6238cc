import { type InvalidCode, inMilliseconds } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, In } from 'typeorm';
import { AppError } from '../../platform/errors/app-error.js';
import { TaskRow } from '../records/task.entity.js';
import { type PromisedUpload, type ReceivedUpload, UploadTasks } from './upload-tasks.js';

/** As long as a request may take. */
const LONGEST_UPLOAD_MS = inMilliseconds.minutes(30);

/** What the uploads need of tasks. */
@Injectable()
export class TaskUploadsService implements UploadTasks {
  constructor(@InjectDataSource() private readonly database: DataSource) {}

  async beginUpload(taskId: string): Promise<PromisedUpload> {
    const { manager } = this.database;
    const task = await manager.findOneBy(TaskRow, { id: taskId });
    if (!task) throw new AppError('uploads.not_found');
    const uploadExpiresAt = new Date(Date.now() + LONGEST_UPLOAD_MS);
    if (!(await this.updateOpen(taskId, { uploadExpiresAt }))) throw new AppError('uploads.closed');
    return { sizeBytes: task.declaredSizeBytes, sha256: task.sha256 };
  }

  async finishUpload(taskId: string, { sizeBytes, contentType }: ReceivedUpload): Promise<boolean> {
    return this.updateOpen(taskId, { sizeBytes, contentType, errorCode: null });
  }

  async abortUpload(taskId: string, addressExpiresAt: Date): Promise<void> {
    await this.updateOpen(taskId, { uploadExpiresAt: addressExpiresAt });
  }

  async refuseUpload(taskId: string, errorCode: InvalidCode): Promise<void> {
    await this.updateOpen(taskId, { errorCode });
  }

  /** Changes a task that still takes bytes. False when it no longer does. */
  private async updateOpen(
    taskId: string,
    change: Pick<Partial<TaskRow>, 'sizeBytes' | 'contentType' | 'errorCode' | 'uploadExpiresAt'>,
  ): Promise<boolean> {
    const { affected } = await this.database.manager.update(
      TaskRow,
      { id: taskId, status: In(['started', 'uploading']) },
      { status: 'uploading', ...change },
    );
    return affected === 1;
  }
}
