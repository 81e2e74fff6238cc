import { type KeyKind, TEST_KEY_ROLE } from '@clearframe/contract';
import { preferredLocale } from '@clearframe/contract/accept-language';
import { Injectable } from '@nestjs/common';
import { billingStateFrom } from '../billing-accounts/billing-state.repository.js';
import { Entitlements, resolveRole } from '../billing-accounts/entitlements.service.js';
import type { Caller, KeyPrincipal, Principal } from './caller.js';
import { type CallingUser, SessionRepository } from './session.repository.js';
import { TokenService } from './token.service.js';

@Injectable()
export class CallerService {
  constructor(
    private readonly sessions: SessionRepository,
    private readonly tokens: TokenService,
    private readonly entitlements: Entitlements,
  ) {}

  async byToken(token: string): Promise<Caller | null> {
    const claims = await this.tokens.verify(token);
    if (!claims) return null;
    const user = await this.sessions.findUserOfLive(claims.sessionId, claims.userId);
    return user && this.callerOf(user, { kind: 'session', sessionId: claims.sessionId });
  }

  /** Null when the account has been erased. */
  async byKey(userId: string, kind: KeyKind, principal: KeyPrincipal): Promise<Caller | null> {
    const user = await this.sessions.findUser(userId);
    return user && this.ofKey(user, kind, principal);
  }

  /** The owner of a key. */
  ofKey(owner: CallingUser, kind: KeyKind, principal: KeyPrincipal): Caller {
    const caller = this.callerOf(owner, principal);
    return kind === 'test' ? { ...caller, role: TEST_KEY_ROLE, isTest: true } : { ...caller, isTest: false };
  }

  async storeLanguage({ userId, language }: Caller, acceptLanguage: string | undefined): Promise<void> {
    const preferred = preferredLocale(acceptLanguage);
    if (preferred && preferred !== language) await this.sessions.setLanguage(userId, preferred);
  }

  private callerOf({ billing, ...user }: CallingUser, principal: Principal): Caller {
    const entitlements = this.entitlements.ofState(billingStateFrom(billing));
    return { ...user, principal, role: resolveRole(user, entitlements), entitlements };
  }
}
