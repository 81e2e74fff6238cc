import { randomInt, randomUUID } from 'node:crypto';
import { type GiftCodeRedeemed, inMilliseconds } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { BillingAccounts } from '../billing-accounts/billing-accounts.js';
import { billingStateOf, entitlementsOf } from '../billing-accounts/entitlements.js';
import { sha256Hex } from '../platform/config/seal.js';
import { lockUsers } from '../platform/database/statements.js';
import { AppError } from '../platform/errors/app-error.js';
import { BillingClock } from '../providers/billing-clock.js';
import type { Caller } from '../sessions/caller.js';
import { type GiftCode, GiftCodeRepository } from './gift-codes.repository.js';

/** Crockford's alphabet, without letters that look like digits. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const GROUPS = 4;
const GROUP_LENGTH = 4;

/** For instance `GIFT-7K3Q-…`. 80 random bits, so the hash needs no salt. */
export function newCode(): string {
  const group = () => Array.from({ length: GROUP_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return ['GIFT', ...Array.from({ length: GROUPS }, group)].join('-');
}

/** Ignores case, dashes and spaces; reads O as 0, I and L as 1. */
const normalized = (code: string): string =>
  code.toUpperCase().replace(/[\s-]/g, '').replace(/^GIFT/, '').replaceAll('O', '0').replace(/[IL]/g, '1');

export const hashOf = (code: string): string => sha256Hex(normalized(code));

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
