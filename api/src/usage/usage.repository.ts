import type { MediaType, ToolName } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import type { ExportedData } from '../platform/personal-data.js';

/** A picture or video that a key had enhanced. Deleted when its run fails. */
export interface UsageRow {
  readonly runId: string;
  readonly userId: string;
  /** Null for a test picture that its owner enhanced again without a key. */
  readonly keyId: string | null;
  readonly isTest: boolean;
  readonly mediaType: MediaType;
  readonly tools: readonly ToolName[];
  readonly acceptedAt: Date;
}

type ReleasedRow = Pick<UsageRow, 'userId' | 'keyId' | 'isTest' | 'acceptedAt'>;

const dayOf = (moment: Date): string => moment.toISOString().slice(0, 10);

/** Methods that take a manager run in its transaction. Days and months are those of UTC. */
@Injectable()
export class UsageRepository {
  constructor(@InjectDataSource() private readonly database: DataSource) {}

  /** Makes a revocation wait for the transaction. False for a revoked key. */
  async holdKey(manager: EntityManager, keyId: string): Promise<boolean> {
    const rows: unknown[] = await manager.query(
      'SELECT id FROM plugin_keys WHERE id = $1 AND revoked_at IS NULL FOR SHARE',
      [keyId],
    );
    return rows.length > 0;
  }

  async insert(manager: EntityManager, row: UsageRow): Promise<void> {
    await manager.query(
      `INSERT INTO key_usage (run_id, user_id, key_id, is_test, media_type, tools, accepted_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7)`,
      [row.runId, row.userId, row.keyId, row.isTest, row.mediaType, row.tools, row.acceptedAt],
    );
  }

  /** Null when the run was not counted, or was released before. */
  async delete(manager: EntityManager, runId: string): Promise<ReleasedRow | null> {
    const [[row]]: [ReleasedRow[], number] = await manager.query(
      `DELETE FROM key_usage WHERE run_id = $1
       RETURNING user_id AS "userId", key_id AS "keyId", is_test AS "isTest", accepted_at AS "acceptedAt"`,
      [runId],
    );
    return row ?? null;
  }

  async replaceRun(manager: EntityManager, runId: string, next: string): Promise<void> {
    await manager.query('UPDATE key_usage SET run_id = $2 WHERE run_id = $1', [runId, next]);
  }

  /** One picture of a day's allowance for test keys. False when `limit` have been taken. */
  async takeTestPicture(manager: EntityManager, userId: string, at: Date, limit: number): Promise<boolean> {
    const rows: unknown[] = await manager.query(
      `INSERT INTO test_days AS d (user_id, day, used) VALUES ($1, $2, 1)
       ON CONFLICT (user_id, day) DO UPDATE SET used = d.used + 1 WHERE d.used < $3 RETURNING used`,
      [userId, dayOf(at), limit],
    );
    return rows.length > 0;
  }

  async returnTestPicture(manager: EntityManager, userId: string, at: Date): Promise<void> {
    await manager.query('UPDATE test_days SET used = used - 1 WHERE user_id = $1 AND day = $2 AND used > 0', [
      userId,
      dayOf(at),
    ]);
  }

  async isStarted(manager: EntityManager, runId: string): Promise<boolean> {
    const [row]: { started: boolean }[] = await manager.query(
      'SELECT started_at IS NOT NULL AS started FROM runs WHERE id = $1',
      [runId],
    );
    return row?.started ?? false;
  }

  listDays(userId: string): Promise<ExportedData['keyUsage']> {
    return this.database.query(
      `SELECT to_char(u.accepted_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, k.prefix, u.is_test AS "isTest",
         count(*) FILTER (WHERE u.media_type = 'image')::int AS pictures,
         count(*) FILTER (WHERE u.media_type = 'video')::int AS videos
       FROM key_usage u LEFT JOIN plugin_keys k ON k.id = u.key_id WHERE u.user_id = $1
       GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`,
      [userId],
    );
  }

  /** Tasks whose runs for the key no worker has taken. */
  async listWaiting(keyId: string): Promise<string[]> {
    const rows: { subject_id: string }[] = await this.database.query(
      `SELECT r.subject_id FROM key_usage u JOIN runs r ON r.id = u.run_id
       WHERE u.key_id = $1 AND r.status = 'waiting' ORDER BY r.created_at DESC`,
      [keyId],
    );
    return rows.map((row) => row.subject_id);
  }
}
