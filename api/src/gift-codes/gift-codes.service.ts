import { randomUUID } from 'node:crypto';
import { type GiftCodeRedeemed, inMilliseconds } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { BillingAccounts } from '../billing/billing-accounts.js';
import { BillingClock } from '../billing/payment-provider.js';
import type { Caller } from '../identity/caller.js';
import { lockUsers } from '../platform/database/user-lock.js';
import { AppError } from '../platform/errors/app-error.js';
import { hashOf } from './code.js';
import { GiftCode } from './gift-code.entity.js';

/** Everything of business for a while, for whoever has a code. */
@Injectable()
export class GiftCodesService {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly accounts: BillingAccounts,
    private readonly clock: BillingClock,
  ) {}

  /**
   * Redeems a code, once for each user and as often as it has uses.
   * @throws AppError `gift_codes.not_found`, `gift_codes.used`, `gift_codes.expired`
   */
  async redeem({ userId }: Caller, code: string): Promise<GiftCodeRedeemed> {
    const expiresAt = await this.database.transaction(async (manager) => {
      await lockUsers(manager, userId);
      const gift = await this.take(manager, userId, code);
      await this.accounts.changeIn(manager, userId, (_account, at) => ({
        events: [{ kind: 'gift_redeemed', id: randomUUID(), codeId: gift.id, expiresAt: gift.expiresAt, at }],
        result: null,
      }));
      return gift.expiresAt;
    });
    return { giftCode: { isActive: true, expiryAt: expiresAt.toISOString() } };
  }

  /** Uses a code up by one; says when what it gives is over. */
  private async take(manager: EntityManager, userId: string, code: string): Promise<{ id: string; expiresAt: Date }> {
    const gift = await manager.findOne(GiftCode, {
      where: { codeHash: hashOf(code) },
      lock: { mode: 'pessimistic_write' },
    });
    if (!gift || gift.revokedAt) throw new AppError('gift_codes.not_found');
    const now = await this.clock.now();
    // At its last instant it is over.
    if (gift.expiresAt && gift.expiresAt <= now) throw new AppError('gift_codes.expired');
    const [isNew]: unknown[] = await manager.query(
      'INSERT INTO gift_code_uses VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING code_id',
      [gift.id, userId, now],
    );
    if (!isNew || gift.uses >= gift.maxUses) throw new AppError('gift_codes.used');
    await manager.update(GiftCode, gift.id, { uses: gift.uses + 1 });
    const end = gift.days === null ? null : new Date(now.getTime() + inMilliseconds.days(gift.days));
    const [expiresAt] = [end, gift.expiresAt].filter((date) => date !== null).sort((a, b) => a.getTime() - b.getTime());
    if (!expiresAt) throw new Error(`gift code ${gift.id} has no end`);
    return { id: gift.id, expiresAt };
  }
}
