import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../test/support/application.js';
import { CARD } from '../../test/support/billing/card-payer.js';
import { DAY_SECONDS, newKey, SandboxClient } from '../../test/support/billing/sandbox-provider.js';
import { type Delivery, WebhookReceiver } from '../../test/support/billing/webhook-receiver.js';
import { until } from '../../test/support/until.js';

let api: TestApi;
let sandbox: SandboxClient;
let receiver: WebhookReceiver;
beforeAll(async () => {
  receiver = await WebhookReceiver.listen();
  api = await startApi({ SANDBOX_STRIPE_WEBHOOK_URL: receiver.url });
  sandbox = new SandboxClient(api);
});
afterAll(async () => {
  await api.stop();
  await receiver.close();
});
beforeEach(() => sandbox.controls.deliverEvents());

const replay = async (body: object): Promise<number[]> => {
  const response = await api.http.post('/api/sandbox/webhooks').send(body).expect(200);
  return response.body.statuses;
};
const first = async (subjectId: string) => {
  await sandbox.controls.deliverEvents();
  const [event] = receiver.deliveriesFor(subjectId);
  if (!event) throw new Error(`nothing was told about ${subjectId}`);
  return event;
};

describe('events', () => {
  it('are delivered in order, signed, and once when accepted', async () => {
    const { id } = await sandbox.subscribe({ trialDays: 7 });
    await sandbox.advance(7 * DAY_SECONDS);
    expect(receiver.deliveriesFor(id).map(({ type }) => type)).toEqual([
      'customer.subscription.created',
      'customer.subscription.trial_will_end',
      'customer.subscription.updated',
      'invoice.paid',
    ]);
    const { id: eventId, type, delivery } = await first(id);
    expect(eventId).toMatch(/^sbx_evt_/);
    expect(await sandbox.cards.readEvent(delivery.body, delivery.headers)).toEqual({
      id: eventId,
      type,
      subject: { kind: 'subscription', id, provider: 'stripe' },
    });
    const { body } = await api.http.get('/api/sandbox/webhooks').query({ subject_id: id, limit: 2 });
    expect(body).toMatchObject({ has_more: true, data: [{ type: 'invoice.paid', attempts: 1 }, {}] });
    expect(body.data[0].delivered_at).not.toBeNull();
    const rest = await api.http.get('/api/sandbox/webhooks').query({ subject_id: id, starting_after: body.data[1].id });
    expect(rest.body).toMatchObject({ has_more: false, data: [{}, { id: eventId }] });
  });

  it('are delivered at their time: each before the clock moves on', async () => {
    const { id, createdAt } = await sandbox.subscribe({ trialDays: 7 });
    await sandbox.advance(30 * DAY_SECONDS);
    const { body } = await api.http.get('/api/sandbox/webhooks').query({ subject_id: id, limit: 100 });
    const days = body.data
      .map(({ created_at: at }: { created_at: string }) => (Date.parse(at) - createdAt.getTime()) / 86_400_000)
      .reverse();
    expect(days).toEqual([0, 4, 7, 7, 14, 14, 21, 21, 28, 28]);
  });

  it('are retried when not accepted', async () => {
    receiver.rejectNext(500, 503);
    const { id, clientSecret } = await sandbox.cards.createPaymentIntent({
      customerId: await sandbox.customer(),
      amountCents: 499,
      currency: 'usd',
      reference: 'r',
      key: newKey(),
    });
    await sandbox.confirm(clientSecret, CARD.succeeds);
    await until(() => receiver.deliveriesFor(id).length >= 2, 'the second attempt');
    await api.sql('UPDATE sandbox.events SET next_attempt_at = now() WHERE subject_id = $1', [id]);
    await until(() => receiver.deliveriesFor(id).length >= 3, 'the third attempt');
    await sandbox.controls.deliverEvents();
    const told = receiver.deliveriesFor(id);
    expect(new Set(told.map((event) => event.id)).size).toBe(1);
    const { body } = await api.http.get('/api/sandbox/webhooks').query({ subject_id: id });
    expect(body.data).toMatchObject([{ attempts: 3, delivered_at: expect.any(String) }]);
  });

  it('are delivered later while the provider withholds them', async () => {
    await sandbox.controls.webhooks('withheld');
    const { id } = await sandbox.subscribe();
    await sandbox.controls.deliverEvents();
    expect(receiver.deliveriesFor(id)).toEqual([]);
    await sandbox.controls.webhooks('sent');
    await sandbox.controls.deliverEvents();
    expect(receiver.deliveriesFor(id)).toHaveLength(2);
  });

  it('about a saved card have no subject to read', async () => {
    const customerId = await sandbox.customer();
    const { clientSecret } = await sandbox.cards.createSetupIntent(customerId, newKey());
    await sandbox.confirm(clientSecret, CARD.succeeds);
    const { delivery } = await first(clientSecret.split('_secret_')[0] ?? '');
    expect(await sandbox.cards.readEvent(delivery.body, delivery.headers)).toMatchObject({ subject: null });
  });
});

describe('a replayed event', () => {
  it('is the same, as often as requested', async () => {
    const { id } = await sandbox.subscribe();
    const { id: eventId, delivery } = await first(id);
    const before = receiver.deliveriesFor(id).length;
    expect(await replay({ event_id: eventId, times: 3 })).toEqual([204, 204, 204]);
    const again = receiver.deliveriesFor(id).slice(before);
    expect(again.map((event) => event.delivery.body)).toEqual([1, 2, 3].map(() => delivery.body));
  });

  it('returns the statuses of the responses', async () => {
    const { id: eventId } = await first((await sandbox.subscribe()).id);
    receiver.rejectNext(400);
    expect(await replay({ event_id: eventId })).toEqual([400]);
  });

  it('must exist', async () => {
    const { body } = await api.http.post('/api/sandbox/webhooks').send({ event_id: 'sbx_evt_none' }).expect(404);
    expect(body.error_code).toBe('sandbox.event_not_found');
    await api.http.post('/api/sandbox/webhooks').send({ event_id: 'sbx_evt_none', times: 21 }).expect(422);
  });
});

describe('a signature', () => {
  const read = ({ body, headers }: Delivery) => sandbox.cards.readEvent(body, headers);
  let genuine: Delivery;
  let eventId: string;
  beforeAll(async () => {
    const event = await first((await sandbox.subscribe()).id);
    genuine = event.delivery;
    eventId = event.id;
  });
  const last = (): Delivery => {
    const delivery = receiver.deliveries.at(-1);
    if (!delivery) throw new Error('nothing was delivered');
    return delivery;
  };

  it('is valid for the signed body', async () => {
    expect(await read(genuine)).toMatchObject({ id: eventId });
  });

  it('is invalid for another body', async () => {
    await replay({ event_id: eventId, tamper: true });
    expect(JSON.parse(last().body.toString()).id).toBe('sbx_evt_forged');
    expect(await read(last())).toBeNull();
    expect(await read({ ...genuine, body: Buffer.concat([genuine.body, Buffer.from(' ')]) })).toBeNull();
  });

  it.each([
    [240, true],
    [360, false],
  ])('that is %d seconds old: %s', async (seconds, isGood) => {
    await replay({ event_id: eventId, age_seconds: seconds });
    expect((await read(last())) !== null).toBe(isGood);
  });

  it.each([
    ['none', undefined],
    ['empty', ''],
    ['of another form', 'v1=abc'],
    ['without a value', `t=${Math.floor(Date.now() / 1000)},v1=`],
    ['without a time', 't,v1'],
    ['of the future', `t=${Math.floor(Date.now() / 1000) + 400},v1=${'0'.repeat(64)}`],
    ['made up', `t=${Math.floor(Date.now() / 1000)},v1=${'0'.repeat(64)}`],
    ['several', ['a', 'b']],
  ])('is invalid: %s', async (_name, header) => {
    expect(await sandbox.cards.readEvent(genuine.body, { ...genuine.headers, 'stripe-signature': header })).toBeNull();
  });
});

describe('the clock', () => {
  it('moves forward only, and stays there', async () => {
    const before = sandbox.clock.now();
    expect((await sandbox.advance(3600)).getTime() - before.getTime()).toBeGreaterThanOrEqual(3_600_000);
    await api.http.post('/api/sandbox/clock').send({ advance_seconds: -1 }).expect(422);
    await api.http.post('/api/sandbox/clock').send({ advance_seconds: 1.5 }).expect(422);
    await api.http.post('/api/sandbox/clock').send({}).expect(422);
    expect(sandbox.clock.now().getTime() - before.getTime()).toBeGreaterThanOrEqual(3_600_000);
  });

  it('answers before what falls due has happened', async () => {
    const { id } = await sandbox.subscribe({ trialDays: 7 });
    await sandbox.controls.deliverEvents();
    const before = sandbox.clock.now();
    const release = receiver.hold();
    const { body } = await api.http
      .post('/api/sandbox/clock')
      .send({ advance_seconds: 30 * DAY_SECONDS })
      .expect(200);
    expect(Date.parse(body.now) - before.getTime()).toBeGreaterThanOrEqual(29 * 86_400_000);
    // Each change waits for the delivery of the one before.
    expect(sandbox.clock.now().getTime() - before.getTime()).toBeLessThan(29 * 86_400_000);
    release();
    await sandbox.advance(0);
    expect(receiver.deliveriesFor(id)).toHaveLength(10);
    expect(sandbox.clock.now().getTime()).toBeGreaterThanOrEqual(Date.parse(body.now));
  });

  it('adds up concurrent advances', async () => {
    const before = sandbox.clock.now();
    await Promise.all([sandbox.advance(1000), sandbox.advance(2000), sandbox.advance(3000)]);
    expect(sandbox.clock.now().getTime() - before.getTime()).toBeGreaterThanOrEqual(6_000_000);
  });

  it('is shared by other processes', async () => {
    await sandbox.advance(5000);
    const before = Date.now();
    const expected = sandbox.clock.now();
    const after = Date.now();
    const [row] = await api.sql<{ offset: string }>('SELECT clock_offset_ms AS offset FROM sandbox.system');
    expect(Number(row?.offset)).toBeGreaterThanOrEqual(expected.getTime() - after);
    expect(Number(row?.offset)).toBeLessThanOrEqual(expected.getTime() - before);
    await api.sql('UPDATE sandbox.system SET clock_offset_ms = clock_offset_ms + 86400000');
    await until(async () => sandbox.clock.now().getTime() > expected.getTime() + 86_000_000, 'the events');
  });
});

describe('the product’s own webhook', () => {
  let product: TestApi;
  beforeAll(async () => {
    product = await startApi();
  });
  afterAll(() => product.stop());

  it('receives events; it accepts genuine ones, also repeatedly, and nothing else', async () => {
    const here = new SandboxClient(product);
    const { id } = await here.subscribe();
    await here.controls.deliverEvents();
    const { body } = await product.http.get('/api/sandbox/webhooks').query({ subject_id: id });
    expect(body.data).toHaveLength(2);
    for (const event of body.data) expect(event).toMatchObject({ attempts: 1, delivered_at: expect.any(String) });
    const post = async (how: object): Promise<number[]> => {
      const response = await product.http.post('/api/sandbox/webhooks').send({ event_id: body.data[0].id, ...how });
      return response.body.statuses.map((status: number) => Math.floor(status / 100));
    };
    expect(await post({ times: 2 })).toEqual([2, 2]);
    expect(await post({ tamper: true })).toEqual([4]);
    expect(await post({ age_seconds: 400 })).toEqual([4]);
  });
});
