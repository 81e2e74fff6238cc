import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import {
  DataSource,
  type EntityManager,
  type EntityTarget,
  type FindOptionsWhere,
  IsNull,
  type ObjectLiteral,
} from 'typeorm';
import {
  CreditEntryRow,
  ExportUseRow,
  GiftRedemptionRow,
  PaymentRow,
  SubscriptionRow,
  TrialUseRow,
} from './account.entities.js';
import type { BillingAccount } from './billing-account.js';

type List = Exclude<keyof BillingAccount, 'userId'>;

export type OwnedTable = 'payments' | 'subscriptions';

const TABLES: Readonly<Record<List, { readonly entity: EntityTarget<ObjectLiteral>; readonly key: string }>> = {
  payments: { entity: PaymentRow, key: 'id' },
  subscriptions: { entity: SubscriptionRow, key: 'id' },
  credits: { entity: CreditEntryRow, key: 'id' },
  exports: { entity: ExportUseRow, key: 'taskId' },
  trials: { entity: TrialUseRow, key: 'subscriptionId' },
  gifts: { entity: GiftRedemptionRow, key: 'id' },
};
const LISTS = Object.keys(TABLES) as List[];

/**
 * Condition: the download of a task is paid for or reserved.
 * @param taskId an SQL expression
 */
export const isTaskUnlocked = (taskId: string): string =>
  `(EXISTS (SELECT FROM export_uses e WHERE e.task_id = ${taskId})
    OR EXISTS (SELECT FROM credit_entries c WHERE c.task_id = ${taskId} HAVING sum(c.amount) > 0))`;

@Injectable()
export class AccountRepository {
  constructor(@InjectDataSource() private readonly database: DataSource) {}

  /** For a change, the caller holds the user's lock. */
  async load(userId: string, manager: EntityManager = this.database.manager): Promise<BillingAccount> {
    const where = { userId };
    return {
      userId,
      payments: await manager.findBy(PaymentRow, where),
      subscriptions: await manager.findBy(SubscriptionRow, where),
      credits: await manager.findBy(CreditEntryRow, where),
      exports: await manager.findBy(ExportUseRow, where),
      trials: await manager.findBy(TrialUseRow, where),
      gifts: await manager.findBy(GiftRedemptionRow, where),
    };
  }

  async saveDifference(manager: EntityManager, before: BillingAccount, after: BillingAccount): Promise<void> {
    for (const list of LISTS) {
      if (before[list] === after[list]) continue;
      const { entity, key } = TABLES[list];
      const [old, now]: readonly ObjectLiteral[][] = [[...before[list]], [...after[list]]];
      const remaining = new Set(now?.map((row) => row[key]));
      const removed = (old ?? []).filter((row) => !remaining.has(row[key])).map((row) => row[key]);
      const changed = (now ?? []).filter((row) => !old?.includes(row));
      if (removed.length > 0) await manager.delete(entity, removed);
      if (changed.length > 0) await manager.upsert(entity, changed, [key]);
    }
  }

  /** Null for an unknown row or one without owner. */
  async ownerOf(
    table: OwnedTable,
    rowId: string,
    manager: EntityManager = this.database.manager,
  ): Promise<string | null> {
    const [row]: { user_id: string | null }[] = await manager.query(`SELECT user_id FROM ${table} WHERE id = $1`, [
      rowId,
    ]);
    return row?.user_id ?? null;
  }

  findPayment(where: FindOptionsWhere<PaymentRow>): Promise<PaymentRow | null> {
    return this.database.manager.findOneBy(PaymentRow, where);
  }

  findPayments(where: FindOptionsWhere<PaymentRow>): Promise<PaymentRow[]> {
    return this.database.manager.findBy(PaymentRow, where);
  }

  /** Records the refund of a payment whose account was erased. @returns false when the payment has an owner */
  async settleOrphan(paymentId: string): Promise<boolean> {
    const settled = {
      status: 'succeeded',
      isDuplicate: true,
      refundedCents: () => 'amount_cents',
      settledAt: () => 'coalesce(settled_at, now())',
    } as const;
    const { affected } = await this.database.manager.update(PaymentRow, { id: paymentId, userId: IsNull() }, settled);
    return affected === 1;
  }

  /**
   * A later read of a payment may bring its address back, until the next call.
   * @param age as a PostgreSQL interval
   */
  async purgePayerEmails(age: string): Promise<void> {
    await this.database.query(
      'UPDATE payments SET payer_email = NULL WHERE payer_email IS NOT NULL AND created_at < now() - $1::interval',
      [age],
    );
  }

  findSubscription(where: FindOptionsWhere<SubscriptionRow>): Promise<SubscriptionRow | null> {
    return this.database.manager.findOneBy(SubscriptionRow, where);
  }

  findSubscriptions(where: FindOptionsWhere<SubscriptionRow>): Promise<SubscriptionRow[]> {
    return this.database.manager.findBy(SubscriptionRow, where);
  }

  subscriptionExists(
    where: FindOptionsWhere<SubscriptionRow>,
    manager: EntityManager = this.database.manager,
  ): Promise<boolean> {
    return manager.existsBy(SubscriptionRow, where);
  }

  /** Null unless the task's export is reserved or committed. */
  async exportOwnerOf(manager: EntityManager, taskId: string): Promise<string | null> {
    const [use]: { user_id: string }[] = await manager.query('SELECT user_id FROM export_uses WHERE task_id = $1', [
      taskId,
    ]);
    return use?.user_id ?? null;
  }

  /** Numbers readings of a provider; taken before the reading starts. */
  async nextReadNo(): Promise<number> {
    const [row]: { no: string }[] = await this.database.query("SELECT nextval('billing_reads') AS no");
    return Number(row?.no);
  }

  lockPlainFingerprints(manager: EntityManager): Promise<{ subscription_id: string; fingerprint: string }[]> {
    return manager.query(
      'SELECT subscription_id, fingerprint FROM trial_uses WHERE fingerprint IS NOT NULL FOR UPDATE',
    );
  }

  async replaceFingerprint(manager: EntityManager, subscriptionId: string, hash: string): Promise<void> {
    await manager.query(
      `UPDATE trial_uses SET fingerprint = NULL, fingerprint_hash = CASE
         WHEN NOT EXISTS (SELECT FROM trial_uses o WHERE o.fingerprint_hash = $2) THEN $2 END
       WHERE subscription_id = $1`,
      [subscriptionId, hash],
    );
  }

  /** Null for a user without a customer at the card provider. */
  async findCustomerId(userId: string): Promise<string | null> {
    const [row]: { customer_id: string }[] = await this.database.query(
      'SELECT customer_id FROM billing_customers WHERE user_id = $1',
      [userId],
    );
    return row?.customer_id ?? null;
  }

  async insertCustomer(userId: string, customerId: string): Promise<void> {
    await this.database.query(
      'INSERT INTO billing_customers (user_id, customer_id, created_at) VALUES ($1, $2, now()) ON CONFLICT DO NOTHING',
      [userId, customerId],
    );
  }
}
