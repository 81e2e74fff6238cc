import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../support/application.js';
import { CARD, newKey, SandboxClient } from './sandbox-provider.js';

let api: TestApi;
let sandbox: SandboxClient;
beforeAll(async () => {
  api = await startApi();
  sandbox = new SandboxClient(api);
});
afterAll(() => api.stop());

const setup = async () => sandbox.cards.createSetupIntent(await sandbox.customer(), newKey());
const payment = async () =>
  sandbox.cards.createPaymentIntent({
    customerId: await sandbox.customer(),
    amountCents: 499,
    currency: 'usd',
    reference: randomUUID(),
    key: newKey(),
  });

describe('saving a card', () => {
  it.each([
    ['succeeds', CARD.succeeds, { status: 'succeeded' }],
    ['always the same', CARD.alwaysTheSame, { status: 'succeeded' }],
    ['charges fail later', CARD.chargeFails, { status: 'succeeded' }],
    ['declined', CARD.declined, { status: 'failed', error_code: 'card_declined' }],
    ['insufficient funds', CARD.insufficientFunds, { status: 'failed', error_code: 'insufficient_funds' }],
    ['asks for a confirmation', CARD.redirected, { status: 'requires_action' }],
  ])('%s', async (_name, number, expected) => {
    const { clientSecret } = await setup();
    const { body } = await sandbox.confirm(clientSecret, number).expect(200);
    expect(body).toMatchObject(expected);
    expect('payment_method_id' in body).toBe(expected.status === 'succeeded');
    expect('redirect_url' in body).toBe(expected.status === 'requires_action');
  });

  it("belongs to the intent's customer and has ids of the sandbox", async () => {
    const customerId = await sandbox.customer();
    const { clientSecret } = await sandbox.cards.createSetupIntent(customerId, newKey());
    const { body } = await sandbox.confirm(clientSecret, CARD.succeeds);
    expect(customerId).toMatch(/^sbx_cus_/);
    expect(clientSecret).toMatch(/^sbx_seti_[0-9a-f]+_secret_[0-9a-f]+$/);
    expect(body.payment_method_id).toMatch(/^sbx_pm_/);
    expect(await sandbox.cards.readPaymentMethod(body.payment_method_id)).toMatchObject({ customerId });
    expect(await sandbox.cards.readPaymentMethod('sbx_pm_none')).toBeNull();
  });

  it('4242 is a new card at each use, 5555 always the same', async () => {
    const fingerprintOf = async (number: string) => {
      const { paymentMethodId } = await sandbox.cardHolder(number);
      return (await sandbox.cards.readPaymentMethod(paymentMethodId))?.fingerprint;
    };
    expect(await fingerprintOf(CARD.succeeds)).not.toBe(await fingerprintOf(CARD.succeeds));
    expect(await fingerprintOf(CARD.alwaysTheSame)).toBe(await fingerprintOf(CARD.alwaysTheSame));
  });

  it('works after a declined card; a succeeded intent stays so', async () => {
    const { clientSecret } = await setup();
    await sandbox.confirm(clientSecret, CARD.declined);
    const { body } = await sandbox.confirm(clientSecret, CARD.succeeds);
    expect(body.status).toBe('succeeded');
    const again = await sandbox.confirm(clientSecret, CARD.declined);
    expect(again.body).toEqual(body);
  });
});

describe('paying once by card', () => {
  it.each([
    ['succeeds', CARD.succeeds, 'succeeded', { status: 'succeeded' }],
    ['declined', CARD.declined, 'pending', { status: 'failed', error_code: 'card_declined' }],
    ['insufficient funds', CARD.insufficientFunds, 'pending', { status: 'failed', error_code: 'insufficient_funds' }],
    ['charges fail', CARD.chargeFails, 'pending', { status: 'failed', error_code: 'card_declined' }],
    ['asks for a confirmation', CARD.redirected, 'pending', { status: 'requires_action' }],
  ])('%s', async (_name, number, status, expected) => {
    const { id, clientSecret } = await payment();
    const { body } = await sandbox.confirm(clientSecret, number).expect(200);
    expect(body).toMatchObject(expected);
    expect(await sandbox.cards.readPayment(id)).toMatchObject({ status, amountCents: 499, refundedCents: 0 });
  });

  it('pays once at once, however often the card is presented', async () => {
    const { id, clientSecret } = await payment();
    await Promise.all(Array.from({ length: 5 }, () => sandbox.confirm(clientSecret, CARD.succeeds).expect(200)));
    expect(await api.sql('SELECT amount_cents FROM sandbox_charges WHERE subject_id = $1', [id])).toHaveLength(1);
    expect(await sandbox.events(id)).toEqual(['payment_intent.succeeded']);
  });

  it("does not save the card, which can't be charged later", async () => {
    const { clientSecret } = await payment();
    const { body } = await sandbox.confirm(clientSecret, CARD.succeeds);
    expect(await sandbox.cards.readPaymentMethod(body.payment_method_id)).toMatchObject({ customerId: null });
  });

  it('expires after a day without payment', async () => {
    const { id, clientSecret } = await payment();
    await sandbox.confirm(clientSecret, CARD.declined);
    await sandbox.advance(24 * 3600);
    expect(await sandbox.cards.readPayment(id)).toMatchObject({ status: 'canceled' });
    const { body } = await sandbox.confirm(clientSecret, CARD.succeeds);
    expect(body).toEqual({ status: 'failed', error_code: 'intent_canceled' });
  });
});

describe('an invalid card number', () => {
  const REAL = '4012 8888 8888 1881';

  it('is rejected as a possibly real card', async () => {
    for (const { clientSecret } of [await setup(), await payment()]) {
      const { body } = await sandbox.confirm(clientSecret, REAL).expect(422);
      expect(body.error_code).toBe('sandbox.real_card_refused');
      expect(JSON.stringify(body)).not.toContain('1881');
      await sandbox.confirm(clientSecret, CARD.succeeds).expect(200);
    }
  });

  it.each(['4242 4242 4242 4241', 'my card', '42', '4'.repeat(41), ''])('is rejected: %s', async (number) => {
    const { clientSecret } = await setup();
    const { body } = await sandbox.confirm(clientSecret, number).expect(422);
    expect(body).toMatchObject({ error_code: 'request.invalid', details: { card_number: expect.any(String) } });
  });

  it('is rejected for an unknown intent or one of another kind', async () => {
    const { id } = await payment();
    const ask = (path: string) =>
      api.http.post(`/api/sandbox/payments/${path}/confirm`).send({ card_number: CARD.succeeds });
    await ask('payment_intents/sbx_pi_none').expect(404);
    await ask(`setup_intents/${id}`).expect(404);
  });

  it('is stored in no table', async () => {
    const tables = await api.sql<{ name: string }>(
      "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'",
    );
    expect(tables.length).toBeGreaterThan(15);
    for (const { name } of tables) {
      const [found] = await api.sql(
        `SELECT 1 FROM "${name}" AS row WHERE regexp_replace(row::text, '[ -]', '', 'g') ~ '(4242424242424242|5555555555554444|40000000000000|4012888888881881)' LIMIT 1`,
      );
      expect(found, name).toBeUndefined();
    }
  });
});

describe('the wallet', () => {
  const charge = (body: object = {}) =>
    api.http
      .post('/api/sandbox/payments/wallet/charges')
      .send({ amount_cents: 999, currency: 'eur', custom_id: 'buyer-1', ...body });

  it('captures once, on request', async () => {
    const { body } = await charge({ payer_email: 'payer@example.com' }).expect(201);
    const id: string = body.charge_id;
    expect(id).toMatch(/^sbx_ch_/);
    expect(await sandbox.wallet.readPayment(id)).toMatchObject({ status: 'approved', reference: 'buyer-1' });
    const captures = await Promise.all(Array.from({ length: 4 }, () => sandbox.wallet.capturePayment(id, newKey())));
    for (const capture of captures) {
      expect(capture).toMatchObject({
        status: 'succeeded',
        amountCents: 999,
        currency: 'eur',
        payerEmail: 'payer@example.com',
      });
    }
    expect(await api.sql('SELECT amount_cents FROM sandbox_charges WHERE subject_id = $1', [id])).toHaveLength(1);
    expect(await sandbox.events(id)).toEqual(['CHECKOUT.ORDER.APPROVED', 'PAYMENT.CAPTURE.COMPLETED']);
  });

  it('cancels orders that are not captured within a day', async () => {
    const { body } = await charge().expect(201);
    await sandbox.advance(24 * 3600);
    expect(await sandbox.wallet.readPayment(body.charge_id)).toMatchObject({ status: 'canceled' });
    expect(await sandbox.wallet.capturePayment(body.charge_id, newKey())).toMatchObject({ status: 'canceled' });
  });

  it('does not see card payments, nor cards wallet payments', async () => {
    const { body } = await charge().expect(201);
    const { id } = await payment();
    expect(await sandbox.cards.readPayment(body.charge_id)).toBeNull();
    expect(await sandbox.wallet.readPayment(id)).toBeNull();
  });

  it.each([{ amount_cents: 0 }, { amount_cents: 1.5 }, { currency: 'xxx' }, { custom_id: '' }])(
    'rejects %o',
    async (body) => {
      await charge(body).expect(422);
    },
  );
});

describe('refunds', () => {
  it('are at most what was paid', async () => {
    const { id, clientSecret } = await payment();
    expect(await sandbox.controls.refundPayment(id, 100)).toBe(0);
    await sandbox.confirm(clientSecret, CARD.succeeds);
    expect(await sandbox.controls.refundPayment(id, 400)).toBe(400);
    expect(await sandbox.controls.refundPayment(id, 400)).toBe(99);
    expect(await sandbox.controls.refundPayment(id, 1)).toBe(0);
    expect(await sandbox.cards.readPayment(id)).toMatchObject({ status: 'succeeded', refundedCents: 499 });
    expect(await sandbox.events(id)).toEqual(['payment_intent.succeeded', 'charge.refunded', 'charge.refunded']);
  });

  it('are impossible during a dispute', async () => {
    const { id, clientSecret } = await payment();
    await sandbox.confirm(clientSecret, CARD.succeeds);
    await sandbox.controls.dispute(id);
    expect(await sandbox.cards.readPayment(id)).toMatchObject({ status: 'succeeded', isDisputed: true });
    expect(await sandbox.controls.refundPayment(id, 1)).toBe(0);
    expect(await sandbox.events(id)).toContain('charge.dispute.created');
  });
});
