import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { type ExportedData, HoldsPersonalData, type PersonalData } from '../platform/personal-data.js';

export interface ForcedSegment {
  readonly experimentId: string;
  readonly segmentId: string | null;
}

interface Dated {
  readonly createdAt: Date;
}

/** Local storage ids of users, oldest first, and the segments forced for them. */
@Injectable()
@HoldsPersonalData(['localStorageIds', 'forcedSegments'])
export class VisitorsRepository implements PersonalData<'localStorageIds' | 'forcedSegments'> {
  constructor(@InjectDataSource() private readonly database: DataSource) {}

  async idsOf(userId: string, manager: EntityManager = this.database.manager): Promise<string[]> {
    const rows: { id: string }[] = await manager.query(
      'SELECT local_storage_id AS id FROM local_storage_ids WHERE user_id = $1 ORDER BY position',
      [userId],
    );
    return rows.map(({ id }) => id);
  }

  /** Does nothing for a user who has been deleted. */
  async add(userId: string, localStorageId: string): Promise<void> {
    await this.database.query(
      `INSERT INTO local_storage_ids (user_id, local_storage_id, created_at)
       SELECT id, $2, now() FROM users WHERE id = $1 ON CONFLICT DO NOTHING`,
      [userId, localStorageId],
    );
  }

  forcedFor(localStorageId: string): Promise<ForcedSegment[]> {
    return this.database.query(
      `SELECT experiment_id AS "experimentId", segment_id AS "segmentId" FROM forced_segments
       WHERE local_storage_id = $1`,
      [localStorageId],
    );
  }

  async force(manager: EntityManager, localStorageId: string, { experimentId, segmentId }: ForcedSegment) {
    await manager.query(
      `INSERT INTO forced_segments (local_storage_id, experiment_id, segment_id, created_at) VALUES ($1, $2, $3, now())
       ON CONFLICT (local_storage_id, experiment_id)
       DO UPDATE SET segment_id = excluded.segment_id, created_at = excluded.created_at`,
      [localStorageId, experimentId, segmentId],
    );
  }

  async unforceAll(manager: EntityManager, experimentId: string): Promise<void> {
    await manager.query('DELETE FROM forced_segments WHERE experiment_id = $1', [experimentId]);
  }

  /** Adds a guest's ids after the account's own, so that the account keeps its segments, except forced ones. */
  async move(manager: EntityManager, from: string, to: string): Promise<void> {
    const [[source], [target]] = [await this.idsOf(from, manager), await this.idsOf(to, manager)];
    if (source === undefined) return;
    await manager.query(
      `INSERT INTO local_storage_ids (user_id, local_storage_id, created_at)
       SELECT $2, local_storage_id, created_at FROM local_storage_ids WHERE user_id = $1 ORDER BY position
       ON CONFLICT DO NOTHING`,
      [from, to],
    );
    await manager.query('DELETE FROM local_storage_ids WHERE user_id = $1', [from]);
    if (target === undefined || target === source) return;
    await manager.query(
      `INSERT INTO forced_segments (local_storage_id, experiment_id, segment_id, created_at)
       SELECT $2, experiment_id, segment_id, created_at FROM forced_segments WHERE local_storage_id = $1
       ON CONFLICT (local_storage_id, experiment_id)
       DO UPDATE SET segment_id = excluded.segment_id, created_at = excluded.created_at
       WHERE forced_segments.created_at < excluded.created_at`,
      [source, target],
    );
  }

  async export(userId: string): Promise<Pick<ExportedData, 'localStorageIds' | 'forcedSegments'>> {
    const [ids, forced] = await Promise.all([this.listIds(userId), this.listForced(userId)]);
    const dated = <Row extends Dated>(row: Row) => ({ ...row, createdAt: row.createdAt.toISOString() });
    return { localStorageIds: ids.map(dated), forcedSegments: forced.map(dated) };
  }

  private listIds(userId: string): Promise<(Dated & { readonly localStorageId: string })[]> {
    return this.database.query(
      `SELECT local_storage_id AS "localStorageId", created_at AS "createdAt" FROM local_storage_ids
       WHERE user_id = $1 ORDER BY position`,
      [userId],
    );
  }

  private listForced(userId: string): Promise<(Dated & ForcedSegment)[]> {
    return this.database.query(
      `SELECT DISTINCT ON (experiment_id) experiment_id AS "experimentId", segment_id AS "segmentId",
         forced_segments.created_at AS "createdAt"
       FROM forced_segments JOIN local_storage_ids USING (local_storage_id)
       WHERE user_id = $1 ORDER BY experiment_id, forced_segments.created_at DESC`,
      [userId],
    );
  }

  erase(userId: string): Promise<void> {
    return this.eraseWithAccount(this.database.manager, userId);
  }

  async eraseWithAccount(manager: EntityManager, userId: string): Promise<void> {
    await manager.query(
      `DELETE FROM forced_segments USING local_storage_ids
       WHERE forced_segments.local_storage_id = local_storage_ids.local_storage_id AND user_id = $1`,
      [userId],
    );
    await manager.query('DELETE FROM local_storage_ids WHERE user_id = $1', [userId]);
  }
}
