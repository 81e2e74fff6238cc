import type { Pool } from 'pg';
import type { PayPalConformance } from './paypal-conformance.js';
import type { StripeConformance } from './stripe-conformance.js';

/** The columns of `LEDGER_VIEWS`. */
const TABLES = `
CREATE SCHEMA ledger;
CREATE TABLE ledger.subscriptions (id text, provider text, customer_id text, price_id text, status text,
  ended_at timestamptz, created_at timestamptz);
CREATE TABLE ledger.charges (id text, subject_id text, amount_cents int, refunded_cents int, failure_code text,
  created_at timestamptz);
CREATE TABLE ledger.orders (id text, status text);
CREATE TABLE ledger.intents (id text, status text);
`;

export async function createLedger(pool: Pool): Promise<void> {
  await pool.query(TABLES);
}

interface StripeSubscription {
  readonly id: string;
  readonly customer: string;
  readonly status: string;
  readonly created: number;
  readonly ended_at: number | null;
  readonly items: { readonly data: readonly { readonly price: { readonly id: string } }[] };
}
interface StripeInvoice {
  readonly id: string;
  readonly parent: { readonly subscription_details: { readonly subscription: string } } | null;
  readonly status: string;
  readonly attempt_count: number;
  readonly created: number;
  readonly payments: { readonly data: readonly { readonly payment: { readonly payment_intent: string } }[] };
}
interface StripeCharge {
  readonly id: string;
  readonly payment_intent: string;
  readonly amount: number;
  readonly amount_refunded: number;
  readonly failure_code: string | null;
  readonly created: number;
}
interface StripeIntent {
  readonly id: string;
  readonly status: string;
}

const declinedOf = ({ id, parent, status, attempt_count: attempts, created }: StripeInvoice) =>
  Array.from({ length: attempts - (status === 'paid' && attempts > 0 ? 1 : 0) }, (_, index) => ({
    id: `${id}-${index}`,
    subject_id: parent?.subscription_details.subscription,
    amount_cents: 0,
    refunded_cents: 0,
    failure_code: 'card_declined',
    created_at: dateOf(created),
  }));

type Row = Readonly<Record<string, unknown>>;

const dateOf = (seconds: number): string => new Date(seconds * 1000).toISOString();

async function stripeRows(stripe: StripeConformance) {
  const [subscriptions, invoices, charges, payments, setups] = await Promise.all([
    stripe.list<StripeSubscription>('/subscriptions', { status: 'all' }),
    stripe.list<StripeInvoice>('/invoices', { 'expand[]': 'data.payments' }),
    stripe.list<StripeCharge>('/charges'),
    stripe.list<StripeIntent>('/payment_intents'),
    stripe.list<StripeIntent>('/setup_intents'),
  ]);
  const subjects = new Map(
    invoices.flatMap(({ parent, payments: { data } }) =>
      data.map(({ payment }) => [payment.payment_intent, parent?.subscription_details.subscription]),
    ),
  );
  return {
    subscriptions: subscriptions.map((one) => ({
      id: one.id,
      provider: 'stripe',
      customer_id: one.customer,
      price_id: one.items.data[0]?.price.id,
      status: one.status,
      ended_at: one.ended_at === null ? null : dateOf(one.ended_at),
      created_at: dateOf(one.created),
    })),
    // Charges of the same second stay in order. Declined attempts have no charge here.
    charges: [
      ...charges.map((one, index) => ({
        id: one.id,
        subject_id: subjects.get(one.payment_intent) ?? one.payment_intent,
        amount_cents: one.amount,
        refunded_cents: one.amount_refunded,
        failure_code: one.failure_code,
        created_at: dateOf(one.created + index / 1e3),
      })),
      ...invoices.flatMap(declinedOf),
    ],
    intents: [...payments, ...setups].map(({ id, status }) => ({ id, status })),
  };
}

const ORDER_STATUS: Readonly<Record<string, string>> = { COMPLETED: 'captured', VOIDED: 'canceled' };

async function paypalRows(paypal: PayPalConformance) {
  const subscriptions = await Promise.all(
    [...paypal.subscriptions.keys()].map(async (id) => {
      const path = `/v1/billing/subscriptions/${id}`;
      const one = await paypal.stateOf<{ status: string; plan_id: string; create_time: string }>(path);
      const status = one.status === 'CANCELLED' ? 'canceled' : one.status.toLowerCase();
      return { id, provider: 'paypal', price_id: one.plan_id, status, created_at: one.create_time };
    }),
  );
  const orders = await Promise.all(
    paypal.orders.map(async (id) => {
      const { status } = await paypal.stateOf<{ status: string }>(`/v2/checkout/orders/${id}`);
      return { id, status: ORDER_STATUS[status] ?? status.toLowerCase() };
    }),
  );
  const charges = (await paypal.charges()).map((one) => ({
    id: one.id,
    subject_id: one.subjectId,
    amount_cents: one.amountCents,
    refunded_cents: one.refundedCents,
  }));
  return { subscriptions, orders, charges };
}

/** Copies what the servers hold, so that tests read both kinds of providers by the same queries. */
export async function fillLedger(pool: Pool, stripe: StripeConformance, paypal: PayPalConformance): Promise<void> {
  const [cards, wallet] = await Promise.all([stripeRows(stripe), paypalRows(paypal)]);
  const tables: Readonly<Record<string, readonly Row[]>> = {
    subscriptions: [...cards.subscriptions, ...wallet.subscriptions],
    charges: [...cards.charges, ...wallet.charges],
    orders: wallet.orders,
    intents: cards.intents,
  };
  for (const [table, rows] of Object.entries(tables)) {
    const sql = `WITH removed AS (DELETE FROM ledger.${table})
      INSERT INTO ledger.${table} SELECT * FROM jsonb_populate_recordset(NULL::ledger.${table}, $1)`;
    await pool.query(sql, [JSON.stringify(rows)]);
  }
}
