import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client } from 'pg';
import { expect, it, vi } from 'vitest';
import { runScheduled } from '../../test/support/scheduled.js';
import { until } from '../../test/support/until.js';
import { idOf, verify } from '../../test/support/webhook-receiver.js';
import { useWebhooks } from '../../test/support/webhooks-fixture.js';
import { createApp } from '../app/create-app.js';
import { HostResolver } from '../platform/outbound/outbound-address.js';

const hooks = useWebhooks();
const { addEndpoint, complete, deliveries, endpoint, hurry } = hooks;

/** The owner's only delivery, once it is as expected. */
const settled = (status: string) =>
  until(async () => (await deliveries()).find((one: { status: string }) => one.status === status), `one ${status}`);
const waits = () =>
  hooks.api().sql<{ wait: number }>(
    `SELECT extract(epoch FROM next_attempt_at - (attempts -> -1 ->> 'at')::timestamptz)::float AS wait
     FROM webhook_deliveries WHERE user_id = (SELECT user_id FROM webhook_endpoints ORDER BY created_at DESC LIMIT 1)`,
  );

it('tells that a picture is completed, signed, with the task as GET answers', async () => {
  const { secret } = await addEndpoint();
  const taskId = await complete({ file_name: 'beach.jpg' });
  const [message] = await hooks.receiver().of('task.completed');
  if (!message) throw new Error('nothing received');
  expect(verify(secret, message)).toEqual(message.event);
  expect(message.headers).toMatchObject({ 'content-type': 'application/json' });
  const { data, timestamp } = message.event;
  const shown = await hooks.owner().task(taskId);
  expect(Object.keys(data).sort()).toEqual(Object.keys(shown).sort());
  expect(data).toMatchObject({ task_id: taskId, status: 'completed', input: { file_name: 'beach.jpg' } });
  expect(timestamp).toMatch(/Z$/);
  expect((await fetch(data.output_url)).status).toBe(200);
});

it('signs so that another secret and another body are noticed', async () => {
  const { secret } = await addEndpoint();
  const other = await addEndpoint((await hooks.newReceiver()).url);
  await complete();
  const [message] = await hooks.receiver().of('task.completed');
  if (!message) throw new Error('nothing received');
  expect(() => verify(other.secret, message)).toThrow('No matching signature');
  const forged = { ...message, body: message.body.replace('completed', 'failed') };
  expect(() => verify(secret, forged)).toThrow('No matching signature');
});

it('tells of refused and failed pictures, and of a failed new run of a finished one', async () => {
  await addEndpoint();
  const { task_id: failing } = await hooks.owner().process();
  await hooks.worker().end(failing, () => ({ kind: 'failed', errorCode: 'tasks.failed' }));
  const finished = await complete();
  await hooks
    .owner()
    .post(`/tasks/bulk-upload/${(await hooks.owner().task(finished)).bulk_upload_id}/reprocess`, {
      input_reprocess_list: [{ client_task_id: finished }],
    })
    .expect(202);
  await hooks.worker().end(finished, () => ({ kind: 'failed', errorCode: 'tasks.timed_out' }));
  const failed = await hooks.receiver().of('task.failed', 2);
  expect(failed.map(({ event: { data } }) => [data.task_id, data.error_code]).sort()).toEqual(
    [
      [failing, 'tasks.failed'],
      [finished, 'tasks.timed_out'],
    ].sort(),
  );
});

it('is tried again with the same id until it is accepted', async () => {
  const { id, secret } = await addEndpoint();
  hooks.receiver().answerWith(500, 503);
  await complete();
  await hooks.receiver().of('task.completed', 1);
  await until(async () => (await deliveries())[0]?.attempts.length === 1, 'the first attempt');
  expect(await endpoint(id)).toMatchObject({ is_enabled: true, failing_since: expect.stringMatching(/Z$/) });
  for (const attempts of [2, 3]) {
    await hurry();
    await until(async () => (await deliveries())[0]?.attempts.length === attempts, `attempt ${attempts}`);
  }
  const messages = await hooks.receiver().of('task.completed', 3);
  expect(new Set(messages.map(idOf)).size).toBe(1);
  for (const message of messages) verify(secret, message);
  const [delivery] = await deliveries();
  expect(delivery).toMatchObject({ status: 'delivered', next_attempt_at: null, message_id: messages.map(idOf)[0] });
  expect(delivery.attempts.map(({ status }: { status: number }) => status)).toEqual([500, 503, 200]);
  expect(await endpoint(id)).toMatchObject({ failing_since: null });
});

it('waits longer after each failure, and gives up after a day', async () => {
  await addEndpoint();
  hooks.receiver().answer = (_request, reply) => reply.writeHead(500).end('no');
  await complete();
  const seen: number[] = [];
  for (let attempts = 1; attempts <= 7; attempts++) {
    await until(async () => (await deliveries())[0]?.attempts.length === attempts, `attempt ${attempts}`);
    seen.push((await waits())[0]?.wait ?? 0);
    await hurry();
  }
  const expected = [5, 60, 300, 1800, 7200, 21_600, 54_000];
  expect(seen.map((wait, index) => Math.abs(wait - (expected[index] ?? 0)) < 5)).toEqual(expected.map(() => true));
  expect(await settled('failed')).toMatchObject({ next_attempt_at: null });
  expect((await deliveries())[0].attempts).toHaveLength(8);
});

it('waits for Retry-After, at most an hour', async () => {
  await addEndpoint();
  const answers = ['120', '999999', new Date(Date.now() + 1000).toUTCString()];
  hooks.receiver().answer = (_request, reply) => reply.writeHead(429, { 'retry-after': answers.shift() ?? '' }).end();
  await complete();
  const seen: number[] = [];
  for (let attempts = 1; attempts <= 3; attempts++) {
    await until(async () => (await deliveries())[0]?.attempts.length === attempts, `attempt ${attempts}`);
    seen.push(Math.floor(((await waits())[0]?.wait ?? 0) / 60));
    await hurry();
  }
  expect(seen).toEqual([2, 60, 5]);
});

it('disables an endpoint that is gone, and sends what waits to none', async () => {
  const { id, url } = await addEndpoint();
  hooks.receiver().answerWith(410);
  await complete();
  expect(await settled('failed')).toMatchObject({ attempts: [{ status: 410 }] });
  expect(await until(async () => (await endpoint(id)).disabled_reason, 'the reason')).toBe('gone');
  const [mail] = await hooks.api().sql(`SELECT body FROM mail_messages WHERE idempotency_key LIKE $1`, [`%${id}%`]);
  expect(mail?.body).toContain('because it answered 410');
  await complete();
  await runScheduled(hooks.api(), 'webhooks.');
  expect(hooks.receiver().received).toHaveLength(1);
  const [delivery] = await deliveries();
  const refused = await hooks.owner().post(`/webhook-deliveries/${delivery.id}/resend`);
  expect([refused.status, refused.body.error_code]).toEqual([409, 'webhook_endpoints.disabled']);
  await hooks
    .owner()
    .put(`/webhook-endpoints/${id}`, { url, events: ['task.completed'], is_enabled: true })
    .expect(200);
  await hooks.owner().post(`/webhook-deliveries/${delivery.id}/resend`).expect(202);
  await hooks.receiver().of('task.completed', 2);
});

it('disables an endpoint that has failed for five days, and mails its owner once', async () => {
  const { id } = await addEndpoint(`${hooks.receiver().url}?token=secret`);
  await hooks
    .api()
    .sql(`UPDATE webhook_endpoints SET failing_since = now() - interval '121 hours' WHERE id = $1`, [id]);
  hooks.receiver().answerWith(500);
  await complete();
  expect(await until(async () => (await endpoint(id)).disabled_reason, 'the reason')).toBe('failing');
  const mails = () =>
    hooks
      .api()
      .sql(
        'SELECT kind, body FROM mail_messages WHERE user_id = (SELECT user_id FROM webhook_endpoints WHERE id = $1)',
        [id],
      );
  const [mail] = await mails();
  expect(mail).toMatchObject({ kind: 'webhookDisabled' });
  const { host, pathname } = new URL(hooks.receiver().url);
  for (const part of [`${host}${pathname}, because it failed for five days`, `/account/webhooks/${id}`])
    expect(mail?.body).toContain(part);
  expect(mail?.body).not.toContain('secret');
  await hurry();
  await runScheduled(hooks.api(), 'webhooks.');
  expect(await mails()).toHaveLength(1);
});

it('does not follow redirects', async () => {
  const target = await hooks.newReceiver();
  await addEndpoint();
  hooks.receiver().answer = (_request, reply) => reply.writeHead(307, { location: target.url }).end();
  await complete();
  await until(async () => (await deliveries())[0]?.attempts.length === 1, 'the attempt');
  expect((await deliveries())[0]).toMatchObject({ status: 'pending', attempts: [{ status: 307, error: null }] });
  expect(target.received).toEqual([]);
});

it('reads only the start of an endless answer', async () => {
  await addEndpoint();
  hooks.receiver().answer = (_request, reply) => {
    const timer = setInterval(() => reply.write('x'.repeat(1500)), 1);
    reply.on('close', () => clearInterval(timer));
  };
  await complete();
  expect((await settled('delivered')).attempts).toMatchObject([{ status: 200, answer: 'x'.repeat(1000) }]);
});

it('gives up an endpoint that hangs after 15 seconds, and delivers to others meanwhile', async () => {
  const hanging = await hooks.newReceiver();
  const open = Promise.withResolvers<void>();
  hanging.answer = () => open.resolve();
  await addEndpoint(hanging.url);
  await complete();
  await open.promise;
  await addEndpoint(hooks.receiver().url);
  await complete();
  await hooks.receiver().of('task.completed');
  const attempts = await until(async () => {
    const all = (await deliveries()).flatMap((one: { attempts: { error: string }[] }) => one.attempts);
    return all.filter(({ error }: { error: string }) => error === 'timed_out').length > 0 && all;
  }, 'the attempt to end');
  expect(attempts.find(({ error }: { error: string | null }) => error)).toMatchObject({ status: null, answer: '' });
}, 60_000);

it('says why an address can’t be reached', async () => {
  const closed = createServer().listen(0, '127.0.0.1');
  await once(closed, 'listening');
  const { port } = closed.address() as AddressInfo;
  await new Promise((resolve) => closed.close(resolve));
  await addEndpoint(`http://127.0.0.1:${port}/`);
  await complete();
  await until(async () => (await deliveries())[0]?.attempts.length === 1, 'the attempt');
  expect((await deliveries())[0].attempts).toMatchObject([{ status: null, error: 'unreachable' }]);
});

it('makes no request when the host has become a private one', async () => {
  const resolver = hooks.api().app.get(HostResolver, { strict: false });
  const resolve = vi.spyOn(resolver, 'resolve').mockResolvedValue(['93.184.216.34']);
  try {
    await addEndpoint('https://moved.example/hooks');
    resolve.mockResolvedValue(['10.0.0.8']);
    await complete();
    await until(async () => (await deliveries())[0]?.attempts.length === 1, 'the attempt');
    expect((await deliveries())[0].attempts).toMatchObject([{ status: null, error: 'address_refused' }]);
  } finally {
    resolve.mockRestore();
  }
});

it('signs with both secrets for a day after a roll', async () => {
  const { id, secret } = await addEndpoint();
  const { body } = await hooks.owner().post(`/webhook-endpoints/${id}/secret`).expect(201);
  expect((await endpoint(id)).previous_secret_expires_at).toBe(body.previous_secret_expires_at);
  await complete();
  const [message] = await hooks.receiver().of('task.completed');
  if (!message) throw new Error('nothing received');
  for (const one of [secret, body.secret]) expect(verify(one, message)).toEqual(message.event);
  await hooks.api().sql(
    `UPDATE webhook_endpoints SET secrets = jsonb_set(secrets, '{1,expiresAt}', to_jsonb('2026-01-01T00:00:00.000Z'::text))
     WHERE id = $1`,
    [id],
  );
  await complete();
  const [, later] = await hooks.receiver().of('task.completed', 2);
  if (!later) throw new Error('nothing received');
  expect(() => verify(secret, later)).toThrow('No matching signature');
  verify(body.secret, later);
});

it('is not lost when the process ends between the settlement and the delivery', async () => {
  await addEndpoint();
  const holder = new Client({ connectionString: hooks.api().environment.DATABASE_URL });
  await holder.connect();
  let restarted: Awaited<ReturnType<typeof createApp>> | null = null;
  try {
    await holder.query('BEGIN; LOCK TABLE webhook_deliveries IN ACCESS EXCLUSIVE MODE');
    const taskId = await complete();
    await until(async () => (await hooks.owner().task(taskId)).status === 'completed', 'the task');
    expect(hooks.receiver().received).toEqual([]);
    restarted = await createApp({ ...hooks.api().environment });
    await restarted.init();
    await holder.query('ROLLBACK');
    const [message] = await hooks.receiver().of('task.completed');
    expect(message?.event.data.task_id).toBe(taskId);
    // Two processes now look for work.
    await settled('delivered');
    await runScheduled(hooks.api(), 'webhooks.');
    expect(hooks.receiver().received).toHaveLength(1);
  } finally {
    await holder.end();
    await restarted?.close();
  }
});

it('is sent once, however often it is dispatched', async () => {
  await addEndpoint();
  await complete();
  await Promise.all([1, 2, 3, 4].map(() => runScheduled(hooks.api(), 'webhooks.')));
  await settled('delivered');
  await Promise.all([1, 2].map(() => runScheduled(hooks.api(), 'webhooks.')));
  expect(hooks.receiver().received).toHaveLength(1);
});

it('is not sent to endpoints of a plan without webhooks, but to the address of an accepted request', async () => {
  const callback = await hooks.newReceiver();
  await addEndpoint();
  const { task_id: taskId } = await hooks.owner().process({ callback_url: callback.url });
  const { web_user_id: userId } = await hooks.owner().me();
  await hooks.api().sql('UPDATE users SET is_free = false WHERE id = $1', [userId]);
  await hooks.worker().end(taskId, (run) => hooks.worker().finish(run));
  const [message] = await callback.of('task.completed');
  expect(message?.event.data.task_id).toBe(taskId);
  expect(await settled('skipped')).toMatchObject({ skip_reason: 'not_in_plan', attempts: [] });
  expect(hooks.receiver().received).toEqual([]);
});

it('is not sent for a task that was deleted meanwhile', async () => {
  await addEndpoint();
  hooks.receiver().answerWith(500);
  const taskId = await complete();
  await until(async () => (await deliveries())[0]?.attempts.length === 1, 'the attempt');
  await hooks
    .owner()
    .delete('/tasks/delete', { task_ids: [taskId] })
    .expect(204);
  await hurry();
  expect(await settled('skipped')).toMatchObject({ skip_reason: 'deleted' });
});

it('ends with the account', async () => {
  await addEndpoint();
  hooks.receiver().answerWith(500);
  await complete();
  await until(async () => (await deliveries())[0]?.attempts.length === 1, 'the attempt');
  const { web_user_id: userId } = await hooks.owner().me();
  await hooks.owner().delete('/users/@me').expect(204);
  for (const table of ['webhook_endpoints', 'webhook_messages', 'webhook_deliveries']) {
    expect(await hooks.api().sql(`SELECT id FROM ${table} WHERE user_id = $1`, [userId])).toEqual([]);
  }
  await runScheduled(hooks.api(), 'webhooks.');
  expect(hooks.receiver().received).toHaveLength(1);
});

it('tells that a batch is completed, once, after the last picture', async () => {
  await addEndpoint();
  const { id, taskIds } = await hooks.announceAll(3);
  await hooks.client().post(`/tasks/bulk-upload/${id}/process`).expect(202);
  const [first, second, third] = taskIds as [string, string, string];
  await hooks.worker().end(first, (run) => hooks.worker().finish(run));
  await hooks.receiver().of('task.completed', 1);
  const { run, complete: takeNext } = await hooks.worker().waitForJob(second);
  await Promise.all([
    hooks.worker().report(run, { kind: 'failed', errorCode: 'tasks.failed' }),
    hooks.owner().post(`/tasks/${third}/cancel`).expect(200),
  ]);
  // Not before: a test's worker would keep the job of the task that is cancelled.
  takeNext();
  const [message] = await hooks.receiver().of('batch.completed');
  expect(message?.event.data).toMatchObject({ bulk_upload_id: id, status: 'completed' });
  expect(message?.event.data.task_list.map(({ status }: { status: string }) => status)).toEqual([
    'completed',
    'failed',
    'cancelled',
  ]);
  await runScheduled(hooks.api(), 'webhooks.');
  const types = hooks.receiver().received.map(({ event }) => event.type);
  expect(types.sort()).toEqual(['batch.completed', 'task.completed', 'task.failed']);
});

it('forgets messages after 30 days', async () => {
  await addEndpoint();
  await complete();
  await settled('delivered');
  await hooks.api().sql(`UPDATE webhook_messages SET created_at = created_at - interval '31 days'`);
  await runScheduled(hooks.api(), 'retention.webhook-messages');
  expect(await deliveries()).toEqual([]);
});
