import { preferredLocale } from '@clearframe/contract/accept-language';
import { Injectable } from '@nestjs/common';
import { ApiKeys } from '../caller/api-keys.js';
import type { Caller, Principal } from '../caller/caller.js';
import { Entitlements, resolveRole } from '../caller/entitlements.js';
import { type CallingUser, SessionRepository } from './session.repository.js';
import { TokenService } from './token.service.js';

@Injectable()
export class CallerService {
  constructor(
    private readonly sessions: SessionRepository,
    private readonly tokens: TokenService,
    private readonly keys: ApiKeys,
    private readonly entitlements: Entitlements,
  ) {}

  async byToken(token: string): Promise<Caller | null> {
    const claims = await this.tokens.verify(token);
    if (!claims) return null;
    const user = await this.sessions.findUserOfLive(claims.sessionId, claims.userId);
    return user && this.callerOf(user, { kind: 'session', sessionId: claims.sessionId });
  }

  async byKey(key: string): Promise<Caller | null> {
    const grant = await this.keys.verify(key);
    if (!grant) return null;
    const user = await this.sessions.findUser(grant.userId);
    return user && this.callerOf(user, { kind: 'key', keyId: grant.keyId, scopes: grant.scopes });
  }

  async storeLanguage({ userId, language }: Caller, acceptLanguage: string | undefined): Promise<void> {
    const preferred = preferredLocale(acceptLanguage);
    if (preferred && preferred !== language) await this.sessions.setLanguage(userId, preferred);
  }

  private async callerOf(user: CallingUser, principal: Principal): Promise<Caller> {
    const entitlements = await this.entitlements.entitlementsOf(user.userId);
    return { ...user, principal, role: resolveRole(user, entitlements), entitlements };
  }
}
