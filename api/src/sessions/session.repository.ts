import type { AiPipeline, Locale } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { Column, DataSource, Entity, type EntityManager, IsNull, PrimaryColumn } from 'typeorm';
import { type BillingStateJson, billingStateColumn } from '../billing-accounts/billing-state.repository.js';
import { deleteInBatches, prepared } from '../platform/database/statements.js';

@Entity('sessions')
export class Session {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  userId!: string;

  @Column('timestamptz')
  createdAt!: Date;

  @Column('timestamptz')
  expiresAt!: Date;

  @Column('timestamptz', { nullable: true })
  revokedAt!: Date | null;
}

export interface CallingUser {
  readonly userId: string;
  readonly isGuest: boolean;
  readonly isFree: boolean;
  readonly firebaseUid: string | null;
  readonly language: Locale | null;
  readonly defaultAiPipeline: AiPipeline | null;
  readonly keepLocation: boolean;
  readonly billing: BillingStateJson;
}

/** Columns of `users u`: with the credential, one statement for every request. */
export const CALLING_USER = `u.id AS "userId", u.is_guest AS "isGuest", u.is_free AS "isFree", u.firebase_uid AS "firebaseUid",
  u.language, u.preferences -> 'defaultAiPipeline' AS "defaultAiPipeline",
  coalesce((u.preferences ->> 'keepLocation')::boolean, false) AS "keepLocation", ${billingStateColumn('u.id')} AS billing`;

const USER_OF_LIVE = prepared(
  `SELECT ${CALLING_USER} FROM sessions s JOIN users u ON u.id = s.user_id
   WHERE s.id = $1 AND s.user_id = $2 AND s.revoked_at IS NULL AND s.expires_at > now()`,
);

@Injectable()
export class SessionRepository {
  constructor(@InjectDataSource() private readonly database: DataSource) {}

  async insert(manager: EntityManager, session: Session): Promise<void> {
    await manager.insert(Session, session);
  }

  async findUserOfLive(sessionId: string, userId: string): Promise<CallingUser | null> {
    const [user]: CallingUser[] = await this.database.query(USER_OF_LIVE, [sessionId, userId]);
    return user ?? null;
  }

  async findUser(userId: string): Promise<CallingUser | null> {
    const [user]: CallingUser[] = await this.database.query(`SELECT ${CALLING_USER} FROM users u WHERE u.id = $1`, [
      userId,
    ]);
    return user ?? null;
  }

  async setLanguage(userId: string, language: Locale): Promise<void> {
    await this.database.query('UPDATE users SET language = $2 WHERE id = $1', [userId, language]);
  }

  async extend(sessionId: string, expiresAt: Date, renewBefore: Date): Promise<Date | null> {
    const [[renewed]]: [{ expires_at: Date }[], number] = await this.database.query(
      `UPDATE sessions SET expires_at = CASE WHEN expires_at < $3 THEN $2 ELSE expires_at END
       WHERE id = $1 AND revoked_at IS NULL AND expires_at > now() RETURNING expires_at`,
      [sessionId, expiresAt, renewBefore],
    );
    return renewed?.expires_at ?? null;
  }

  async lockLive(manager: EntityManager, sessionId: string): Promise<boolean> {
    const locked: unknown[] = await manager.query(
      'SELECT id FROM sessions WHERE id = $1 AND revoked_at IS NULL FOR SHARE',
      [sessionId],
    );
    return locked.length > 0;
  }

  async revoke(manager: EntityManager, sessionId: string): Promise<boolean> {
    const [, count]: [unknown[], number] = await manager.query(
      'UPDATE sessions SET revoked_at = now() WHERE id = $1 AND revoked_at IS NULL RETURNING id',
      [sessionId],
    );
    return count === 1;
  }

  async revokeAllOf(userId: string, manager: EntityManager = this.database.manager): Promise<void> {
    await manager.update(Session, { userId, revokedAt: IsNull() }, { revokedAt: new Date() });
  }

  async deleteEnded(seconds: number): Promise<void> {
    const hasEnded = `least(revoked_at, expires_at) < now() - $1 * interval '1 second'`;
    await deleteInBatches(this.database, 'sessions', hasEnded, [seconds]);
  }

  existsLive(manager: EntityManager, userId: string): Promise<boolean> {
    return manager.existsBy(Session, { userId, revokedAt: IsNull() });
  }

  /** Keeps an API key from being revoked until the transaction ends. False when it has been revoked. */
  async holdKey(manager: EntityManager, keyId: string): Promise<boolean> {
    const locked: unknown[] = await manager.query(
      'SELECT id FROM plugin_keys WHERE id = $1 AND revoked_at IS NULL FOR SHARE',
      [keyId],
    );
    return locked.length > 0;
  }

  /** Waits for transactions that {@link holdKey} one. */
  async revokeKeysOf(userId: string, manager: EntityManager = this.database.manager): Promise<void> {
    await manager.query('UPDATE plugin_keys SET revoked_at = now() WHERE user_id = $1 AND revoked_at IS NULL', [
      userId,
    ]);
  }

  listOf(userId: string): Promise<Session[]> {
    return this.database.manager.find(Session, { where: { userId }, order: { createdAt: 'ASC' } });
  }
}
