import { randomUUID } from 'node:crypto';
import { inMilliseconds, inSeconds } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AppError } from '../platform/errors/app-error.js';
import { type Caller, sessionIdOf } from './caller.js';
import { type Session, SessionRepository } from './session.repository.js';
import { TokenService } from './token.service.js';

/** Idle time after which a session ends; {@link SessionService.renew} extends one that is in use. */
const SESSION_LIFETIME_MS = inMilliseconds.days(30);
/** A session is extended at most this often. */
const RENEWAL_INTERVAL_MS = inMilliseconds.days(1);
/** Ended sessions are kept this long, for support. */
const ENDED_RETENTION_SECONDS = inSeconds.days(30);

@Injectable()
export class SessionService {
  constructor(
    private readonly sessions: SessionRepository,
    private readonly tokens: TokenService,
  ) {}

  /** Opens a session in the transaction that created or found the user. Returns the access token. */
  async open(user: { id: string; isGuest: boolean }, manager: EntityManager): Promise<string> {
    const now = new Date();
    const session: Session = {
      id: randomUUID(),
      userId: user.id,
      createdAt: now,
      expiresAt: new Date(now.getTime() + SESSION_LIFETIME_MS),
      revokedAt: null,
    };
    await this.sessions.insert(manager, session);
    const kind = user.isGuest ? 'guest' : 'user';
    return this.tokens.sign({ userId: user.id, sessionId: session.id }, kind, session.expiresAt);
  }

  /**
   * Extends a session in use and issues a token that lasts as long. Earlier tokens stay valid until they expire, so
   * concurrent requests are not interrupted.
   * @throws AppError `users.not_authorized` when the session has ended
   */
  async renew(caller: Caller): Promise<string> {
    const sessionId = sessionIdOf(caller);
    const expiresAt = new Date(Date.now() + SESSION_LIFETIME_MS);
    const renewBefore = new Date(expiresAt.getTime() - RENEWAL_INTERVAL_MS);
    const endsAt = await this.sessions.extend(sessionId, expiresAt, renewBefore);
    if (!endsAt) throw new AppError('users.not_authorized');
    return this.tokens.sign({ userId: caller.userId, sessionId }, caller.isGuest ? 'guest' : 'user', endsAt);
  }

  /**
   * Keeps the credential valid until the transaction ends: what a guest creates during a concurrent login is either
   * moved or refused.
   * @throws AppError `users.not_authorized`
   */
  async hold(manager: EntityManager, { principal }: Pick<Caller, 'principal'>): Promise<void> {
    const isHeld =
      principal.kind === 'session'
        ? await this.sessions.lockLive(manager, principal.sessionId)
        : await this.sessions.holdKey(manager, principal.keyId);
    if (!isHeld) throw new AppError('users.not_authorized');
  }

  revoke(manager: EntityManager, sessionId: string): Promise<boolean> {
    return this.sessions.revoke(manager, sessionId);
  }

  /** Revokes every session and API key of a user; waits for transactions that {@link hold} one. */
  async revokeAll(userId: string, manager?: EntityManager): Promise<void> {
    await this.sessions.revokeAllOf(userId, manager);
    await this.sessions.revokeKeysOf(userId, manager);
  }

  purge(): Promise<void> {
    return this.sessions.deleteEnded(ENDED_RETENTION_SECONDS);
  }

  hasLive(manager: EntityManager, userId: string): Promise<boolean> {
    return this.sessions.existsLive(manager, userId);
  }

  list(userId: string): Promise<Session[]> {
    return this.sessions.listOf(userId);
  }
}
