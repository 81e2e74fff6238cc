import { type AccessToken, lockedTool, type Preferences } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { Entitlements, resolveRole } from '../billing-accounts/entitlements.service.js';
import { type Identity, IdentityProvider } from '../identity/identity-provider.js';
import { lockUsers } from '../platform/database/statements.js';
import { type Caller, sessionIdOf } from '../sessions/caller.js';
import { SessionService } from '../sessions/session.service.js';
import { ErasedIdentities } from './erased-identities.repository.js';
import { GuestsService } from './guests.service.js';
import { newUser, UserRepository, type UserRow } from './user.repository.js';

@Injectable()
export class LoginService {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly sessions: SessionService,
    private readonly provider: IdentityProvider,
    private readonly guests: GuestsService,
    private readonly erased: ErasedIdentities,
    private readonly entitlements: Entitlements,
    private readonly users: UserRepository,
  ) {}

  /**
   * The same transaction revokes a guest caller's session and moves the guest's data, so that the first of two
   * concurrent logins gets all of it. Logging in to the caller's own account replaces the session.
   */
  async login(
    caller: Caller | undefined,
    idToken: string,
    preferences: Partial<Preferences> = {},
  ): Promise<AccessToken> {
    const identity = await this.provider.verify(idToken);
    return this.database.transaction(async (manager) => {
      const guest = caller?.isGuest ? caller : null;
      const user = await this.findOrCreate(manager, identity, guest?.userId ?? null);
      await this.updateAddress(manager, user, identity);
      if (guest && (await this.sessions.revoke(manager, sessionIdOf(guest)))) {
        await this.guests.move(manager, guest.userId, user.id);
      }
      if (caller?.userId === user.id) await this.sessions.revoke(manager, sessionIdOf(caller));
      await this.savePreferences(manager, user, preferences);
      return { accessToken: await this.sessions.open(user, manager) };
    });
  }

  async logout(caller: Caller): Promise<void> {
    await this.sessions.revoke(this.database.manager, sessionIdOf(caller));
  }

  private async findOrCreate(manager: EntityManager, identity: Identity, guestId: string | null): Promise<UserRow> {
    const { uid: firebaseUid } = identity;
    await this.users.insertIfNew(manager, newUser(identity));
    const id = await this.users.findIdOf(firebaseUid, manager);
    if (id) await lockUsers(manager, id, ...(guestId ? [guestId] : []));
    const user = await this.users.lockByFirebaseUid(manager, firebaseUid);
    // The account was erased concurrently: create a new one.
    if (!user) return this.findOrCreate(manager, identity, guestId);
    await this.erased.cancel(manager, firebaseUid);
    return user;
  }

  /**
   * Stores the provider's address, but never an unverified one over a verified one. When an address becomes verified,
   * earlier sessions are revoked: an attacker may have registered the address first.
   */
  private async updateAddress(manager: EntityManager, user: UserRow, identity: Identity): Promise<void> {
    const { email, isEmailVerified } = identity;
    if (!email || (user.isEmailVerified && !isEmailVerified)) return;
    if (user.email && isEmailVerified && !user.isEmailVerified) await this.sessions.revokeAll(user.id, manager);
    if (user.email !== email || user.isEmailVerified !== isEmailVerified) {
      await this.users.update(manager, user.id, { email, isEmailVerified });
    }
  }

  private async savePreferences(manager: EntityManager, user: UserRow, chosen: Partial<Preferences>): Promise<void> {
    const { defaultAiPipeline, ...others } = chosen;
    const isUsable =
      defaultAiPipeline &&
      lockedTool(resolveRole(user, await this.entitlements.entitlementsOf(user.id, manager)), defaultAiPipeline) ===
        null;
    const saved = isUsable || defaultAiPipeline === null ? chosen : others;
    if (Object.keys(saved).length === 0) return;
    await this.users.mergePreferences(user.id, saved, manager);
  }
}
