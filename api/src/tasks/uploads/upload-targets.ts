import type { UploadTarget } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { type TaskRow, uploadLimitsOf } from '../records/task.entity.js';
import { ResumableAddress } from './resumable/resumable-address.js';
import { UploadsService } from './uploads.service.js';

/** Where a client sends the file of a new task. */
@Injectable()
export class UploadTargets {
  constructor(
    private readonly uploads: UploadsService,
    private readonly resumable: ResumableAddress,
  ) {}

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
