import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';

export interface VideoFile {
  readonly sizeBytes: number;
  readonly seconds: number;
}

const dayOf = (moment: Date): string => moment.toISOString().slice(0, 'yyyy-mm-dd'.length);

@Injectable()
export class VideoUseRepository {
  constructor(@InjectDataSource() private readonly database: DataSource) {}

  async exists(manager: EntityManager, taskId: string): Promise<boolean> {
    const rows: unknown[] = await manager.query('SELECT FROM video_uses WHERE task_id = $1', [taskId]);
    return rows.length > 0;
  }

  async listWeek(userId: string, week: Date, manager: EntityManager = this.database.manager): Promise<VideoFile[]> {
    const rows: { size_bytes: string; seconds: number }[] = await manager.query(
      'SELECT size_bytes, seconds FROM video_uses WHERE user_id = $1 AND week = $2',
      [userId, dayOf(week)],
    );
    return rows.map(({ size_bytes, seconds }) => ({ sizeBytes: Number(size_bytes), seconds }));
  }

  async insert(
    manager: EntityManager,
    { taskId, userId, week, sizeBytes, seconds }: VideoFile & { taskId: string; userId: string; week: Date },
  ): Promise<void> {
    await manager.query(
      `INSERT INTO video_uses (task_id, user_id, week, size_bytes, seconds, is_kept, created_at)
       VALUES ($1, $2, $3, $4, $5, false, now())`,
      [taskId, userId, dayOf(week), sizeBytes, seconds],
    );
  }

  async commit(manager: EntityManager, taskId: string): Promise<void> {
    await manager.query('UPDATE video_uses SET is_kept = true WHERE task_id = $1', [taskId]);
  }

  async release(manager: EntityManager, taskId: string): Promise<void> {
    await manager.query('DELETE FROM video_uses WHERE task_id = $1 AND NOT is_kept', [taskId]);
  }
}
