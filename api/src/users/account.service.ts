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
import type { Caller } from '../identity/caller/caller.js';
import { Entitlements, roleBy, type UserEntitlements } from '../identity/caller/entitlements.js';
import { SessionService } from '../identity/sessions/session.service.js';
import { lockUsers } from '../platform/database/user-lock.js';
import { AppError } from '../platform/errors/app-error.js';
import { IdempotencyService } from '../platform/http/idempotency/idempotency.service.js';
import { ErasedIdentities } from './erased-identities.js';
import { PersonalDataRegistry } from './personal-data.js';
import { UserRow } from './user.entity.js';
import { UserRepository } from './user.repository.js';

/** What somebody can see of themselves, change and take away. */
@Injectable()
export class AccountService {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly sessions: SessionService,
    private readonly erased: ErasedIdentities,
    private readonly data: PersonalDataRegistry,
    private readonly idempotency: IdempotencyService,
    private readonly entitlements: Entitlements,
    private readonly users: UserRepository,
  ) {}

  /** Money as the caller's request found it: three statements in all, with the session's. */
  async get({ userId, entitlements }: Caller): Promise<User> {
    return present(await this.find(userId), entitlements);
  }

  /** After a change of what somebody has: their money is asked for again. */
  async getFresh(userId: string): Promise<User> {
    return present(await this.find(userId), await this.entitlements.entitlementsOf(userId));
  }

  /** Changes what is named and leaves the rest. A default that the plan does not have is refused. */
  async overridePreferences(caller: Caller, change: Partial<Preferences>): Promise<User> {
    const locked = change.defaultAiPipeline ? lockedTool(caller.role, change.defaultAiPipeline) : null;
    if (locked) throw new AppError('pipeline.not_in_plan', { details: { tool: snakeCase(locked) } });
    await this.users.mergePreferences(caller.userId, change);
    return this.get(caller);
  }

  async export({ userId, entitlements }: Caller): Promise<UserExport> {
    const [row, sessions] = await Promise.all([this.find(userId), this.sessions.list(userId)]);
    return {
      exportedAt: new Date().toISOString(),
      user: present(row, entitlements),
      profile: { language: row.language, isEmailVerified: row.isEmailVerified },
      sessions: sessions.map(({ createdAt, expiresAt, revokedAt }) => ({
        createdAt: createdAt.toISOString(),
        expiresAt: expiresAt.toISOString(),
        endedAt: revokedAt?.toISOString() ?? null,
      })),
      onboardings: await this.onboardings(userId),
      ...(await this.data.export(userId)),
    };
  }

  private async onboardings(userId: string): Promise<UserExport['onboardings']> {
    const rows: { created_at: Date; used_at: Date | null }[] = await this.database.query(
      'SELECT created_at, used_at FROM web_onboardings WHERE user_id = $1',
      [userId],
    );
    return rows.map(({ created_at, used_at }) => ({
      createdAt: created_at.toISOString(),
      usedAt: used_at?.toISOString() ?? null,
    }));
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
    } while (!(await this.remove(userId, firebaseUid)));
    await this.idempotency.forget(userId);
    if (firebaseUid) await this.erased.forget(firebaseUid);
  }

  /** Deletes an account that has nothing left. False when somebody has logged in meanwhile, who may have brought more. */
  private remove(userId: string, firebaseUid: string | null): Promise<boolean> {
    return this.database.transaction(async (manager) => {
      await lockUsers(manager, userId);
      // A login in its middle holds the row: it is either seen below, or finds no account any more and makes another.
      await manager.query('SELECT FROM users WHERE id = $1 FOR UPDATE', [userId]);
      if (await this.sessions.hasLive(manager, userId)) return false;
      await this.data.eraseWithAccount(manager, userId);
      await manager.delete(UserRow, userId);
      if (firebaseUid) await this.erased.remember(manager, firebaseUid);
      return true;
    });
  }

  /** @throws AppError `users.not_authorized` when the account was erased while the request was on its way */
  private async find(id: string): Promise<UserRow> {
    const user = await this.users.find(id);
    if (!user) throw new AppError('users.not_authorized');
    return user;
  }
}

function present(row: UserRow, entitlements: UserEntitlements): User {
  const role = roleBy(row, entitlements);
  const isUnlimited = ALLOWANCES[role].delivery === 'clean';
  return {
    id: row.firebaseUid ?? row.id,
    webUserId: row.id,
    backendId: row.id,
    firebaseUid: row.firebaseUid,
    isGuest: row.isGuest,
    role,
    email: row.email,
    source: row.source,
    createdAt: row.createdAt.toISOString(),
    isFree: row.isFree,
    availableCredits: entitlements.availableCredits,
    mobileOracleBackendId: entitlements.mobileOracleBackendId,
    marketingConsent: false,
    imageTrainingConsent: false,
    nextRenewImageDownloadLimitsDatetime: entitlements.exports.renewsAt,
    giftCode: entitlements.giftCode,
    preferences: { ...DEFAULT_PREFERENCES, ...row.preferences },
    // A guest has no account that a trial could belong to.
    monetization: {
      ...entitlements.monetization,
      trialAvailable: entitlements.monetization.trialAvailable && !row.isGuest,
    },
    limits: { exports: isUnlimited ? null : entitlements.exports.limit, exportsUsed: entitlements.exports.used },
  };
}
