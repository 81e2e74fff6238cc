import { once } from 'node:events';
import { request } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { stripeSignature } from '../../../sandbox/src/stripe/events.js';
import { startApi, type TestApi } from '../../test/support/application.js';
import { Customer, faultsOf, payWithoutWebhook } from '../../test/support/billing/customer.js';
import { until } from '../../test/support/until.js';
import { CardProvider } from '../providers/payment-provider.js';
import { CONCURRENCY } from './webhooks.service.js';

let api: TestApi;
let customer: Customer;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());
beforeEach(async () => {
  customer = await Customer.member(api);
});

const ADDRESS = '/api/webhooks/stripe';
const FIVE_MINUTES_MS = 300_000;

interface Event {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

function eventOf(paymentId: string, signedAt = new Date()): Event {
  const body = JSON.stringify({
    id: `sbx_evt_${crypto.randomUUID()}`,
    object: 'event',
    type: 'payment_intent.succeeded',
    data: { object: { id: paymentId, object: 'payment_intent' } },
  });
  const signature = stripeSignature(api.environment.STRIPE_WEBHOOK_SECRET ?? '', body, signedAt);
  return { body, headers: { 'content-type': 'application/json', 'stripe-signature': signature } };
}
const send = ({ body, headers }: Event, path = ADDRESS) => api.http.post(path).set(headers).send(body);
const chargedCentsOf = async (paymentId: string) =>
  (await api.sql('SELECT FROM webhook_events WHERE subject_id = $1', [paymentId])).length;

describe('an event', () => {
  it('makes its subject be read once, however often it arrives', async () => {
    const event = eventOf(await payWithoutWebhook(customer));
    for (const { status } of await Promise.all([send(event), send(event), send(event)])) expect(status).toBe(200);
    await until(async () => (await customer.credits()) === 3, 'the credits');
    await send(event).expect(200);
    expect(await customer.credits()).toBe(3);
  });

  it('is not trusted: its subject is read from the provider', async () => {
    const { payment_id } = await customer.intent('three_exports_usd', 3);
    await send(eventOf(payment_id)).expect(200);
    await until(async () => {
      const sql = 'SELECT FROM webhook_events WHERE subject_id = $1 AND processed_at IS NOT NULL';
      return (await api.sql(sql, [payment_id])).length > 0;
    }, 'the event to be dealt with');
    expect(await customer.credits()).toBe(0);
  });

  it.each([
    ['changed by one byte', (event: Event) => ({ ...event, body: event.body.replace('succeeded', 'Succeeded') })],
    ['written anew', (event: Event) => ({ ...event, body: `${event.body} ` })],
    ['without a signature', ({ body }: Event) => ({ body, headers: { 'content-type': 'application/json' } })],
    [
      'signed with another key',
      ({ body, headers }: Event) => ({
        body,
        headers: { ...headers, 'stripe-signature': `t=${Math.floor(Date.now() / 1000)},v1=${'0'.repeat(64)}` },
      }),
    ],
  ])('%s is rejected', async (_how, change) => {
    const paymentId = await payWithoutWebhook(customer);
    const { body } = await send(change(eventOf(paymentId))).expect(400);
    expect(body.error_code).toBe('webhooks.signature_invalid');
    expect(await chargedCentsOf(paymentId)).toBe(0);
  });

  it('signed more than 300 seconds ago or ahead is rejected', async () => {
    const paymentId = await payWithoutWebhook(customer);
    for (const offset of [-FIVE_MINUTES_MS - 60_000, FIVE_MINUTES_MS + 60_000]) {
      await send(eventOf(paymentId, new Date(Date.now() + offset))).expect(400);
    }
    await send(eventOf(paymentId, new Date(Date.now() - FIVE_MINUTES_MS + 60_000))).expect(200);
  });

  it('is processed after an outage of the provider', async () => {
    const paymentId = await payWithoutWebhook(customer);
    faultsOf(api).disconnect();
    await send(eventOf(paymentId)).expect(200);
    expect(await customer.credits()).toBe(0);
    faultsOf(api).reconnect();
    await api.sql(`UPDATE webhook_events SET received_at = now() - interval '1 hour' WHERE subject_id = $1`, [
      paymentId,
    ]);
    await until(async () => (await customer.credits()) === 3, 'the credits');
  });

  it('that is too large, or for an unknown provider, is rejected', async () => {
    const event = eventOf('sbx_pi_none');
    const sending = request(`${api.url}${ADDRESS}`, { method: 'POST', headers: { 'content-length': 400_000 } });
    // The server does not wait for the unsent rest.
    sending.write('x'.repeat(300_000));
    const [response] = await once(sending, 'response');
    expect(response.statusCode).toBe(413);
    sending.destroy();
    for (const sender of ['sandbox', 'unknown']) {
      const { body } = await send(event, `/api/webhooks/${sender}`).expect(404);
      expect(body.error_code).toBe('request.not_found');
    }
  });

  it('about an unknown subject is accepted without effect', async () => {
    await send(eventOf('sbx_pi_none')).expect(200);
    await until(async () => {
      const [row] = await api.sql(`SELECT processed_at FROM webhook_events WHERE subject_id = 'sbx_pi_none'`);
      return row?.processed_at;
    }, 'the event to be dealt with');
  });
});

describe('many concurrent events', () => {
  it('are processed a few at a time; hanging ones do not block the others', async () => {
    const cardProvider = api.app.get(CardProvider, { strict: false });
    const read = cardProvider.readPayment.bind(cardProvider);
    const released = Promise.withResolvers<void>();
    let [running, most] = [0, 0];
    const spy = vi.spyOn(cardProvider, 'readPayment').mockImplementation(async (id) => {
      if (!id.startsWith('sbx_pi_flood')) return read(id);
      running += 1;
      most = Math.max(most, running);
      await released.promise;
      running -= 1;
      return null;
    });
    const events = await Promise.all(Array.from({ length: 30 }, (_, n) => eventOf(`sbx_pi_flood_${n}`)));
    for (const { status } of await Promise.all(events.map((event) => send(event)))) expect(status).toBe(200);
    // More when the requests take longer than scheduled work leaves them their events.
    await until(() => running >= CONCURRENCY, 'as many as are allowed');
    released.resolve();
    await until(async () => {
      const open = `SELECT FROM webhook_events WHERE subject_id LIKE 'sbx_pi_flood%' AND processed_at IS NULL`;
      return (await api.sql(open)).length === 0;
    }, 'all of them');
    // Scheduled work may have processed some.
    expect(most).toBeLessThanOrEqual(2 * CONCURRENCY);
    spy.mockRestore();
  });

  it('an event that always fails is set aside with its reason, and the next one is processed', async () => {
    const cardProvider = api.app.get(CardProvider, { strict: false });
    const read = cardProvider.readPayment.bind(cardProvider);
    const spy = vi.spyOn(cardProvider, 'readPayment').mockImplementation((id) => {
      if (id === 'sbx_pi_poison') throw new Error('no such shape');
      return read(id);
    });
    await send(eventOf('sbx_pi_poison')).expect(200);
    await api.sql(
      `UPDATE webhook_events SET received_at = now() - interval '1 hour' WHERE subject_id = 'sbx_pi_poison'`,
    );
    const held = `FROM work_attempts JOIN webhook_events ON subject = sender || ' ' || event_id
      WHERE subject_id = 'sbx_pi_poison'`;
    await until(async () => (await api.sql(`SELECT reason ${held} AND reason IS NOT NULL`)).length > 0, 'a failure');
    await api.sql(
      `UPDATE work_attempts SET attempts = 95, next_attempt_at = now() WHERE subject = (SELECT subject ${held})`,
    );
    const [row] = await until(async () => {
      const rows = await api.sql<{ reason: string }>(`SELECT reason ${held} AND set_aside_at IS NOT NULL`);
      return rows.length > 0 ? rows : null;
    }, 'it to be set aside');
    expect(row?.reason).toContain('no such shape');
    const paymentId = await payWithoutWebhook(customer);
    await send(eventOf(paymentId)).expect(200);
    await until(async () => (await customer.credits()) === 3, 'the credits');
    spy.mockRestore();
  });
});

describe('with payments off', () => {
  let shut: TestApi;
  beforeAll(async () => {
    shut = await startApi({ PAYMENTS_PROVIDER: 'none' });
  });
  afterAll(() => shut.stop());

  it('routes respond that payments are not configured, and no webhook exists', async () => {
    const member = await shut.member();
    const { body } = await member.post('/stripe/intents', {}).expect(503);
    expect(body).toMatchObject({
      error_code: 'service.not_configured',
      error_description: 'trying to use payments, but this service has not been configured',
    });
    await shut.http.post(ADDRESS).send({}).expect(404);
    expect((await member.me()).monetization.is_subscribed).toBe(false);
  });
});
