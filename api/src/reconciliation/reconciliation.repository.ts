import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';

export type ReconciledTable = 'payments' | 'subscriptions' | 'upgrades' | 'checkouts';

/** Doubled with each check, at most an hour. */
const CHECK_INTERVAL = `least(interval '1 hour', interval '10 seconds' * power(2, least(checks, 12)))`;

@Injectable()
export class ReconciliationRepository {
  constructor(@InjectDataSource() private readonly database: DataSource) {}

  async scheduleNextCheck(table: ReconciledTable, id: string): Promise<void> {
    await this.database.query(
      `UPDATE ${table} SET checks = checks + 1, next_check_at = now() + ${CHECK_INTERVAL} WHERE id = $1`,
      [id],
    );
  }

  async stopCheckingPayment(id: string, createdBefore: Date): Promise<void> {
    await this.database.query('UPDATE payments SET next_check_at = NULL WHERE id = $1 AND created_at < $2', [
      id,
      createdBefore,
    ]);
  }

  /** A paid subscription is next checked when its period ends. */
  async resetChecks(subscriptionId: string, now: Date): Promise<void> {
    await this.database.query(
      `UPDATE subscriptions SET checks = 0, next_check_at = now()
       WHERE id = $1 AND status IN ('trialing', 'active') AND current_period_end > $2`,
      [subscriptionId, now],
    );
  }

  /** Returns text, because a Date would lose the microseconds. */
  async periodEndOf(subscriptionId: string): Promise<string | undefined> {
    const [row]: { end: string }[] = await this.database.query(
      'SELECT current_period_end::text AS end FROM subscriptions WHERE id = $1',
      [subscriptionId],
    );
    return row?.end;
  }

  async markNoticed(subscriptionId: string, periodEnd: string | undefined): Promise<void> {
    await this.database.query('UPDATE subscriptions SET noticed_for = $2 WHERE id = $1', [subscriptionId, periodEnd]);
  }

  async markFirstChargeRetried(subscriptionId: string): Promise<void> {
    await this.database.query('UPDATE subscriptions SET first_charge_retried_at = now() WHERE id = $1', [
      subscriptionId,
    ]);
  }

  async isUnconfirmed(subscriptionId: string, createdBefore: Date): Promise<boolean> {
    const rows: unknown[] = await this.database.query(
      `SELECT FROM subscriptions WHERE id = $1 AND status = 'pending' AND provider_id IS NULL
       AND created_at < $2`,
      [subscriptionId, createdBefore],
    );
    return rows.length > 0;
  }

  async abandonOwnerless(subscriptionId: string): Promise<void> {
    await this.database.query(
      `UPDATE subscriptions SET status = 'abandoned', customer_id = NULL WHERE id = $1 AND user_id IS NULL`,
      [subscriptionId],
    );
  }
}
