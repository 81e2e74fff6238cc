import { randomUUID } from 'node:crypto';
import { GUEST_STANDING, inMilliseconds, roleOf } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import type { Caller } from './caller.js';
import { Session } from './session.entity.js';
import { TokenService } from './token.service.js';

const SESSION_LIFETIME_MS = inMilliseconds.days(30);

interface LiveSession {
  readonly user_id: string;
  readonly is_guest: boolean;
}

/** Opens sessions and says who a token stands for. */
@Injectable()
export class SessionService {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly tokens: TokenService,
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
      `SELECT u.id AS user_id, u.is_guest FROM sessions s JOIN users u ON u.id = s.user_id
       WHERE s.id = $1 AND s.user_id = $2 AND s.revoked_at IS NULL AND s.expires_at > now()`,
      [claims.sessionId, claims.userId],
    );
    if (!live) return null;
    const role = roleOf({ ...GUEST_STANDING, isGuest: live.is_guest });
    return { userId: live.user_id, sessionId: claims.sessionId, role };
  }
}
