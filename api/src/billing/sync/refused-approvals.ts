import { type ErrorCode, isErrorCode } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { lockUsers } from '../../platform/database/user-lock.js';
import { AppError } from '../../platform/errors/app-error.js';
import { type ApprovalRefusal, BillingMailer } from '../mail/billing-mailer.js';
import { type SubscriptionSnapshot, WalletProvider } from '../providers/port/payment-provider.js';
import { mapProviderErrors } from '../providers/port/provider-errors.js';

/**
 * Wallet approvals that were refused for good. The row is written under the user's lock before anything is ended, so that
 * an approval is either taken on or given back, whichever of its return and its event comes first.
 */
@Injectable()
export class RefusedApprovals {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly wallet: WalletProvider,
    private readonly mailer: BillingMailer,
  ) {}

  /** @throws AppError with the reason, for an approval that was refused */
  async requireNotRefused(manager: EntityManager, providerId: string | null): Promise<void> {
    const reason = providerId && (await this.reasonOf(providerId, manager));
    if (reason) throw new AppError(reason);
  }

  async reasonOf(providerId: string, manager: EntityManager = this.database.manager): Promise<ErrorCode | null> {
    const [row]: { reason: string }[] = await manager.query(
      'SELECT reason FROM refused_approvals WHERE provider_id = $1',
      [providerId],
    );
    return row && isErrorCode(row.reason) ? row.reason : null;
  }

  /**
   * Writes a refusal down, with the mail about it.
   * @returns false when the approval was taken on in the meantime
   */
  refuse(userId: string, providerId: string, reason: ErrorCode, refusal: ApprovalRefusal): Promise<boolean> {
    return this.database.transaction(async (manager) => {
      await lockUsers(manager, userId);
      const taken: unknown[] = await manager.query(
        `SELECT FROM subscriptions WHERE provider = 'paypal' AND provider_id = $1
         UNION ALL SELECT FROM payments WHERE provider = 'paypal' AND provider_id = $1`,
        [providerId],
      );
      if (taken.length > 0) return false;
      await manager.query('INSERT INTO refused_approvals VALUES ($1, $2, now()) ON CONFLICT DO NOTHING', [
        providerId,
        reason,
      ]);
      await this.mailer.approvalRefused(manager, userId, providerId, refusal);
      return true;
    });
  }

  /** Ends a subscription of the wallet and gives back what it took. Repeating it changes nothing. */
  async endAndRefund({ id, paidCents, endedAt }: SubscriptionSnapshot): Promise<void> {
    if (!endedAt) await mapProviderErrors(this.wallet.endSubscription(id, `send-back:${id}`));
    if (paidCents > 0) await mapProviderErrors(this.wallet.refundSubscription(id, paidCents, `send-back:${id}:refund`));
  }
}
