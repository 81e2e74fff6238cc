import type { SharedFile, TaskSharing } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { AppConfig } from '../platform/config/app.config.js';
import { TaskSharings } from '../tasks/task-sharings.js';
import { type SharingRow, SharingsRepository } from './sharings.repository.js';

@Injectable()
export class SharingLinks extends TaskSharings {
  constructor(
    private readonly repository: SharingsRepository,
    private readonly app: AppConfig,
  ) {
    super();
  }

  override async listLive(taskIds: readonly string[]): Promise<ReadonlyMap<string, TaskSharing>> {
    if (taskIds.length === 0) return new Map();
    const rows = await this.repository.listLive(taskIds);
    return new Map(rows.flatMap((row) => (row.taskId ? [[row.taskId, this.present(row)]] : [])));
  }

  present({ id, expiresAt }: Pick<SharingRow, 'id' | 'expiresAt'>): TaskSharing {
    return { sharingId: id, url: `${this.app.publicUrl}/s/${id}`, expiresAt: expiresAt.toISOString() };
  }

  fileUrl({ id }: Pick<SharingRow, 'id'>, file: SharedFile): string {
    return `${this.app.publicUrl}/media/shares/${id}/${file}`;
  }
}
