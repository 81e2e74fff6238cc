import {
  ALLOWANCES,
  DEFAULT_PREFERENCES,
  lockedTool,
  type Preferences,
  snakeCase,
  type User,
  type UserExport,
} from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import type { Caller } from '../identity/caller.js';
import { IdentityProvider } from '../identity/identity-provider.js';
import { roleOfUser, SessionService } from '../identity/session.service.js';
import { AppError } from '../platform/errors/app-error.js';
import { IdempotencyService } from '../platform/http/idempotency.service.js';
import { PersonalDataRegistry } from './personal-data.js';
import { UserRow } from './user.entity.js';

/** What somebody can see of themselves, change and take away. */
@Injectable()
export class AccountService {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly sessions: SessionService,
    private readonly provider: IdentityProvider,
    private readonly data: PersonalDataRegistry,
    private readonly idempotency: IdempotencyService,
  ) {}

  async get({ userId }: Caller): Promise<User> {
    return present(await this.find(userId));
  }

  /** Changes what is named and leaves the rest. A default that the plan does not have is refused. */
  async overridePreferences(caller: Caller, change: Partial<Preferences>): Promise<User> {
    const locked = change.defaultAiPipeline ? lockedTool(caller.role, change.defaultAiPipeline) : null;
    if (locked) throw new AppError('pipeline.not_in_plan', { details: { tool: snakeCase(locked) } });
    await this.database.query('UPDATE users SET preferences = preferences || $2::jsonb WHERE id = $1', [
      caller.userId,
      JSON.stringify(change),
    ]);
    return this.get(caller);
  }

  async export({ userId }: Caller): Promise<UserExport> {
    const sessions = await this.sessions.listLive(userId);
    return {
      exportedAt: new Date().toISOString(),
      user: present(await this.find(userId)),
      sessions: sessions.map(({ createdAt, expiresAt }) => ({
        createdAt: createdAt.toISOString(),
        expiresAt: expiresAt.toISOString(),
      })),
      ...(await this.data.export(userId)),
    };
  }

  /**
   * Ends all sessions first, so that nothing is added meanwhile, and deletes the account last: what breaks off in
   * between is asked for again after another login, and a guest's media ends with its day.
   */
  async erase({ userId }: Caller): Promise<void> {
    const { firebaseUid } = await this.find(userId);
    do {
      await this.sessions.revokeAll(userId);
      await this.data.erase(userId);
    } while (!(await this.remove(userId)));
    await this.idempotency.forget(userId);
    if (firebaseUid) await this.provider.forget(firebaseUid);
  }

  /** Deletes an account that has nothing left. False when somebody has logged in meanwhile, who may have brought more. */
  private remove(userId: string): Promise<boolean> {
    return this.database.transaction(async (manager) => {
      // A login in its middle holds the row: it is either seen below, or finds no account any more and makes another.
      await manager.query('SELECT FROM users WHERE id = $1 FOR UPDATE', [userId]);
      if (await this.sessions.hasLive(manager, userId)) return false;
      await manager.delete(UserRow, userId);
      return true;
    });
  }

  /** @throws AppError `users.not_authorized` when the account was erased while the request was on its way */
  private async find(id: string): Promise<UserRow> {
    const user = await this.database.manager.findOneBy(UserRow, { id });
    if (!user) throw new AppError('users.not_authorized');
    return user;
  }
}

/** Nobody can buy anything yet: what money would change has its value before any purchase. */
function present(row: UserRow): User {
  const isUnlimited = ALLOWANCES[roleOfUser(row)].delivery === 'clean';
  return {
    id: row.firebaseUid ?? row.id,
    webUserId: row.id,
    backendId: row.id,
    firebaseUid: row.firebaseUid,
    isGuest: row.isGuest,
    email: row.email,
    source: row.source,
    createdAt: row.createdAt.toISOString(),
    isFree: row.isFree,
    availableCredits: 0,
    mobileOracleBackendId: null,
    marketingConsent: false,
    imageTrainingConsent: false,
    nextRenewImageDownloadLimitsDatetime: null,
    giftCode: null,
    preferences: { ...DEFAULT_PREFERENCES, ...row.preferences },
    monetization: {
      trialAvailable: !row.isGuest,
      hasIncompleteSubscription: false,
      isSubscribed: false,
      subscriptionIncludesTrial: false,
      subscriptionWithIntroPrice: false,
      subscriptionProvider: null,
      subscriptionId: null,
      priceId: null,
    },
    limits: { exports: isUnlimited ? null : 0, exportsUsed: 0 },
  };
}
