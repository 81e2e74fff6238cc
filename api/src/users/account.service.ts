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
import { Entitlements, resolveRole, type UserEntitlements } from '../billing-accounts/entitlements.service.js';
import { VisitorFlags } from '../experiments/experiments.service.js';
import { lockUsers } from '../platform/database/statements.js';
import { AppError } from '../platform/errors/app-error.js';
import { IdempotencyService } from '../platform/http/idempotency.service.js';
import { PersonalDataRegistry } from '../platform/personal-data.js';
import type { Caller } from '../sessions/caller.js';
import { SessionService } from '../sessions/session.service.js';
import { ErasedIdentities } from './erased-identities.repository.js';
import { OnboardingRepository } from './onboarding.repository.js';
import { UserRepository, type UserRow } from './user.repository.js';

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
    private readonly onboardings: OnboardingRepository,
    private readonly flags: VisitorFlags,
  ) {}

  async get({ userId, entitlements }: Caller): Promise<User> {
    return present(await this.find(userId), entitlements);
  }

  async getFresh(userId: string): Promise<User> {
    return present(await this.find(userId), await this.entitlements.entitlementsOf(userId));
  }

  /**
   * Merges the given preferences.
   * @throws AppError `billing.not_offered` for a default pipeline while saving one is switched off,
   *   `pipeline.not_in_plan` for one outside the plan
   */
  async overridePreferences(caller: Caller, change: Partial<Preferences>): Promise<User> {
    const { defaultAiPipeline } = change;
    if (defaultAiPipeline) {
      const { shouldEnableSavingAiModelDefault, removeCap, expRepair } = await this.flags.ofUser(caller.userId);
      if (!shouldEnableSavingAiModelDefault) throw new AppError('billing.not_offered');
      const isHidden = defaultAiPipeline.repair && !expRepair;
      const locked = isHidden ? 'repair' : lockedTool(caller.role, defaultAiPipeline, removeCap);
      if (locked) throw new AppError('pipeline.not_in_plan', { details: { tool: snakeCase(locked) } });
    }
    await this.users.mergePreferences(caller.userId, change);
    return this.get(caller);
  }

  async export({ userId, role, entitlements }: Caller): Promise<UserExport> {
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
      onboardings: (await this.onboardings.listOf(userId)).map(({ createdAt, usedAt }) => ({
        createdAt: createdAt.toISOString(),
        usedAt: usedAt?.toISOString() ?? null,
      })),
      ...(await this.data.export(userId, role)),
    };
  }

  /**
   * Revokes sessions first, so that no data is added meanwhile; deletes the account last, so that an interrupted
   * erasure can be repeated after another login.
   */
  async erase({ userId }: Caller): Promise<void> {
    const { firebaseUid } = await this.find(userId);
    do {
      await this.sessions.revokeAll(userId);
      await this.data.erase(userId);
    } while (!(await this.delete(userId, firebaseUid)));
    await this.idempotency.deleteScope(userId);
    if (firebaseUid) await this.erased.delete(firebaseUid);
  }

  private delete(userId: string, firebaseUid: string | null): Promise<boolean> {
    return this.database.transaction(async (manager) => {
      await lockUsers(manager, userId);
      // A concurrent login locks the row: either its session is found below, or it finds no account and creates
      // another.
      await this.users.lock(manager, userId);
      if (await this.sessions.hasLive(manager, userId)) return false;
      await this.data.eraseWithAccount(manager, userId);
      await this.users.delete(manager, [userId]);
      if (firebaseUid) await this.erased.record(manager, firebaseUid);
      return true;
    });
  }

  /** @throws AppError `users.not_authorized` when the account was erased during the request */
  private async find(id: string): Promise<UserRow> {
    const user = await this.users.find(id);
    if (!user) throw new AppError('users.not_authorized');
    return user;
  }
}

function present(row: UserRow, entitlements: UserEntitlements): User {
  const role = resolveRole(row, entitlements);
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
    marketingConsent: row.marketingConsentAt !== null,
    imageTrainingConsent: row.imageTrainingConsentAt !== null,
    nextRenewImageDownloadLimitsDatetime: entitlements.exports.renewsAt,
    giftCode: entitlements.giftCode,
    preferences: { ...DEFAULT_PREFERENCES, ...row.preferences },
    // Guests have no account, which a trial belongs to.
    monetization: {
      ...entitlements.monetization,
      trialAvailable: entitlements.monetization.trialAvailable && !row.isGuest,
    },
    limits: { exports: isUnlimited ? null : entitlements.exports.limit, exportsUsed: entitlements.exports.used },
  };
}
