import type { SubscriptionStatus } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Payment } from '../billing-accounts/billing-account.js';

export interface Subscriber {
  readonly subscriptionId: string;
  readonly userId: string;
}

@Injectable()
export class BillingMailRepository {
  /** Entered at the last checkout of the same photo. */
  async receiptEmailOf(manager: EntityManager, { userId, taskId }: Payment): Promise<string | null> {
    if (!userId || !taskId) return null;
    const [checkout]: { receipt_email: string | null }[] = await manager.query(
      `SELECT receipt_email FROM checkouts WHERE user_id = $1 AND task_id = $2 AND kind = 'pack'
       ORDER BY created_at DESC LIMIT 1`,
      [userId, taskId],
    );
    return checkout?.receipt_email ?? null;
  }

  /** Subscribers who will renew at the price. */
  subscribersOf(
    manager: EntityManager,
    priceId: string,
    statuses: readonly SubscriptionStatus[],
  ): Promise<Subscriber[]> {
    return manager.query(
      `SELECT id AS "subscriptionId", user_id AS "userId" FROM subscriptions
       WHERE price_id = $1 AND status = ANY ($2) AND NOT cancel_at_period_end AND superseded_at IS NULL
         AND user_id IS NOT NULL`,
      [priceId, statuses],
    );
  }
}
