import { BASE_PATH } from '@clearframe/contract';
import { expect, it } from 'vitest';
import { refusalOf } from '../../test/support/key-client.js';
import { picture } from '../../test/support/pictures.js';
import { until } from '../../test/support/until.js';
import { verify } from '../../test/support/webhook-receiver.js';
import { useWebhooks } from '../../test/support/webhooks-fixture.js';

const hooks = useWebhooks();
const { addEndpoint, complete, deliveries, endpoint } = hooks;
const SECRET = /^whsec_[A-Za-z0-9+/]{43}=$/;
const ALL = ['task.completed', 'task.failed', 'batch.completed', 'video.completed', 'video.failed', 'usage.threshold'];

it('shows the secret of an endpoint once, and stores it encrypted', async () => {
  const { body } = await hooks.owner().post('/webhook-endpoints', { url: hooks.receiver().url }).expect(201);
  expect(body).toEqual({
    id: expect.any(String),
    url: hooks.receiver().url,
    events: ALL,
    is_enabled: true,
    disabled_reason: null,
    failing_since: null,
    previous_secret_expires_at: null,
    created_at: expect.stringMatching(/Z$/),
    secret: expect.stringMatching(SECRET),
  });
  const { secret, ...shown } = body;
  const { body: list } = await hooks.owner().get('/webhook-endpoints').expect(200);
  expect(list).toEqual({ data: [shown], callback_secret_created_at: null });
  const [row] = await hooks
    .api()
    .sql('SELECT to_jsonb(w)::text AS text FROM webhook_endpoints w WHERE id = $1', [body.id]);
  expect(row?.text).not.toContain(secret.slice(6));
});

it.each([
  ['https://10.0.0.8/hooks', 'uploads.address_refused'],
  ['https://169.254.169.254/latest/meta-data/', 'uploads.address_refused'],
  ['https://[::ffff:10.0.0.8]/', 'uploads.address_refused'],
  ['http://hooks.example/', 'uploads.address_unreachable'],
  ['https://user:secret@127.0.0.1/', 'uploads.address_refused'],
  ['ftp://hooks.example/', 'request.invalid'],
  ['no address', 'request.invalid'],
])('refuses the address %s', async (url, code) => {
  const body = { url, events: ['task.completed'] };
  expect(await refusalOf(hooks.owner().post('/webhook-endpoints', body))).toEqual([422, code]);
  const { id } = await addEndpoint();
  const change = { ...body, is_enabled: true };
  expect(await refusalOf(hooks.owner().put(`/webhook-endpoints/${id}`, change))).toEqual([422, code]);
  const upload = { image_content_type: 'image/jpeg', callback_url: url };
  expect(await refusalOf(hooks.client().post('/tasks/bulk-upload', upload))).toEqual([422, code]);
});

it('refuses unknown and missing types', async () => {
  const { url } = hooks.receiver();
  for (const events of [[], ['task.deleted'], 'task.completed']) {
    expect(await refusalOf(hooks.owner().post('/webhook-endpoints', { url, events }))).toEqual([
      422,
      'request.invalid',
    ]);
  }
});

it('needs an account whose plan has webhooks, and allows ten endpoints', async () => {
  const body = { url: hooks.receiver().url };
  expect(await refusalOf((await hooks.api().member()).post('/webhook-endpoints', body))).toEqual([
    403,
    'webhook_endpoints.not_in_plan',
  ]);
  for (let count = 1; count < 10; count++) await addEndpoint();
  const responses = await Promise.all([1, 2, 3].map(() => hooks.owner().post('/webhook-endpoints', body)));
  expect(responses.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
  const refused = responses.find(({ status }) => status === 409)?.body;
  expect(refused).toMatchObject({ error_code: 'webhook_endpoints.limit_reached', details: { limit: 10 } });
});

it('belongs to its account alone', async () => {
  const { id, url } = await addEndpoint();
  const stranger = await hooks.api().business();
  const missing = [404, 'webhook_endpoints.not_found'];
  const change = { url, events: ALL, is_enabled: true };
  expect(await refusalOf(stranger.put(`/webhook-endpoints/${id}`, change))).toEqual(missing);
  expect(await refusalOf(stranger.delete(`/webhook-endpoints/${id}`))).toEqual(missing);
  expect(await refusalOf(stranger.post(`/webhook-endpoints/${id}/secret`))).toEqual(missing);
  expect(await refusalOf(stranger.post(`/webhook-endpoints/${id}/test`))).toEqual(missing);
  expect(await refusalOf(stranger.get(`/webhook-deliveries?endpoint_id=${id}`))).toEqual(missing);
  await complete();
  const [{ id: deliveryId }] = await until(async () => {
    const found = await deliveries();
    return found.length > 0 && found;
  }, 'the delivery');
  const unknown = [404, 'webhook_deliveries.not_found'];
  expect(await refusalOf(stranger.post(`/webhook-deliveries/${deliveryId}/resend`))).toEqual(unknown);
  expect(await refusalOf(stranger.get(`/webhook-deliveries?starting_after=${deliveryId}`))).toEqual(unknown);
});

it('sends the chosen types, and nothing while it is off', async () => {
  const { id, url } = await addEndpoint(hooks.receiver().url, ['task.failed']);
  await complete();
  const { task_id: failing } = await hooks.owner().process();
  await hooks.worker().end(failing, () => ({ kind: 'failed', errorCode: 'tasks.failed' }));
  await hooks.receiver().of('task.failed');
  const off = { url, events: ['task.completed'], is_enabled: false };
  const { body } = await hooks.owner().put(`/webhook-endpoints/${id}`, off).expect(200);
  expect(body).toMatchObject({ events: ['task.completed'], is_enabled: false, disabled_reason: 'owner' });
  expect(await refusalOf(hooks.owner().post(`/webhook-endpoints/${id}/test`))).toEqual([
    409,
    'webhook_endpoints.disabled',
  ]);
  const other = await hooks.newReceiver();
  await addEndpoint(other.url);
  await complete();
  await other.of('task.completed');
  expect(hooks.receiver().received).toHaveLength(1);
});

it('can be switched off when its host is gone', async () => {
  const { id } = await addEndpoint();
  const change = { url: 'https://hooks.example/', events: ['task.failed'], is_enabled: false };
  const { body } = await hooks.owner().put(`/webhook-endpoints/${id}`, change).expect(200);
  expect(body).toMatchObject({ url: change.url, is_enabled: false });
  const on = hooks.owner().put(`/webhook-endpoints/${id}`, { ...change, is_enabled: true });
  expect(await refusalOf(on)).toEqual([422, 'uploads.address_unreachable']);
});

it('sends a test, and what was delivered again with the same id', async () => {
  const { id, secret } = await addEndpoint(hooks.receiver().url, ['task.failed']);
  const { body } = await hooks.owner().post(`/webhook-endpoints/${id}/test`).expect(202);
  expect(body).toMatchObject({ endpoint_id: id, type: 'endpoint.test', status: 'pending', attempts: [] });
  const [first] = await hooks.receiver().of('endpoint.test');
  await until(async () => (await deliveries())[0].status === 'delivered', 'the delivery');
  await hooks.owner().post(`/webhook-deliveries/${body.id}/resend`).expect(202);
  const [, again] = await hooks.receiver().of('endpoint.test', 2);
  if (!first || !again) throw new Error('nothing received');
  expect(verify(secret, again)).toMatchObject({ type: 'endpoint.test', data: { endpoint_id: id } });
  expect(again.headers['webhook-id']).toBe(first.headers['webhook-id']);
  const delivered = await until(async () => {
    const [delivery] = await deliveries();
    return delivery.attempts.length === 2 && delivery;
  }, 'the second attempt');
  expect(delivered).toMatchObject({
    message_id: first.headers['webhook-id'],
    request: again.body,
    attempts: [{ status: 200, error: null, answer: 'thanks', duration_ms: expect.any(Number) }, { status: 200 }],
  });
});

it('lists deliveries by endpoint, type and status, in pages', async () => {
  const first = await addEndpoint();
  const second = await addEndpoint();
  for (const { id } of [first, first, second]) await hooks.owner().post(`/webhook-endpoints/${id}/test`).expect(202);
  await hooks.receiver().of('endpoint.test', 3);
  await until(async () => (await deliveries('?status=delivered')).length === 3, 'the deliveries');
  expect(await deliveries(`?endpoint_id=${first.id}`)).toHaveLength(2);
  expect(await deliveries('?type=task.completed')).toEqual([]);
  expect(await deliveries('?type=endpoint.test&status=failed')).toEqual([]);
  const { body: page } = await hooks.owner().get('/webhook-deliveries?limit=2').expect(200);
  expect([page.data.length, page.has_more]).toEqual([2, true]);
  const { body: rest } = await hooks.owner().get(`/webhook-deliveries?starting_after=${page.data[1].id}`).expect(200);
  expect([rest.data.length, rest.has_more]).toEqual([1, false]);
  await hooks.owner().delete(`/webhook-endpoints/${first.id}`).expect(204);
  expect(await endpoint(first.id)).toBeUndefined();
  expect(await deliveries()).toHaveLength(1);
});

it('signs callbacks of all requests with the secret of the account', async () => {
  const { body: list } = await hooks.owner().get('/webhook-endpoints').expect(200);
  expect(list.callback_secret_created_at).toBeNull();
  await complete({ callback_url: hooks.receiver().url });
  await hooks.receiver().of('task.completed');
  const { body: made } = await hooks.owner().post('/webhook-callbacks/secret').expect(201);
  expect(made).toEqual({ secret: expect.stringMatching(SECRET), previous_secret_expires_at: null });
  const { body: rolled } = await hooks.owner().post('/webhook-callbacks/secret').expect(201);
  expect(rolled.previous_secret_expires_at).toMatch(/Z$/);
  await complete({ callback_url: hooks.receiver().url });
  const [, message] = await hooks.receiver().of('task.completed', 2);
  if (!message) throw new Error('nothing received');
  for (const { secret } of [made, rolled]) verify(secret, message);
  expect((await deliveries())[0]).toMatchObject({ endpoint_id: null, url: hooks.receiver().url });
});

it('calls the address of a request to enhance, and refuses it to other plans', async () => {
  const query = `?callback_url=${encodeURIComponent(hooks.receiver().url)}`;
  const { body } = await hooks
    .api()
    .http.post(`${BASE_PATH}/enhance${query}`)
    .set({ ...hooks.client().headers, 'content-type': 'image/jpeg' })
    .send(picture.jpeg())
    .expect(202);
  await hooks.worker().end(body.task_id, (run) => hooks.worker().finish(run));
  const [message] = await hooks.receiver().of('task.completed');
  expect(message?.event.data.task_id).toBe(body.task_id);
  const upload = { image_content_type: 'image/jpeg', callback_url: hooks.receiver().url };
  for (const visitor of [await hooks.api().guest(), await hooks.api().member()]) {
    expect(await refusalOf(visitor.post('/tasks/bulk-upload', upload))).toEqual([403, 'webhook_endpoints.not_in_plan']);
  }
});
