import { inMilliseconds } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { type DueWork, SchedulesWork, type WorkSource } from '../../platform/schedule/work.js';
import { UploadsService } from './uploads.service.js';

/** Tasks that wait for a file; `tasks_upload_expiry` is the index of it. */
const IS_WAITING = `status IN ('started', 'uploading') AND size_bytes IS NULL`;

/** Ends tasks whose upload address has expired without a file (decisions, section 8). */
@Injectable()
@SchedulesWork()
export class UploadExpiry implements WorkSource {
  readonly scheduledWork: readonly [DueWork];

  constructor(
    @InjectDataSource() private readonly database: DataSource,
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
          where: `${IS_WAITING} AND upload_expires_at <= now()`,
          orderBy: 'upload_expires_at',
        }),
        run: (taskId) => this.expire(taskId),
      },
    ];
  }

  /** A store that takes uploads itself does not report them: a file there ends the expiry, not the task. */
  private async expire(taskId: string): Promise<void> {
    const change = (await this.uploads.has(taskId))
      ? 'upload_expires_at = NULL'
      : `status = 'invalid', error_code = 'uploads.expired'`;
    await this.database.query(
      `UPDATE tasks SET ${change} WHERE id = $1 AND ${IS_WAITING} AND upload_expires_at <= now()`,
      [taskId],
    );
  }
}
