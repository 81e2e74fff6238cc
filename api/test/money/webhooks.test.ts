import { once } from 'node:events';
import { request } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SandboxEvents } from '../../src/billing/sandbox/events.js';
import { startApi, type TestApi } from '../support/application.js';
import { until } from '../support/until.js';
import { Customer, deskOf, lineOf } from './customer.js';

let api: TestApi;
let customer: Customer;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());
beforeEach(async () => {
  customer = await Customer.member(api);
});

const ADDRESS = '/api/webhooks/sandbox';
const FIVE_MINUTES_MS = 300_000;

interface Event {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The event that a payment succeeded, signed as the company would, without being sent. */
async function eventOf(paymentId: string, signedAt?: Date): Promise<Event> {
  const event = {
    id: `sbx_evt_${crypto.randomUUID()}`,
    type: 'payment_intent.succeeded',
    provider: 'stripe' as const,
    subjectKind: 'payment' as const,
    subjectId: paymentId,
    createdAt: new Date(),
  };
  return api.app.get(SandboxEvents, { strict: false }).sign(event as never, signedAt);
}
const send = ({ body, headers }: Event, path = ADDRESS) => api.http.post(path).set(headers).send(body);
const takenOf = async (paymentId: string) =>
  (await api.sql('SELECT FROM webhook_events WHERE subject_id = $1', [paymentId])).length;

/** Paid at the company, and nobody here knows. */
async function paidInSilence(): Promise<string> {
  deskOf(api).webhooks('withheld');
  const { client_secret, payment_id } = await customer.intent('three_exports_usd', 3);
  await customer.pay(client_secret);
  return payment_id;
}

describe('an event', () => {
  it('makes its subject be read, once however often it comes', async () => {
    const event = await eventOf(await paidInSilence());
    for (const { status } of await Promise.all([send(event), send(event), send(event)])) expect(status).toBe(200);
    await until(async () => (await customer.credits()) === 3, 'the credits');
    await send(event).expect(200);
    expect(await customer.credits()).toBe(3);
  });

  it('is not believed: what it says of somebody is read from the provider', async () => {
    const { payment_id } = await customer.intent('three_exports_usd', 3);
    await send(await eventOf(payment_id)).expect(200);
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
      'signed by somebody else',
      ({ body, headers }: Event) => ({
        body,
        headers: { ...headers, 'sandbox-signature': `t=${Math.floor(Date.now() / 1000)},v1=${'0'.repeat(64)}` },
      }),
    ],
  ])('%s is refused', async (_how, change) => {
    const paymentId = await paidInSilence();
    const { body } = await send(change(await eventOf(paymentId))).expect(400);
    expect(body.error_code).toBe('webhooks.signature_invalid');
    expect(await takenOf(paymentId)).toBe(0);
  });

  it('that was signed more than 300 seconds ago, or as long ahead, is refused', async () => {
    const paymentId = await paidInSilence();
    for (const offset of [-FIVE_MINUTES_MS - 10_000, FIVE_MINUTES_MS + 10_000]) {
      await send(await eventOf(paymentId, new Date(Date.now() + offset))).expect(400);
    }
    await send(await eventOf(paymentId, new Date(Date.now() - FIVE_MINUTES_MS + 60_000))).expect(200);
  });

  it('that finds the provider away is dealt with when it is back', async () => {
    const paymentId = await paidInSilence();
    lineOf(api).goDown();
    await send(await eventOf(paymentId)).expect(200);
    expect(await customer.credits()).toBe(0);
    lineOf(api).comeBack();
    await api.sql(`UPDATE webhook_events SET checked_at = now() - interval '1 hour' WHERE subject_id = $1`, [
      paymentId,
    ]);
    await until(async () => (await customer.credits()) === 3, 'the credits');
  });

  it('too large to be one, or for nobody, is refused', async () => {
    const event = await eventOf('sbx_pi_none');
    const sending = request(`${api.url}${ADDRESS}`, { method: 'POST', headers: { 'content-length': 400_000 } });
    // The rest of it is never sent, and nobody waits for it.
    sending.write('x'.repeat(300_000));
    const [answer] = await once(sending, 'response');
    expect(answer.statusCode).toBe(413);
    sending.destroy();
    for (const sender of ['stripe', 'paypal', 'nobody']) {
      const { body } = await send(event, `/api/webhooks/${sender}`).expect(404);
      expect(body.error_code).toBe('request.not_found');
    }
  });

  it('about something that is not ours is taken, and that is all', async () => {
    await send(await eventOf('sbx_pi_none')).expect(200);
    await until(async () => {
      const [row] = await api.sql(`SELECT processed_at FROM webhook_events WHERE subject_id = 'sbx_pi_none'`);
      return row?.processed_at;
    }, 'the event to be dealt with');
  });
});

describe('what no event tells of', () => {
  it('is found by the sweep', async () => {
    const paymentId = await paidInSilence();
    await api.sql(`UPDATE payments SET checked_at = now() - interval '1 hour' WHERE provider_id = $1`, [paymentId]);
    await until(async () => (await customer.credits()) === 3, 'the credits');
  });
});

describe('where nobody takes money', () => {
  let shut: TestApi;
  beforeAll(async () => {
    shut = await startApi({ PAYMENTS_PROVIDER: 'none' });
  });
  afterAll(() => shut.stop());

  it('rows say so, and there is no address for events', async () => {
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
