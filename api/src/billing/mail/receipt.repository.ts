import type { UserExport } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Subscription } from '../account/state/billing-account.js';
import { type Charge, keyOfPeriod } from './receipts.js';

const ADD = `
  INSERT INTO receipts (number, charge, payment_id, subscription_id, price_id, amount_cents, currency, charged_at)
  SELECT 'CF-' || to_char($7::timestamptz AT TIME ZONE 'UTC', 'YYYY-') || lpad(n::text, greatest(6, length(n::text)), '0'),
    $1, $2, $3, $4, $5, $6, $7
  FROM nextval('receipt_numbers') n
  ON CONFLICT (charge) DO NOTHING`;

interface ReceiptRow extends Omit<UserExport['receipts'][number], 'chargedAt'> {
  readonly chargedAt: Date;
}

@Injectable()
export class ReceiptRepository {
  async numberOf(manager: EntityManager, charge: Charge): Promise<string> {
    const existing = await this.find(manager, charge.key);
    if (existing) return existing;
    const { key, paymentId, subscriptionId, priceId, amountCents, currency, chargedAt } = charge;
    await manager.query(ADD, [key, paymentId, subscriptionId, priceId, amountCents, currency, chargedAt]);
    const number = await this.find(manager, key);
    if (!number) throw new Error(`no receipt was written for the charge ${key}`);
    return number;
  }

  async numberOfPeriod(manager: EntityManager, subscription: Subscription): Promise<string> {
    return (await this.find(manager, keyOfPeriod(subscription))) ?? subscription.id;
  }

  async list(manager: EntityManager, userId: string): Promise<UserExport['receipts']> {
    const rows: ReceiptRow[] = await manager.query(
      `SELECT r.number, p.provider_id AS "paymentId", s.provider_id AS "subscriptionId", r.price_id AS "priceId",
         r.amount_cents AS "amountCents", r.currency, r.charged_at AS "chargedAt"
       FROM receipts r LEFT JOIN payments p ON p.id = r.payment_id LEFT JOIN subscriptions s ON s.id = r.subscription_id
       WHERE p.user_id = $1 OR s.user_id = $1 ORDER BY r.charged_at, r.number`,
      [userId],
    );
    return rows.map(({ chargedAt, ...receipt }) => ({ ...receipt, chargedAt: chargedAt.toISOString() }));
  }

  private async find(manager: EntityManager, charge: string): Promise<string | null> {
    const [row]: { number: string }[] = await manager.query('SELECT number FROM receipts WHERE charge = $1', [charge]);
    return row?.number ?? null;
  }
}
