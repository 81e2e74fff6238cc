import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { Column, DataSource, Entity, type EntityManager, PrimaryColumn } from 'typeorm';
import { AppError } from '../platform/errors/app-error.js';
import { isVideo, TaskRow } from './task.entity.js';

/** Its status follows from its tasks. */
@Entity('bulk_uploads')
export class BulkUploadRow {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  userId!: string;

  @Column('timestamptz')
  createdAt!: Date;
}

@Injectable()
export class BulkUploadsRepository {
  constructor(@InjectDataSource() private readonly database: DataSource) {}

  /** @throws AppError `bulk_uploads.not_found`, also for that of a video, which has routes of its own */
  async requireOwn(userId: string, id: string): Promise<void> {
    const isOwn = await this.database.manager.existsBy(BulkUploadRow, { id, userId });
    if (!isOwn || (await this.database.manager.existsBy(TaskRow, { bulkUploadId: id, mediaType: 'video' })))
      throw new AppError('bulk_uploads.not_found');
  }

  async insert(manager: EntityManager, row: BulkUploadRow): Promise<void> {
    await manager.insert(BulkUploadRow, row);
  }

  async lock(
    manager: EntityManager,
    userId: string,
    id: string,
  ): Promise<{ readonly bulk: BulkUploadRow; readonly tasks: TaskRow[] }> {
    const bulk = await manager.findOne(BulkUploadRow, { where: { id, userId }, lock: { mode: 'pessimistic_write' } });
    if (!bulk) throw new AppError('bulk_uploads.not_found');
    const tasks = await manager.find(TaskRow, {
      where: { bulkUploadId: id },
      order: { position: 'ASC' },
      lock: { mode: 'pessimistic_write' },
    });
    if (tasks.some(isVideo)) throw new AppError('bulk_uploads.not_found');
    return { bulk, tasks };
  }

  async ownersAmong(manager: EntityManager, userIds: readonly string[]): Promise<string[]> {
    const rows: { user_id: string }[] = await manager.query(
      'SELECT DISTINCT user_id FROM bulk_uploads WHERE user_id = ANY($1)',
      [userIds],
    );
    return rows.map((row) => row.user_id);
  }
}
