import { type KeyKind, type MediaType, TOOL_ORDER, type ToolName, type UsageRow } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import type { ExportedData } from '../platform/personal-data.js';
import { dayOf, monthOf } from './utc.js';

/** A run that a key has started and that has not ended. */
export interface KeyRun {
  readonly runId: string;
  readonly userId: string;
  /** Null for a test picture that its owner enhanced again without a key. */
  readonly keyId: string | null;
  readonly isTest: boolean;
  readonly mediaType: MediaType;
  readonly acceptedAt: Date;
}

export type EndedRun = Omit<KeyRun, 'runId'>;

export interface HeldKey {
  readonly userId: string;
  readonly keyId: string;
  readonly name: string | null;
  readonly prefix: string;
  /** Null: no limit of its own. */
  readonly perMonth: number | null;
}

export interface MonthCount {
  readonly used: number;
  /** The highest part of the limit, in percent, that the owner has been told of. */
  readonly told: number;
}

/** What is added to a key's day. */
export type DayCounts = Pick<UsageRow, 'pictures' | 'videos' | 'failed'> & {
  readonly pixels: number;
  readonly tools: readonly ToolName[];
};

/** Of a row `d` of `key_days`; days before the counting of tools have none. */
const COUNTS = `d.pictures, d.videos, (d.pixels / 1e6)::float8 AS megapixels, d.failed, (
  SELECT jsonb_object_agg(tool, coalesce((d.tools->>tool)::int, 0)) FROM unnest('{${TOOL_ORDER.join()}}'::text[]) tool
) AS tools`;

export interface UsageFilter {
  readonly userId: string;
  readonly from: string;
  readonly to: string;
  readonly kind: KeyKind | null;
  readonly keyId: string | null;
  /** The last row of the page before. */
  readonly after: Pick<UsageRow, 'day' | 'keyId'> | null;
  readonly limit: number;
}

/** Methods that take a manager run in its transaction. Days are those of UTC. */
@Injectable()
export class UsageRepository {
  constructor(@InjectDataSource() private readonly database: DataSource) {}

  /** Makes a revocation and a change wait for the transaction. Null for a revoked key. */
  async holdKey(manager: EntityManager, keyId: string): Promise<HeldKey | null> {
    const [key]: HeldKey[] = await manager.query(
      `SELECT user_id AS "userId", id AS "keyId", name, prefix, per_month AS "perMonth" FROM plugin_keys
       WHERE id = $1 AND revoked_at IS NULL FOR SHARE`,
      [keyId],
    );
    return key ?? null;
  }

  /** A revoked one, too. */
  async hasKey(userId: string, keyId: string, kind: KeyKind | null): Promise<boolean> {
    const rows: unknown[] = await this.database.query(
      'SELECT FROM plugin_keys WHERE user_id = $1 AND id = $2 AND ($3::text IS NULL OR kind = $3)',
      [userId, keyId, kind],
    );
    return rows.length > 0;
  }

  async insert(manager: EntityManager, runs: readonly KeyRun[]): Promise<void> {
    await manager.query(
      `INSERT INTO key_runs (run_id, user_id, key_id, is_test, media_type, accepted_at)
       SELECT "runId", "userId", "keyId", "isTest", "mediaType", "acceptedAt" FROM jsonb_to_recordset($1) AS
         runs("runId" uuid, "userId" uuid, "keyId" uuid, "isTest" boolean, "mediaType" text, "acceptedAt" timestamptz)`,
      [JSON.stringify(runs)],
    );
  }

  /** Null for a run of no key, and for one that has ended before. */
  async end(manager: EntityManager, runId: string): Promise<EndedRun | null> {
    const [[row]]: [EndedRun[], number] = await manager.query(
      `DELETE FROM key_runs WHERE run_id = $1
       RETURNING user_id AS "userId", key_id AS "keyId", is_test AS "isTest", media_type AS "mediaType",
         accepted_at AS "acceptedAt"`,
      [runId],
    );
    return row ?? null;
  }

  async replaceRun(manager: EntityManager, runId: string, next: string): Promise<void> {
    await manager.query('UPDATE key_runs SET run_id = $2 WHERE run_id = $1', [runId, next]);
  }

  async addToDay(
    manager: EntityManager,
    { userId, keyId }: Pick<EndedRun, 'userId' | 'keyId'>,
    at: Date,
    counts: DayCounts,
  ): Promise<void> {
    await manager.query(
      `INSERT INTO key_days AS d (user_id, day, key_id, pictures, videos, pixels, failed, tools)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
       ON CONFLICT (user_id, day, key_id) DO UPDATE SET pictures = d.pictures + excluded.pictures,
         videos = d.videos + excluded.videos, pixels = d.pixels + excluded.pixels, failed = d.failed + excluded.failed,
         tools = d.tools || coalesce((
           SELECT jsonb_object_agg(tool, coalesce((d.tools->>tool)::int, 0) + 1) FROM jsonb_object_keys(excluded.tools) tool
         ), '{}')`,
      [
        ...[userId, dayOf(at), keyId, counts.pictures, counts.videos, counts.pixels, counts.failed],
        JSON.stringify(Object.fromEntries(counts.tools.map((tool) => [tool, 1]))),
      ],
    );
  }

  /** By day, then by key. */
  list({ userId, from, to, kind, keyId, after, limit }: UsageFilter): Promise<UsageRow[]> {
    return this.database.query(
      `SELECT to_char(d.day, 'YYYY-MM-DD') AS day, d.key_id AS "keyId", k.kind = 'test' AS "isTest", ${COUNTS}
       FROM key_days d JOIN plugin_keys k ON k.id = d.key_id
       WHERE d.user_id = $1 AND d.day BETWEEN $2 AND $3 AND ($4::text IS NULL OR k.kind = $4)
         AND ($5::uuid IS NULL OR d.key_id = $5) AND ($6::date IS NULL OR (d.day, d.key_id) > ($6, $7::uuid))
       ORDER BY d.day, d.key_id LIMIT $8`,
      [userId, from, to, kind, keyId, after?.day ?? null, after?.keyId ?? null, limit],
    );
  }

  /** Pictures of a day's allowance for test keys. False, without taking any, when fewer are left. */
  async takeTestPictures(
    manager: EntityManager,
    userId: string,
    { count, at, limit }: { readonly count: number; readonly at: Date; readonly limit: number },
  ): Promise<boolean> {
    const rows: unknown[] = await manager.query(
      `INSERT INTO test_days AS d (user_id, day, used) SELECT $1, $2, $3 WHERE $3::int <= $4::int
       ON CONFLICT (user_id, day) DO UPDATE SET used = d.used + $3 WHERE d.used + $3 <= $4 RETURNING used`,
      [userId, dayOf(at), count, limit],
    );
    return rows.length > 0;
  }

  async returnTestPicture(manager: EntityManager, userId: string, at: Date): Promise<void> {
    await manager.query('UPDATE test_days SET used = used - 1 WHERE user_id = $1 AND day = $2 AND used > 0', [
      userId,
      dayOf(at),
    ]);
  }

  /** Pictures or videos of a key's month. Null, without taking any, when fewer are left. */
  async takeOfMonth(
    manager: EntityManager,
    { userId, keyId, perMonth }: HeldKey,
    count: number,
    at: Date,
  ): Promise<MonthCount | null> {
    const [month]: MonthCount[] = await manager.query(
      `INSERT INTO key_months AS m (user_id, key_id, month, used)
       SELECT $1, $2, $3, $4 WHERE $5::int IS NULL OR $4::int <= $5
       ON CONFLICT (user_id, key_id, month) DO UPDATE SET used = m.used + $4 WHERE $5 IS NULL OR m.used + $4 <= $5
       RETURNING used, told`,
      [userId, keyId, monthOf(at), count, perMonth],
    );
    return month ?? null;
  }

  async setTold(manager: EntityManager, { userId, keyId }: HeldKey, at: Date, percent: number): Promise<void> {
    await manager.query('UPDATE key_months SET told = $4 WHERE user_id = $1 AND key_id = $2 AND month = $3', [
      userId,
      keyId,
      monthOf(at),
      percent,
    ]);
  }

  async returnToMonth(manager: EntityManager, userId: string, keyId: string, at: Date): Promise<void> {
    await manager.query(
      'UPDATE key_months SET used = used - 1 WHERE user_id = $1 AND key_id = $2 AND month = $3 AND used > 0',
      [userId, keyId, monthOf(at)],
    );
  }

  async isStarted(manager: EntityManager, runId: string): Promise<boolean> {
    const [row]: { started: boolean }[] = await manager.query(
      'SELECT started_at IS NOT NULL AS started FROM runs WHERE id = $1',
      [runId],
    );
    return row?.started ?? false;
  }

  listAll(userId: string): Promise<ExportedData['keyUsage']> {
    return this.database.query(
      `SELECT to_char(d.day, 'YYYY-MM-DD') AS day, k.prefix, k.kind = 'test' AS "isTest", ${COUNTS}
       FROM key_days d JOIN plugin_keys k ON k.id = d.key_id WHERE d.user_id = $1 ORDER BY d.day, d.key_id`,
      [userId],
    );
  }

  /** Tasks whose runs for the key no worker has taken. */
  async listWaiting(keyId: string): Promise<string[]> {
    const rows: { subject_id: string }[] = await this.database.query(
      `SELECT r.subject_id FROM key_runs k JOIN runs r ON r.id = k.run_id
       WHERE k.key_id = $1 AND r.status = 'waiting' ORDER BY r.created_at DESC`,
      [keyId],
    );
    return rows.map((row) => row.subject_id);
  }
}
