import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../test/support/application.js';
import { Customer, controlsOf, price, walletFaultsOf } from '../../test/support/billing/customer.js';
import { PictureFactory } from '../../test/support/billing/picture-factory.js';
import { storedMail } from '../../test/support/mail.js';
import { until } from '../../test/support/until.js';
import { newEmail } from '../../test/support/visitor.js';

let api: TestApi;
let factory: PictureFactory;
beforeAll(async () => {
  api = await startApi();
  factory = await PictureFactory.open(api);
});
afterAll(async () => {
  await factory?.close();
  await api.stop();
});

const refused = async (orderId: string) =>
  (await api.sql('SELECT FROM refused_approvals WHERE provider_id = $1', [orderId])).length === 1;

describe("a guest's picture that is charged twice", () => {
  const CAPTURE = 'POST /v2/checkout/orders/{id}/capture';

  afterEach(() => controlsOf(api).webhooks('sent'));

  interface Buyer {
    readonly guest: Customer;
    readonly taskId: string;
    readonly email: string;
  }

  async function buyer(): Promise<Buyer> {
    const guest = await Customer.guest(api);
    return { guest, taskId: await factory.picture(guest), email: newEmail() };
  }
  async function choose({ guest, taskId, email }: Buyer, more: object = {}): Promise<Record<string, string>> {
    const picture = { client_task_id: taskId, unlocked_exports: 1, receipt_email: email };
    const { body } = await guest.visitor
      .post('/checkouts', { price_id: price('single_export_usd'), ...picture, ...more })
      .expect(201);
    return body;
  }

  const leaveUnchecked = async ({ guest }: Buyer): Promise<void> => {
    const userId = await guest.userId();
    for (const table of ['payments', 'checkouts']) {
      await api.sql(`UPDATE ${table} SET next_check_at = now() + interval '1 hour' WHERE user_id = $1`, [userId]);
    }
  };

  /** The wallet's order is captured, and the response arrives when the card's intent exists. Only returns are processed. */
  async function duringCapture(one: Buyer) {
    await controlsOf(api).webhooks('withheld');
    const { custom_id: customId = '' } = await choose(one, { provider: 'paypal' });
    const wallet = await api.providers.approveOrder({ amountCents: 499, currency: 'usd', customId });
    const { reached, release } = walletFaultsOf(api).holdNextResponse(CAPTURE);
    const returned = one.guest.visitor.post('/paypal/charges', {
      charge_id: wallet,
      amount_cents: 499,
      currency: 'usd',
      unlocked_exports: 1,
      client_task_id: one.taskId,
    });
    const result = returned.then(({ status, body }) => body.error_code ?? status);
    await reached;
    await leaveUnchecked(one);
    const { client_secret: secret = '' } = await choose(one);
    await leaveUnchecked(one);
    const finish = (): Promise<unknown> => {
      release();
      return result;
    };
    return { wallet, card: secret.split('_secret_')[0] ?? '', secret, finish };
  }

  async function keptOf(payment: string): Promise<number> {
    const [charge] = await api.sql<{ kept: number }>(
      'SELECT amount_cents - refunded_cents AS kept FROM ledger.charges WHERE subject_id = $1 AND failure_code IS NULL',
      [payment],
    );
    return charge?.kept ?? 0;
  }
  const rowOf = async (payment: string) =>
    (
      await api.sql<{ is_duplicate: boolean; refunded_cents: number }>(
        'SELECT is_duplicate, refunded_cents FROM payments WHERE provider_id = $1',
        [payment],
      )
    )[0];
  const mailsTo = async ({ email }: Buyer): Promise<string[]> =>
    (await storedMail(api, email)).map(({ kind }) => kind).sort();

  it('by the wallet after the card: the wallet is refunded', async () => {
    const one = await buyer();
    const { wallet, card, secret, finish } = await duringCapture(one);
    await one.guest.pay(secret);
    await one.guest.confirm(card).expect(200);
    expect(await finish()).toBe('payments.duplicate');
    expect([await keptOf(card), await keptOf(wallet), await one.guest.credits()]).toEqual([499, 0, 1]);
    expect(await mailsTo(one)).toEqual(['paidTwice', 'pictureReceipt']);
    const { body } = await one.guest.visitor.get('/users/@me/export').expect(200);
    expect(body.payments).toContainEqual(
      expect.objectContaining({ payment_id: wallet, is_duplicate: true, refunded_cents: 499 }),
    );
    expect(body.receipts).toHaveLength(2);
  });

  it('by the card after the wallet: the card is refunded once, however often returns and events are repeated', async () => {
    const one = await buyer();
    const { wallet, card, secret, finish } = await duringCapture(one);
    expect(await finish()).toBe(201);
    await one.guest.pay(secret);
    const returns = await Promise.all([1, 2, 3].map(() => one.guest.confirm(card)));
    expect(returns.map(({ status }) => status)).not.toContain(200);
    await controlsOf(api).webhooks('sent');
    await controlsOf(api).deliverEvents();
    await until(async () => (await rowOf(card))?.refunded_cents === 499, 'the refund');
    expect((await one.guest.confirm(card)).body.error_code).toBe('payments.duplicate');
    expect([await keptOf(card), await keptOf(wallet), await one.guest.credits()]).toEqual([0, 499, 1]);
    expect(await mailsTo(one)).toEqual(['paidTwice', 'pictureReceipt']);
  });

  describe.each([
    ['lost', 'drop_after'],
    ['an error', 'error'],
  ] as const)('and the response to the refund is %s', (_name, kind) => {
    /** The sweep finds the refund that is due, as it does after the end of a process. */
    const sweep = async (payment: string): Promise<void> => {
      expect(await rowOf(payment)).toEqual({ is_duplicate: true, refunded_cents: 0 });
      await api.sql('UPDATE payments SET next_check_at = now() WHERE provider_id = $1', [payment]);
      await until(async () => (await rowOf(payment))?.refunded_cents === 499, 'the refund');
      expect(await keptOf(payment)).toBe(0);
    };

    it('is refunded to the card by the sweep', async () => {
      const one = await buyer();
      const { card, secret, finish } = await duringCapture(one);
      expect(await finish()).toBe(201);
      await one.guest.pay(secret);
      api.providers.cardFaults.add({ operation: 'POST /v1/refunds', kind, times: 2, status: 500 });
      await one.guest.confirm(card).expect(503);
      api.providers.cardFaults.clear();
      await sweep(card);
    });

    it('is refunded to the wallet by the sweep', async () => {
      const one = await buyer();
      const { wallet, card, secret, finish } = await duringCapture(one);
      await one.guest.pay(secret);
      await one.guest.confirm(card).expect(200);
      const operation = 'POST /v2/payments/captures/{id}/refund';
      api.providers.walletFaults.add({ operation, kind, times: 1, status: 500 });
      expect(await finish()).toBe('service.unavailable');
      await sweep(wallet);
    });
  });

  it('in two currencies is charged in the one that was opened last', async () => {
    const { guest, taskId } = await buyer();
    const dollars = await guest.intent('single_export_usd', 1, taskId);
    const euros = await guest.intent('single_export_eur', 1, taskId);
    expect((await guest.pay(dollars.client_secret)).status).toBe('failed');
    expect((await guest.pay(euros.client_secret)).status).toBe('succeeded');
    await guest.confirm(euros.payment_id).expect(200);
  });

  it('by two approvals of the wallet at once is refunded once', async () => {
    const one = await buyer();
    const orders = await Promise.all([1, 2].map(() => choose(one, { provider: 'paypal' })));
    const ids = await Promise.all(
      orders.map(({ custom_id: customId = '' }) =>
        api.providers.approveOrder({ amountCents: 499, currency: 'usd', customId }),
      ),
    );
    await until(async () => (await one.guest.credits()) === 1, 'the grant');
    await until(async () => {
      const rows = await Promise.all(ids.map(async (id) => (await refused(id)) || (await rowOf(id))));
      return rows.every(Boolean);
    }, 'both decisions');
    await until(async () => (await kept(ids)) === 499, 'one charge');
    expect(await one.guest.credits()).toBe(1);
  });
  const kept = async (ids: readonly string[]): Promise<number> =>
    (await Promise.all(ids.map(keptOf))).reduce((sum, cents) => sum + cents, 0);
});
