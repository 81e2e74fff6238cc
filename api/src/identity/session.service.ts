import { randomUUID } from 'node:crypto';
import { type AiPipeline, inMilliseconds, inSeconds, type Locale } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager, IsNull } from 'typeorm';
import { AppError } from '../platform/errors/app-error.js';
import type { Caller } from './caller.js';
import { Session } from './session.entity.js';
import { roleBy, Standings } from './standings.js';
import { TokenService } from './token.service.js';

/** Idle time after which a session ends; {@link SessionService.renew} extends one that is in use. */
const SESSION_LIFETIME_MS = inMilliseconds.days(30);
/** A session is extended at most this often. */
const RENEWAL_INTERVAL_MS = inMilliseconds.days(1);
/** How long a session is remembered after its end, for whoever has to find out what happened. */
const ENDED_KEPT = `${inSeconds.days(30)} seconds`;

interface LiveSession {
  readonly user_id: string;
  readonly is_guest: boolean;
  readonly is_free: boolean;
  readonly firebase_uid: string | null;
  readonly language: Locale | null;
  readonly default_ai_pipeline: AiPipeline | null;
}

/** Opens sessions, says who a token stands for, and ends them. */
@Injectable()
export class SessionService {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly tokens: TokenService,
    private readonly standings: Standings,
  ) {}

  /** Opens a session in the transaction that made or found the user. Returns the access token. */
  async open(user: { id: string; isGuest: boolean }, manager: EntityManager): Promise<string> {
    const now = new Date();
    const session: Session = {
      id: randomUUID(),
      userId: user.id,
      createdAt: now,
      expiresAt: new Date(now.getTime() + SESSION_LIFETIME_MS),
      revokedAt: null,
    };
    await manager.insert(Session, session);
    const kind = user.isGuest ? 'guest' : 'user';
    return this.tokens.sign({ userId: user.id, sessionId: session.id }, kind, session.expiresAt);
  }

  /** The caller behind a token, or null when the token or its session is no good. */
  async callerOf(token: string): Promise<Caller | null> {
    const claims = await this.tokens.verify(token);
    if (!claims) return null;
    const [live]: LiveSession[] = await this.database.query(
      `SELECT u.id AS user_id, u.is_guest, u.is_free, u.firebase_uid, u.language,
         u.preferences -> 'defaultAiPipeline' AS default_ai_pipeline
       FROM sessions s JOIN users u ON u.id = s.user_id
       WHERE s.id = $1 AND s.user_id = $2 AND s.revoked_at IS NULL AND s.expires_at > now()`,
      [claims.sessionId, claims.userId],
    );
    if (!live) return null;
    const standing = await this.standings.standingOf(live.user_id);
    return {
      userId: live.user_id,
      sessionId: claims.sessionId,
      role: roleBy({ isGuest: live.is_guest, isFree: live.is_free }, standing),
      standing,
      isGuest: live.is_guest,
      isFree: live.is_free,
      firebaseUid: live.firebase_uid,
      language: live.language,
      defaultAiPipeline: live.default_ai_pipeline,
    };
  }

  /**
   * Extends a session that is in use and issues a token that lasts as long. Earlier tokens name the same session and
   * keep working until they expire, so concurrent requests are not interrupted.
   * @throws AppError `users.not_authorized` when the session has ended meanwhile
   */
  async renew({ sessionId, userId, isGuest }: Caller): Promise<string> {
    const now = Date.now();
    const expiresAt = new Date(now + SESSION_LIFETIME_MS);
    const [renewed]: [{ expires_at: Date }[], number] = await this.database.query(
      `UPDATE sessions SET expires_at = CASE WHEN expires_at < $3 THEN $2 ELSE expires_at END
       WHERE id = $1 AND revoked_at IS NULL AND expires_at > now() RETURNING expires_at`,
      [sessionId, expiresAt, new Date(expiresAt.getTime() - RENEWAL_INTERVAL_MS)],
    );
    const [session] = renewed;
    if (!session) throw new AppError('users.not_authorized');
    return this.tokens.sign({ userId, sessionId }, isGuest ? 'guest' : 'user', session.expires_at);
  }

  /** Keeps in mind in which language somebody uses the product. */
  async noteLanguage({ userId }: Caller, language: Locale): Promise<void> {
    await this.database.query('UPDATE users SET language = $2 WHERE id = $1', [userId, language]);
  }

  /**
   * Makes sure that a session is still alive and stays so until the transaction ends: what is created for a guest
   * while they log in elsewhere is either moved along or refused.
   * @throws AppError `users.not_authorized`
   */
  async hold(manager: EntityManager, { sessionId }: Caller): Promise<void> {
    const held: unknown[] = await manager.query(
      'SELECT id FROM sessions WHERE id = $1 AND revoked_at IS NULL FOR SHARE',
      [sessionId],
    );
    if (held.length === 0) throw new AppError('users.not_authorized');
  }

  /** Ends a session. False when it had ended before. */
  async revoke(manager: EntityManager, sessionId: string): Promise<boolean> {
    const ended: [unknown[], number] = await manager.query(
      'UPDATE sessions SET revoked_at = now() WHERE id = $1 AND revoked_at IS NULL RETURNING id',
      [sessionId],
    );
    return ended[1] === 1;
  }

  /** Ends every session of a user; waits for whoever {@link hold}s one. */
  async revokeAll(userId: string, manager: EntityManager = this.database.manager): Promise<void> {
    await manager.update(Session, { userId, revokedAt: IsNull() }, { revokedAt: new Date() });
  }

  /** Forgets sessions that ended long ago. */
  async purge(): Promise<void> {
    await this.database.query('DELETE FROM sessions WHERE least(revoked_at, expires_at) < now() - $1::interval', [
      ENDED_KEPT,
    ]);
  }

  /** Whether anybody could still act for a user. */
  hasLive(manager: EntityManager, userId: string): Promise<boolean> {
    return manager.existsBy(Session, { userId, revokedAt: IsNull() });
  }

  /** Every stored session of a user, ended ones too, oldest first. */
  list(userId: string): Promise<Session[]> {
    return this.database.manager.find(Session, { where: { userId }, order: { createdAt: 'ASC' } });
  }
}
