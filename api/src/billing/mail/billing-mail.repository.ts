import type { Locale, SubscriptionStatus } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Payment } from '../account/state/billing-account.js';

export interface Recipient {
  readonly email: string | null;
  readonly wantsReminder: boolean;
  readonly language: Locale | null;
}

export interface Subscriber {
  readonly subscriptionId: string;
  readonly userId: string;
  readonly email: string;
  readonly language: Locale | null;
}

@Injectable()
export class BillingMailRepository {
  async recipient(manager: EntityManager, userId: string | null): Promise<Recipient | undefined> {
    const [recipient]: Recipient[] = await manager.query(
      `SELECT email, language, coalesce((preferences ->> 'wantsEmailReminder')::boolean, true) AS "wantsReminder"
       FROM users WHERE id = $1`,
      [userId],
    );
    return recipient;
  }

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

  subscribersOf(
    manager: EntityManager,
    priceId: string,
    statuses: readonly SubscriptionStatus[],
  ): Promise<Subscriber[]> {
    return manager.query(
      `SELECT s.id AS "subscriptionId", s.user_id AS "userId", u.email, u.language
       FROM subscriptions s JOIN users u ON u.id = s.user_id
       WHERE s.price_id = $1 AND s.status = ANY ($2) AND NOT s.cancel_at_period_end AND s.superseded_at IS NULL
         AND u.email IS NOT NULL`,
      [priceId, statuses],
    );
  }
}
