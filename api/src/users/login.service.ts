import { type AccessToken, lockedTool, type Preferences } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { type Caller, sessionIdOf } from '../identity/caller/caller.js';
import { Entitlements, roleBy } from '../identity/caller/entitlements.js';
import { type Identity, IdentityProvider } from '../identity/provider/identity-provider.js';
import { SessionService } from '../identity/sessions/session.service.js';
import { lockUsers } from '../platform/database/user-lock.js';
import { ErasedIdentities } from './erased-identities.js';
import { GuestsService } from './guests.service.js';
import { newUser } from './new-user.js';
import { UserRow } from './user.entity.js';
import { UserRepository } from './user.repository.js';

/** Becoming somebody, and leaving. */
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
   * Opens a session for whoever the identity token names. A guest's belongings move along and the guest's session
   * ends, in the same transaction: of two logins with one guest at once, the first takes everything. Who logs in again
   * to the same account gets a new token for the old one.
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
      await this.takeAddress(manager, user, identity);
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

  /**
   * The account of an identity, and it and the guest to ourselves. Of two that ask for a new account at once, both get
   * the same.
   */
  private async findOrCreate(manager: EntityManager, identity: Identity, guestId: string | null): Promise<UserRow> {
    const { uid: firebaseUid } = identity;
    await manager.createQueryBuilder().insert().into(UserRow).values(newUser(identity)).orIgnore().execute();
    const found = await manager.findOne(UserRow, { select: { id: true }, where: { firebaseUid } });
    if (found) await lockUsers(manager, found.id, ...(guestId ? [guestId] : []));
    const user = await manager.findOne(UserRow, { where: { firebaseUid }, lock: { mode: 'pessimistic_write' } });
    // Erased in between: whoever comes now is somebody new.
    if (!user) return this.findOrCreate(manager, identity, guestId);
    await this.erased.recall(manager, firebaseUid);
    return user;
  }

  /**
   * Keeps what the provider says of the address; one that it has verified is not given up for one that it has not. Once
   * an address is proven, whoever came in before the proof is sent out: they may be somebody else, who lay in wait for
   * the owner of the address.
   */
  private async takeAddress(manager: EntityManager, user: UserRow, identity: Identity): Promise<void> {
    const { email, isEmailVerified } = identity;
    if (!email || (user.isEmailVerified && !isEmailVerified)) return;
    if (user.email && isEmailVerified && !user.isEmailVerified) await this.sessions.revokeAll(user.id, manager);
    if (user.email !== email || user.isEmailVerified !== isEmailVerified) {
      await manager.update(UserRow, user.id, { email, isEmailVerified });
    }
  }

  /** What somebody has chosen before they logged in. A default that their plan lacks is no reason to turn them away. */
  private async savePreferences(manager: EntityManager, user: UserRow, chosen: Partial<Preferences>): Promise<void> {
    const { defaultAiPipeline, ...others } = chosen;
    const isUsable =
      defaultAiPipeline &&
      lockedTool(roleBy(user, await this.entitlements.entitlementsOf(user.id, manager)), defaultAiPipeline) === null;
    const saved = isUsable || defaultAiPipeline === null ? chosen : others;
    if (Object.keys(saved).length === 0) return;
    await this.users.mergePreferences(user.id, saved, manager);
  }
}
