import { inMilliseconds } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { type DueWork, SchedulesWork, type WorkSource } from '../platform/schedule/work.js';
import { AWAITS_FILE, TasksRepository } from '../tasks/tasks.repository.js';
import { UploadsService } from './uploads.service.js';

@Injectable()
@SchedulesWork()
export class UploadExpiry implements WorkSource {
  readonly scheduledWork: readonly [DueWork];

  constructor(
    private readonly tasks: TasksRepository,
    private readonly uploads: UploadsService,
  ) {
    this.scheduledWork = [
      {
        kind: 'uploads.expire',
        everyMs: inMilliseconds.seconds(10),
        timeoutMs: inMilliseconds.seconds(10),
        backoff: { firstMs: inMilliseconds.seconds(5), maxMs: inMilliseconds.minutes(10) },
        maxAttempts: 20,
        due: () => ({
          table: 'tasks',
          subject: 'id',
          where: `${AWAITS_FILE} AND upload_expires_at <= now()`,
          orderBy: 'upload_expires_at',
        }),
        run: (taskId) => this.expire(taskId),
      },
    ];
  }

  /** S3 does not report uploads: a file in the store ends the expiry instead of the task. */
  private async expire(taskId: string): Promise<void> {
    if (await this.uploads.has(taskId)) {
      await this.tasks.clearUploadExpiry(taskId);
      return;
    }
    // First, so that an interrupted expiry is repeated.
    await this.uploads.discard(taskId);
    await this.tasks.expireUpload(taskId);
  }
}
