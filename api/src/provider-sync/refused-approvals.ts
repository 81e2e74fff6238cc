import type { ErrorCode } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { type ApprovalRefusal, BillingMailer } from '../billing-mail/billing-mailer.js';
import { lockUsers } from '../platform/database/statements.js';
import { AppError } from '../platform/errors/app-error.js';
import { type SubscriptionSnapshot, WalletProvider } from '../providers/payment-provider.js';
import { ProviderPrices } from '../providers/provider-prices.js';
import { RefusedApprovalRepository } from './refused-approval.repository.js';

/**
 * Permanently refused wallet approvals. Recorded under the user's lock before anything is ended: an approval is either
 * fulfilled or refunded, whether its return or its event arrives first.
 */
@Injectable()
export class RefusedApprovals {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly repository: RefusedApprovalRepository,
    private readonly wallet: WalletProvider,
    private readonly prices: ProviderPrices,
    private readonly mailer: BillingMailer,
  ) {}

  /** @throws AppError with the reason of the refusal */
  async requireNotRefused(manager: EntityManager, providerId: string | null): Promise<void> {
    const reason = providerId && (await this.repository.reasonOf(providerId, manager));
    if (reason) throw new AppError(reason);
  }

  reasonOf(providerId: string): Promise<ErrorCode | null> {
    return this.repository.reasonOf(providerId);
  }

  refuse(userId: string, providerId: string, reason: ErrorCode, refusal: ApprovalRefusal): Promise<boolean> {
    return this.database.transaction(async (manager) => {
      await lockUsers(manager, userId);
      if (await this.repository.isFulfilled(manager, providerId)) return false;
      await this.repository.insert(manager, providerId, reason);
      await this.mailer.approvalRefused(manager, userId, providerId, refusal);
      return true;
    });
  }

  async refuseSubscription(userId: string, snapshot: SubscriptionSnapshot, reason: ErrorCode): Promise<void> {
    const priceId = this.prices.priceOf(snapshot.priceId) ?? null;
    const refusal = { priceId, refundCents: snapshot.paidCents, payerEmail: null };
    if (await this.refuse(userId, snapshot.id, reason, refusal)) await this.endAndRefund(snapshot);
  }

  async endAndRefund({ id, paidCents, endedAt }: SubscriptionSnapshot): Promise<void> {
    if (!endedAt) await this.wallet.endSubscription(id, `send-back:${id}`);
    if (paidCents > 0) await this.wallet.refundSubscription(id, paidCents, `send-back:${id}:refund`);
  }
}
