import type { Currency, UserExport } from '@clearframe/contract';
import type { EntityManager } from 'typeorm';
import type { Payment, Subscription } from '../account/state/billing-account.js';

/** Money that was taken once. */
export interface Charge {
  /** Names the charge, however often it is read. */
  readonly key: string;
  readonly paymentId: string | null;
  readonly subscriptionId: string | null;
  readonly priceId: string;
  readonly amountCents: number;
  readonly currency: Currency;
  readonly chargedAt: Date;
}

/** The charge of a purchase. */
export function chargeOfPayment({ id, priceId, amountCents, currency, settledAt, createdAt }: Payment): Charge {
  const chargedAt = settledAt ?? createdAt;
  return { key: id, paymentId: id, subscriptionId: null, priceId, amountCents, currency, chargedAt };
}

const keyOfPeriod = ({ id, currentPeriodStart }: Subscription): string =>
  `${id}:${currentPeriodStart?.toISOString() ?? 'none'}`;

/** The charge of a subscription's running period; null for one that cost nothing. */
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

/** `CF-2026-000042`: the year of the charge and a number that counts on through the years; it may skip some. */
const ADD = `
  INSERT INTO receipts (number, charge, payment_id, subscription_id, price_id, amount_cents, currency, charged_at)
  SELECT 'CF-' || to_char($7::timestamptz AT TIME ZONE 'UTC', 'YYYY-') || lpad(n::text, greatest(6, length(n::text)), '0'),
    $1, $2, $3, $4, $5, $6, $7
  FROM nextval('receipt_numbers') n
  ON CONFLICT (charge) DO NOTHING`;

async function find(manager: EntityManager, charge: string): Promise<string | null> {
  const [row]: { number: string }[] = await manager.query('SELECT number FROM receipts WHERE charge = $1', [charge]);
  return row?.number ?? null;
}

/** The receipt number of a charge, given at the first call and the same ever after. */
export async function receiptNumberOf(manager: EntityManager, charge: Charge): Promise<string> {
  const known = await find(manager, charge.key);
  if (known) return known;
  const { key, paymentId, subscriptionId, priceId, amountCents, currency, chargedAt } = charge;
  await manager.query(ADD, [key, paymentId, subscriptionId, priceId, amountCents, currency, chargedAt]);
  const number = await find(manager, key);
  if (!number) throw new Error(`no receipt was written for the charge ${key}`);
  return number;
}

/** The receipt of a subscription's running period. Before there were receipt numbers, mails named the subscription's id. */
export const receiptNumberOfPeriod = async (manager: EntityManager, subscription: Subscription): Promise<string> =>
  (await find(manager, keyOfPeriod(subscription))) ?? subscription.id;

interface ReceiptRow extends Omit<UserExport['receipts'][number], 'chargedAt'> {
  readonly chargedAt: Date;
}

/** The receipts of a user's charges, oldest first, with the provider's ids. */
export async function receiptsOf(manager: EntityManager, userId: string): Promise<UserExport['receipts']> {
  const rows: ReceiptRow[] = await manager.query(
    `SELECT r.number, p.provider_id AS "paymentId", s.provider_id AS "subscriptionId", r.price_id AS "priceId",
       r.amount_cents AS "amountCents", r.currency, r.charged_at AS "chargedAt"
     FROM receipts r LEFT JOIN payments p ON p.id = r.payment_id LEFT JOIN subscriptions s ON s.id = r.subscription_id
     WHERE p.user_id = $1 OR s.user_id = $1 ORDER BY r.charged_at, r.number`,
    [userId],
  );
  return rows.map(({ chargedAt, ...receipt }) => ({ ...receipt, chargedAt: chargedAt.toISOString() }));
}
