import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { CheckoutRow } from '../payments/checkout.repository.js';
import { UpgradeRow } from '../subscriptions/upgrade.repository.js';

interface CustomerRow {
  readonly customerId: string;
  readonly createdAt: Date;
}

/** PostgreSQL returns bigint as text. */
interface VideoUseRow {
  readonly taskId: string;
  readonly week: string;
  readonly sizeBytes: string;
  readonly seconds: number;
  readonly isKept: boolean;
  readonly createdAt: Date;
}

const TRANSFER = [
  'UPDATE export_uses SET user_id = $2 WHERE user_id = $1',
  'UPDATE credit_entries SET user_id = $2, task_id = NULL WHERE user_id = $1',
  'UPDATE payments SET user_id = $2, task_id = NULL WHERE user_id = $1',
  'UPDATE video_uses SET user_id = $2 WHERE user_id = $1',
  'UPDATE checkouts SET user_id = $2 WHERE user_id = $1',
  `DELETE FROM gift_redemptions g WHERE user_id = $1
   AND EXISTS (SELECT FROM gift_redemptions o WHERE o.user_id = $2 AND o.code_id = g.code_id)`,
  'DELETE FROM billing_customers WHERE user_id = $1',
];
const TRANSFER_GIFTS = 'UPDATE gift_redemptions SET user_id = $2 WHERE user_id = $1';

/** Tax law requires amounts and dates; all else that identifies the user is deleted. */
const ERASE = [
  `DELETE FROM subscription_codes WHERE subscription_id IN (SELECT id FROM subscriptions WHERE user_id = $1)`,
  'UPDATE payments SET user_id = NULL, customer_id = NULL, payer_email = NULL, task_id = NULL WHERE user_id = $1',
  // Its customer id later finds a pending subscription, to end it.
  `UPDATE subscriptions SET user_id = NULL, payment_method_id = NULL,
     customer_id = CASE WHEN status = 'pending' THEN customer_id END WHERE user_id = $1`,
  'UPDATE upgrades SET user_id = NULL WHERE user_id = $1',
  'DELETE FROM credit_entries WHERE user_id = $1',
  'DELETE FROM export_uses WHERE user_id = $1',
  // The hash stays, so that a card has one trial; nothing in the row identifies the account.
  `UPDATE trial_uses SET user_id = NULL, subscription_id = gen_random_uuid()
   WHERE user_id = $1 AND fingerprint_hash IS NOT NULL`,
  'DELETE FROM trial_uses WHERE user_id = $1',
  'DELETE FROM gift_redemptions WHERE user_id = $1',
  'DELETE FROM video_uses WHERE user_id = $1',
  'DELETE FROM checkouts WHERE user_id = $1',
  'DELETE FROM billing_customers WHERE user_id = $1',
];

@Injectable()
export class BillingDataRepository {
  constructor(@InjectDataSource() private readonly database: DataSource) {}

  /** @returns the number of gift redemptions moved */
  async transfer(manager: EntityManager, from: string, to: string): Promise<number> {
    for (const statement of TRANSFER) await manager.query(statement, statement.includes('$2') ? [from, to] : [from]);
    const [, gifts]: [unknown, number] = await manager.query(TRANSFER_GIFTS, [from, to]);
    return gifts;
  }

  async erase(manager: EntityManager, userId: string): Promise<void> {
    for (const statement of ERASE) await manager.query(statement, [userId]);
  }

  async usersWithPurchases(manager: EntityManager, userIds: readonly string[]): Promise<string[]> {
    const rows: { user_id: string }[] = await manager.query(
      `SELECT user_id FROM payments WHERE user_id = ANY ($1)
       UNION SELECT user_id FROM gift_redemptions WHERE user_id = ANY ($1)`,
      [userIds],
    );
    return rows.map((row) => row.user_id);
  }

  upgrades(userId: string): Promise<UpgradeRow[]> {
    return this.database.manager.find(UpgradeRow, { where: { userId }, order: { createdAt: 'ASC' } });
  }

  checkouts(userId: string): Promise<CheckoutRow[]> {
    return this.database.manager.find(CheckoutRow, { where: { userId }, order: { createdAt: 'ASC' } });
  }

  customers(userId: string): Promise<CustomerRow[]> {
    return this.database.query(
      'SELECT customer_id AS "customerId", created_at AS "createdAt" FROM billing_customers WHERE user_id = $1',
      [userId],
    );
  }

  videoUses(userId: string): Promise<VideoUseRow[]> {
    return this.database.query(
      `SELECT task_id AS "taskId", week::text, size_bytes AS "sizeBytes", seconds, is_kept AS "isKept",
         created_at AS "createdAt" FROM video_uses
       WHERE user_id = $1 ORDER BY created_at`,
      [userId],
    );
  }
}
