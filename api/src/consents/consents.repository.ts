import { randomUUID } from 'node:crypto';
import type { ConsentKind } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { type ExportedData, HoldsPersonalData, type PersonalData } from '../platform/personal-data.js';

export interface ConsentChange {
  readonly kind: ConsentKind;
  readonly isGranted: boolean;
  /** Null where the client did not say. */
  readonly requestUrl: string | null;
  readonly createdAt: Date;
}

const COLUMNS = 'kind, is_granted AS "isGranted", request_url AS "requestUrl", created_at AS "createdAt"';

@Injectable()
@HoldsPersonalData(['consents'])
export class ConsentsRepository implements PersonalData<'consents'> {
  constructor(@InjectDataSource() private readonly database: DataSource) {}

  async findNewest(manager: EntityManager, userId: string, kind: ConsentKind): Promise<ConsentChange | null> {
    const [newest]: ConsentChange[] = await manager.query(
      `SELECT ${COLUMNS} FROM consent_changes WHERE user_id = $1 AND kind = $2 ORDER BY created_at DESC, id LIMIT 1`,
      [userId, kind],
    );
    return newest ?? null;
  }

  async insert(manager: EntityManager, userId: string, change: ConsentChange): Promise<void> {
    const { kind, isGranted, requestUrl, createdAt } = change;
    await manager.query(
      `INSERT INTO consent_changes (id, user_id, kind, is_granted, request_url, created_at)
       VALUES ($1, $2, $3, $4, $5, $6)`,
      [randomUUID(), userId, kind, isGranted, requestUrl, createdAt],
    );
  }

  async export(userId: string): Promise<Pick<ExportedData, 'consents'>> {
    const changes: ConsentChange[] = await this.database.query(
      `SELECT ${COLUMNS} FROM consent_changes WHERE user_id = $1 ORDER BY created_at, id`,
      [userId],
    );
    return { consents: changes.map((change) => ({ ...change, createdAt: change.createdAt.toISOString() })) };
  }

  /** The newest answer prevails, whether it was given as a guest or as a member. */
  async move(manager: EntityManager, from: string, to: string): Promise<void> {
    await manager.query('UPDATE consent_changes SET user_id = $2 WHERE user_id = $1', [from, to]);
    await this.refreshUser(manager, from);
    await this.refreshUser(manager, to);
  }

  /** Changes made during the erasure are deleted with the account. */
  async erase(userId: string): Promise<void> {
    await this.database.query('DELETE FROM consent_changes WHERE user_id = $1', [userId]);
  }

  /** Copies the state of the newest changes to the user. */
  async refreshUser(manager: EntityManager, userId: string): Promise<void> {
    await manager.query(
      `WITH newest AS (
         SELECT DISTINCT ON (kind) kind, CASE WHEN is_granted THEN created_at END AS granted_at
         FROM consent_changes WHERE user_id = $1 ORDER BY kind, created_at DESC, id
       )
       UPDATE users SET marketing_consent_at = (SELECT granted_at FROM newest WHERE kind = 'marketing'),
         image_training_consent_at = (SELECT granted_at FROM newest WHERE kind = 'image-training')
       WHERE id = $1`,
      [userId],
    );
  }
}
