import type { UploadTarget } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { AppError } from '../platform/errors/app-error.js';
import type { Caller } from '../sessions/caller.js';
import { type TaskRow, uploadLimitsOf } from '../tasks/task.entity.js';
import { TasksRepository } from '../tasks/tasks.repository.js';
import { ResumableAddress } from './resumable-address.js';
import { putExpiry, UploadsService } from './uploads.service.js';

@Injectable()
export class UploadTargets {
  constructor(
    private readonly tasks: TasksRepository,
    private readonly uploads: UploadsService,
    private readonly resumable: ResumableAddress,
  ) {}

  /** @throws AppError `tasks.not_found`, `uploads.closed` */
  async renew(caller: Caller, taskId: string): Promise<UploadTarget> {
    await this.tasks.requireOwn(caller.userId, taskId);
    const isOpen = await this.tasks.reopenUpload(taskId, putExpiry(new Date()));
    const row = await this.tasks.findOwn(caller.userId, taskId);
    if (!row || !isOpen) throw new AppError('uploads.closed');
    return this.of(row);
  }

  async of(row: TaskRow): Promise<UploadTarget> {
    const { id, contentType, declaredSizeBytes: sizeBytes, sha256 } = row;
    const { maxBytes } = uploadLimitsOf(row);
    const { url, headers } = await this.uploads.target(id, contentType, { maxBytes, sizeBytes, sha256 });
    return {
      taskId: id,
      status: row.status,
      uploadUrl: url,
      uploadHeaders: { ...headers },
      resumableUrl: this.resumable.of(row),
    };
  }
}
