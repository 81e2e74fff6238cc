import type { Environment } from '@clearframe/runtime/config';
import type { Pool } from 'pg';
import type supertest from 'supertest';
import type { Faults } from '../../../../sandbox/src/core/faults.js';
import type { Sandbox } from '../../../../sandbox/src/server.js';

/** What the providers hold, as tables. Read by tests, never by the product. */
const LEDGER_VIEWS = `
CREATE SCHEMA ledger;
CREATE VIEW ledger.subscriptions AS
  SELECT id, 'paypal' AS provider, NULL AS customer_id, body ->> 'plan_id' AS price_id,
    CASE body ->> 'status' WHEN 'CANCELLED' THEN 'canceled' ELSE lower(body ->> 'status') END AS status,
    CASE body ->> 'status' WHEN 'CANCELLED' THEN (body ->> 'status_update_time')::timestamptz END AS ended_at,
    (body ->> 'create_time')::timestamptz AS created_at
  FROM sandbox.objects WHERE type = 'paypal.subscription'
  UNION ALL
  SELECT id, 'stripe', body ->> 'customer', coalesce(body ->> '_nextPrice', body #>> '{items,data,0,price,id}'), body ->> 'status',
    to_timestamp((body ->> 'ended_at')::bigint), to_timestamp((body ->> 'created')::bigint)
  FROM sandbox.objects WHERE type = 'subscription';
CREATE VIEW ledger.charges AS
  SELECT id, body ->> '_subject' AS subject_id, (body ->> '_amountCents')::int AS amount_cents,
    (body ->> '_refundedCents')::int AS refunded_cents,
    CASE body ->> 'status' WHEN 'DECLINED' THEN 'declined' END AS failure_code,
    to_timestamp((body ->> '_createdAt')::bigint) + seq * interval '1 microsecond' AS created_at
  FROM sandbox.objects WHERE type = 'paypal.capture'
  UNION ALL
  SELECT c.id, coalesce(i.body #>> '{parent,subscription_details,subscription}', c.body ->> 'payment_intent'),
    (c.body ->> 'amount')::int, (c.body ->> 'amount_refunded')::int, c.body ->> 'failure_code',
    to_timestamp((c.body ->> 'created')::bigint) + c.seq * interval '1 microsecond'
  FROM sandbox.objects c
  LEFT JOIN sandbox.objects i ON i.type = 'invoice'
    AND i.body #>> '{payments,data,0,payment,payment_intent}' = c.body ->> 'payment_intent'
  WHERE c.type = 'charge';
CREATE VIEW ledger.orders AS
  SELECT id, CASE body ->> 'status' WHEN 'COMPLETED' THEN 'captured' WHEN 'VOIDED' THEN 'canceled'
    ELSE lower(body ->> 'status') END AS status
  FROM sandbox.objects WHERE type = 'paypal.order';
CREATE VIEW ledger.intents AS
  SELECT id, body ->> 'status' AS status FROM sandbox.objects WHERE type IN ('payment_intent', 'setup_intent');
`;

/** Response of the sandbox's developer routes. */
interface Confirmation {
  readonly status: 'succeeded' | 'failed' | 'requires_action';
  readonly payment_method_id?: string;
  readonly error_code?: string;
}

interface WalletOrder {
  readonly amountCents: number;
  readonly currency: string;
  readonly customId: string;
}

/** What tests do at the payment providers. */
export class TestProviders {
  readonly environment: Environment;
  /** Start of the addresses of the hosted pages. */
  readonly pagesUrl: string;

  private constructor(
    private readonly http: ReturnType<typeof supertest>,
    private readonly sandbox: Sandbox,
    private readonly pool: Pool,
    publicUrl: string,
  ) {
    this.environment = { STRIPE_API_URL: sandbox.url, PAYPAL_API_URL: sandbox.url };
    this.pagesUrl = `${publicUrl}/api/sandbox/pages/`;
  }

  static async open(
    http: ReturnType<typeof supertest>,
    sandbox: Sandbox,
    pool: Pool,
    publicUrl: string,
  ): Promise<TestProviders> {
    await pool.query(LEDGER_VIEWS);
    return new TestProviders(http, sandbox, pool, publicUrl);
  }

  get cardFaults(): Faults {
    return this.sandbox.faults;
  }

  get walletFaults(): Faults {
    return this.sandbox.walletFaults;
  }

  async confirm(kind: string, id: string, cardNumber: string): Promise<Confirmation> {
    const path = `/api/sandbox/payments/${kind}/${id}/confirm`;
    return (await this.http.post(path).send({ card_number: cardNumber }).expect(200)).body;
  }

  async approveSubscription(planId: string, customId: string): Promise<string> {
    const order = { plan_id: planId, custom_id: customId };
    const { body } = await this.http.post('/api/sandbox/payments/wallet/subscriptions').send(order).expect(201);
    return body.subscription_id;
  }

  async approveOrder({ amountCents, currency, customId }: WalletOrder): Promise<string> {
    const order = { amount_cents: amountCents, currency, custom_id: customId };
    const { body } = await this.http.post('/api/sandbox/payments/wallet/charges').send(order).expect(201);
    return body.charge_id;
  }

  async dispute(id: string): Promise<void> {
    await ((await this.isWallet(id)) ? this.sandbox.wallet.dispute(id) : this.sandbox.stripe.dispute(id));
  }

  async refundPayment(id: string, cents: number): Promise<number> {
    const { wallet, stripe } = this.sandbox;
    return (await this.isWallet(id)) ? wallet.refundPayment(id, cents) : stripe.refundPayment(id, cents);
  }

  async failFutureCharges(id: string): Promise<void> {
    const { wallet, stripe } = this.sandbox;
    await ((await this.isWallet(id)) ? wallet.failFutureCharges(id) : stripe.failFutureCharges(id));
  }

  payOpenInvoice(subscriptionId: string, cardNumber: string): Promise<unknown> {
    return this.sandbox.confirmations.payOpenInvoice(subscriptionId, cardNumber);
  }

  /** Resolves when all events so far were posted once. */
  deliverEvents(): Promise<void> {
    return this.sandbox.webhooks.deliver();
  }

  async withholdEvents(isWithheld: boolean): Promise<void> {
    this.sandbox.webhooks.withhold(isWithheld);
  }

  async advance(seconds: number): Promise<void> {
    await this.http.post('/api/sandbox/clock').send({ advance_seconds: seconds, wait: true }).expect(200);
  }

  private async isWallet(id: string): Promise<boolean> {
    const sql = `SELECT FROM sandbox.objects WHERE id = $1 AND type LIKE 'paypal.%'`;
    return (await this.pool.query(sql, [id])).rowCount !== 0;
  }
}
