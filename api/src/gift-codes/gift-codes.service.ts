import { randomUUID } from 'node:crypto';
import { type GiftCodeRedeemed, inMilliseconds } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { BillingAccounts } from '../billing-accounts/billing-accounts.js';
import { billingStateOf, entitlementsOf } from '../billing-accounts/entitlements.js';
import { lockUsers } from '../platform/database/statements.js';
import { AppError } from '../platform/errors/app-error.js';
import { BillingClock } from '../providers/billing-clock.js';
import type { Caller } from '../sessions/caller.js';
import { hashOf } from './code.js';
import type { GiftCode } from './gift-code.entity.js';
import { GiftCodeRepository } from './gift-code.repository.js';

@Injectable()
export class GiftCodesService {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly accounts: BillingAccounts,
    private readonly clock: BillingClock,
    private readonly codes: GiftCodeRepository,
  ) {}

  /**
   * Once for each user, at most `maxUses` times; adds to the time of earlier codes.
   * @returns the end of the last redeemed code
   * @throws AppError `gift_codes.not_found`, `gift_codes.used`, `gift_codes.expired`
   */
  async redeem({ userId }: Caller, code: string): Promise<GiftCodeRedeemed> {
    const { account, now } = await this.database.transaction(async (manager) => {
      await lockUsers(manager, userId);
      const gift = await this.consume(manager, userId, code);
      return this.accounts.changeIn(manager, userId, (_account, at) => ({
        events: [{ kind: 'gift_redeemed', id: randomUUID(), codeId: gift.id, durationMs: durationOf(gift, at), at }],
        result: null,
      }));
    });
    const { gift, isGiftCodeActive } = entitlementsOf(billingStateOf(account), now);
    if (!gift) throw new Error('a redeemed gift code has no effect');
    return { giftCode: { isActive: isGiftCodeActive, expiryAt: gift.expiresAt.toISOString() } };
  }

  private async consume(manager: EntityManager, userId: string, code: string): Promise<GiftCode> {
    const gift = await this.codes.lockByHash(manager, hashOf(code));
    if (!gift || gift.revokedAt) throw new AppError('gift_codes.not_found');
    const now = this.clock.now();
    if (gift.expiresAt && gift.expiresAt <= now) throw new AppError('gift_codes.expired');
    const isNew = await this.codes.insertUse(manager, gift.id, userId, now);
    if (!isNew || gift.uses >= gift.maxUses) throw new AppError('gift_codes.used');
    await this.codes.setUses(manager, gift.id, gift.uses + 1);
    return gift;
  }
}

function durationOf({ id, days, expiresAt }: GiftCode, at: Date): number {
  const limits = [
    ...(days === null ? [] : [inMilliseconds.days(days)]),
    ...(expiresAt === null ? [] : [Math.max(0, expiresAt.getTime() - at.getTime())]),
  ];
  if (limits.length === 0) throw new Error(`gift code ${id} has no end`);
  return Math.min(...limits);
}
