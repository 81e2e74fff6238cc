import { randomUUID } from 'node:crypto';
import type { AccessToken, Preferences } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import type { Caller } from '../identity/caller.js';
import { type Identity, IdentityProvider } from '../identity/identity-provider.js';
import { SessionService } from '../identity/session.service.js';
import { PersonalDataRegistry } from './personal-data.js';
import { UserRow } from './user.entity.js';

/** Becoming a guest, becoming somebody, and leaving. */
@Injectable()
export class LoginService {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly sessions: SessionService,
    private readonly provider: IdentityProvider,
    private readonly belongings: PersonalDataRegistry,
  ) {}

  /** Makes a guest with a session of its own. */
  createGuest(): Promise<AccessToken> {
    return this.database.transaction(async (manager) => {
      const guest = newUser(null);
      await manager.insert(UserRow, guest);
      return { accessToken: await this.sessions.open(guest, manager) };
    });
  }

  /**
   * Opens a session for whoever the identity token names. A guest's belongings move along and the guest's session
   * ends, in the same transaction: of two logins with one guest at once, the first takes everything.
   */
  async login(
    caller: Caller | undefined,
    idToken: string,
    preferences: Partial<Preferences> = {},
  ): Promise<AccessToken> {
    const identity = await this.provider.verify(idToken);
    return this.database.transaction(async (manager) => {
      const user = await findOrCreate(manager, identity);
      if (caller?.isGuest && (await this.sessions.revoke(manager, caller.sessionId))) {
        await this.belongings.move(manager, caller.userId, user.id);
      }
      if (Object.keys(preferences).length > 0) {
        await manager.update(UserRow, user.id, { preferences: { ...user.preferences, ...preferences } });
      }
      return { accessToken: await this.sessions.open(user, manager) };
    });
  }

  async logout({ sessionId }: Caller): Promise<void> {
    await this.sessions.revoke(this.database.manager, sessionId);
  }
}

/** The account of an identity; of two that ask for a new one at once, both get the same. */
async function findOrCreate(manager: EntityManager, identity: Identity): Promise<UserRow> {
  const { uid: firebaseUid, email } = identity;
  await manager.createQueryBuilder().insert().into(UserRow).values(newUser(identity)).orIgnore().execute();
  const user = await manager.findOne(UserRow, { where: { firebaseUid }, lock: { mode: 'pessimistic_write' } });
  // Erased between the two statements: whoever comes now is somebody new.
  if (!user) return findOrCreate(manager, identity);
  if (email && user.email !== email) {
    await manager.update(UserRow, user.id, { email });
    user.email = email;
  }
  return user;
}

const newUser = (identity: Identity | null): UserRow => ({
  id: randomUUID(),
  isGuest: identity === null,
  firebaseUid: identity?.uid ?? null,
  email: identity?.email ?? null,
  source: identity?.source ?? null,
  preferences: {},
  isFree: false,
  createdAt: new Date(),
});
