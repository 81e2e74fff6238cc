import type { Currency, Receipt, ReceiptList, SubscriptionStatus, UserExport } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import type { Payment, Subscription } from '../billing-accounts/billing-account.js';
import { Seller, SellerConfig } from './seller.config.js';

export interface Charge {
  /** The same in every reading of the charge. */
  readonly key: string;
  readonly paymentId: string | null;
  readonly subscriptionId: string | null;
  readonly priceId: string;
  readonly amountCents: number;
  readonly currency: Currency;
  readonly chargedAt: Date;
}

export function chargeOfPayment({ id, priceId, amountCents, currency, settledAt, createdAt }: Payment): Charge {
  const chargedAt = settledAt ?? createdAt;
  return { key: id, paymentId: id, subscriptionId: null, priceId, amountCents, currency, chargedAt };
}

const keyOfPeriod = ({ id, currentPeriodStart }: Subscription): string =>
  `${id}:${currentPeriodStart?.toISOString() ?? 'none'}`;

export function chargeOfPeriod(subscription: Subscription): Charge | null {
  const { id, priceId, paidCents, currency, currentPeriodStart } = subscription;
  if (paidCents === 0 || !currentPeriodStart) return null;
  return {
    key: keyOfPeriod(subscription),
    paymentId: null,
    subscriptionId: id,
    priceId,
    amountCents: paidCents,
    currency,
    chargedAt: currentPeriodStart,
  };
}

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

const ADD = `
  INSERT INTO receipts (number, charge, payment_id, subscription_id, price_id, amount_cents, currency, charged_at, seller)
  SELECT 'CF-' || to_char($7::timestamptz AT TIME ZONE 'UTC', 'YYYY-') || lpad(n::text, greatest(6, length(n::text)), '0'),
    $1, $2, $3, $4, $5, $6, $7, $8
  FROM nextval('receipt_numbers') n
  ON CONFLICT (charge) DO NOTHING`;

/** A charge as its invoice states it. */
export interface InvoicedCharge extends Pick<Charge, 'priceId' | 'amountCents' | 'currency' | 'chargedAt'> {
  readonly number: string;
  /** Of the day of the charge. */
  readonly seller: Seller;
}

interface ReceiptRow extends Omit<UserExport['receipts'][number], 'chargedAt'> {
  readonly chargedAt: Date;
}

@Injectable()
export class ReceiptRepository {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly seller: SellerConfig,
  ) {}

  async numberOf(manager: EntityManager, charge: Charge): Promise<string> {
    const existing = await this.find(manager, charge.key);
    if (existing) return existing;
    const { key, paymentId, subscriptionId, priceId, amountCents, currency, chargedAt } = charge;
    const terms = [priceId, amountCents, currency, chargedAt, JSON.stringify(this.seller)];
    await manager.query(ADD, [key, paymentId, subscriptionId, ...terms]);
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

  /**
   * Newest first, to the second that Stripe tells; within it in the order of their numbers.
   * @param after number of the receipt before the first
   */
  async page(userId: string, limit: number, after: string | null): Promise<ReceiptList> {
    const rows: (Omit<Receipt, 'chargedAt'> & { readonly chargedAt: Date })[] = await this.database.query(
      `SELECT number, charged_at AS "chargedAt", price_id AS item, amount_cents AS "amountCents",
         refunded_cents AS "refundedCents", currency, provider
       FROM (
         SELECT r.*, p.refunded_cents, p.provider FROM payments p JOIN receipts r ON r.payment_id = p.id
           WHERE p.user_id = $1
         UNION ALL
         SELECT r.*, 0, s.provider FROM subscriptions s JOIN receipts r ON r.subscription_id = s.id
           WHERE s.user_id = $1
       ) own
       WHERE $3::text IS NULL
         OR (date_trunc('second', charged_at), number)
           < (SELECT date_trunc('second', c.charged_at), c.number FROM receipts c WHERE c.number = $3)
       ORDER BY date_trunc('second', charged_at) DESC, number DESC LIMIT $2`,
      [userId, limit + 1, after],
    );
    const data = rows.slice(0, limit).map(({ chargedAt, ...row }) => ({ ...row, chargedAt: chargedAt.toISOString() }));
    return { data, hasMore: rows.length > limit };
  }

  /** Null for a number that is unknown, or another user's. */
  async chargeOf(userId: string, number: string): Promise<InvoicedCharge | null> {
    const [row]: (Omit<InvoicedCharge, 'seller'> & { readonly seller: unknown })[] = await this.database.query(
      `SELECT r.number, r.price_id AS "priceId", r.amount_cents AS "amountCents", r.currency,
         r.charged_at AS "chargedAt", r.seller
       FROM receipts r LEFT JOIN payments p ON p.id = r.payment_id LEFT JOIN subscriptions s ON s.id = r.subscription_id
       WHERE r.number = $2 AND (p.user_id = $1 OR s.user_id = $1)`,
      [userId, number],
    );
    return row ? { ...row, seller: row.seller === null ? this.seller : Seller.parse(row.seller) } : null;
  }

  private async find(manager: EntityManager, charge: string): Promise<string | null> {
    const [row]: { number: string }[] = await manager.query('SELECT number FROM receipts WHERE charge = $1', [charge]);
    return row?.number ?? null;
  }
}
