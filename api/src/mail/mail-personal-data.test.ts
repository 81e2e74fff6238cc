import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { startApi, type TestApi } from '../../test/support/application.js';
import { retryNow } from '../../test/support/scheduled.js';
import { until } from '../../test/support/until.js';
import { newEmail } from '../../test/support/visitor.js';
import { MailFolder } from './mail-folder.js';
import { Mailer } from './mailer.js';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

const send = (userId: string | null, to: string) =>
  api.app.get(Mailer).send(api.app.get(DataSource).manager, {
    key: randomUUID(),
    userId,
    to,
    kind: 'cancelCode',
    values: { code: 'ABC-123', minutes: 30 },
  });
const messages = (to: string) =>
  api.sql<{ id: string; sent_at: Date | null }>('SELECT id, sent_at FROM mail_messages WHERE recipient = $1', [to]);
const fileOf = (id: string) => join(api.environment.CLEARFRAME_DATA ?? '', 'mail', `${id}.eml`);

async function member() {
  const email = newEmail();
  const visitor = await api.member({ email });
  return { email, visitor, userId: (await visitor.me()).web_user_id as string };
}

it('erasing an account deletes sent mail with its file, and unsent mail', async () => {
  const { email, visitor, userId } = await member();
  await send(userId, email);
  const sent = await until(async () => (await messages(email)).find(({ sent_at }) => sent_at), 'a sent message');
  expect(existsSync(fileOf(sent.id))).toBe(true);
  await api.sql(
    `INSERT INTO mail_messages (id, idempotency_key, user_id, kind, recipient, subject, body, next_attempt_at, created_at)
     VALUES (gen_random_uuid(), $2, $1, 'receipt', $2, 'Receipt', 'Paid', now() + interval '1 hour', now())`,
    [userId, newEmail()],
  );
  await visitor.delete('/users/@me').expect(204);
  expect(await api.sql('SELECT FROM mail_messages WHERE user_id = $1 OR recipient = $2', [userId, email])).toEqual([]);
  await until(() => !existsSync(fileOf(sent.id)), 'the file to be removed');
  const { body } = await api.http.get('/api/sandbox/mail').query({ to: email }).expect(200);
  expect(body.data).toEqual([]);
});

it('an erasure waits for no file, and files that can not be removed are removed later', async () => {
  const { email, visitor, userId } = await member();
  await send(userId, email);
  const { id } = await until(async () => (await messages(email)).find(({ sent_at }) => sent_at), 'a sent message');
  const folder = api.app.get(MailFolder);
  const failing = vi.spyOn(folder, 'remove').mockRejectedValueOnce(new Error('disk error'));
  await visitor.delete('/users/@me').expect(204);
  const failed = async () =>
    (await api.sql<{ reason: string | null }>('SELECT reason FROM work_attempts WHERE subject = $1', [id]))[0]?.reason;
  expect(await until(failed, 'the first attempt to fail')).toBe('Error: disk error');
  expect(existsSync(fileOf(id))).toBe(true);
  await retryNow(api);
  await until(() => !existsSync(fileOf(id)), 'the file to be removed');
  await until(async () => (await api.sql('SELECT FROM pending_deletions')).length === 0, 'the work to end');
  failing.mockRestore();
});

it('erasing an account deletes mail to its address that a guest requested', async () => {
  const { email, visitor } = await member();
  const guest = await api.guest();
  await send((await guest.me()).web_user_id as string, email);
  await visitor.delete('/users/@me').expect(204);
  expect(await messages(email)).toEqual([]);
});

it('erasing an account during delivery leaves no file', async () => {
  const { email, visitor, userId } = await member();
  const folder = api.app.get(MailFolder);
  const write = folder.write.bind(folder);
  const reached = Promise.withResolvers<string>();
  const released = Promise.withResolvers<void>();
  const spy = vi.spyOn(folder, 'write').mockImplementation(async (id, message) => {
    reached.resolve(id);
    await released.promise;
    await write(id, message);
  });
  await send(userId, email);
  const id = await reached.promise;
  await visitor.delete('/users/@me').expect(204);
  released.resolve();
  await until(
    async () =>
      (await api.sql(`SELECT FROM work_attempts WHERE subject = $1 AND kind = 'mail.deliver'`, [id])).length === 0,
  );
  await until(() => !existsSync(fileOf(id)), 'the file to be removed');
  spy.mockRestore();
});

it('messages older than the owner column belong to the verified address', async () => {
  const { email, visitor } = await member();
  const { body: before } = await visitor.get('/users/@me/export').expect(200);
  expect(before.mail).toEqual([]);
  await send(null, email.toUpperCase());
  const { body } = await visitor.get('/users/@me/export').expect(200);
  expect(body.mail).toMatchObject([{ kind: 'cancelCode', recipient: email.toUpperCase() }]);
  await visitor.delete('/users/@me').expect(204);
  expect(await messages(email.toUpperCase())).toEqual([]);
});

it('an unverified address gives no access to its mail', async () => {
  const email = newEmail();
  await send(null, email);
  const visitor = await api.member({ email, scenario: 'unverified_email' });
  expect((await visitor.get('/users/@me/export').expect(200)).body.mail).toEqual([]);
  await visitor.delete('/users/@me').expect(204);
  expect(await messages(email)).toHaveLength(1);
});

it('the export lists mail with its time, without valid codes', async () => {
  const { email, visitor, userId } = await member();
  await send(userId, email);
  const { body } = await visitor.get('/users/@me/export').expect(200);
  expect(body.mail).toEqual([
    {
      kind: 'cancelCode',
      recipient: email,
      subject: 'Your code to cancel your subscription',
      text: null,
      created_at: expect.any(String),
      sent_at: body.mail[0].sent_at,
    },
  ]);
  expect(JSON.stringify(body)).not.toContain('ABC-123');
});

it('an erased account gets no mail', async () => {
  const { email, visitor, userId } = await member();
  await visitor.delete('/users/@me').expect(204);
  await send(userId, email);
  expect(await messages(email)).toEqual([]);
});
