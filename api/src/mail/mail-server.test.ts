import { DataSource } from 'typeorm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../test/support/application.js';
import { SmtpServer } from '../../test/support/smtp-server.js';
import { until } from '../../test/support/until.js';
import { newEmail } from '../../test/support/visitor.js';
import { describeError, runCommand } from '../ops/run-command.js';
import { Mailer } from './mailer.js';

let api: TestApi;
let server: SmtpServer;
beforeAll(async () => {
  server = await SmtpServer.create();
  api = await startApi({ SMTP_URL: server.url });
});
afterAll(async () => {
  await api.stop();
  server.close();
});

const send = (to: string) =>
  api.app.get(Mailer).send(api.app.get(DataSource).manager, {
    key: newEmail(),
    userId: null,
    to,
    kind: 'cancelCode',
    values: { code: 'ABC-123', minutes: 30 },
  });

interface Failure {
  readonly subject: string;
  readonly attempts: number;
  readonly reason: string;
  readonly is_final: boolean;
}

const failureOf = (to: string) =>
  until(async () => {
    const [failure] = await api.sql<Failure>(
      `SELECT w.subject, w.attempts, w.reason, w.set_aside_at IS NOT NULL AS is_final
       FROM work_attempts w JOIN mail_messages m ON m.id::text = w.subject WHERE m.recipient = $1 AND w.reason IS NOT NULL`,
      [to],
    );
    return failure ?? null;
  }, `a failed delivery to ${to}`);

const isReceived = (to: string) => server.received.some((text) => text.includes(`To: ${to}`));
const isSent = async (to: string) =>
  (await api.sql('SELECT FROM mail_messages WHERE recipient = $1 AND sent_at IS NOT NULL', [to])).length === 1;
const retryNow = () => api.sql(`UPDATE work_attempts SET next_attempt_at = now() WHERE kind = 'mail.deliver'`);

const ops = (...args: string[]) =>
  runCommand(args, { PATH: process.env.PATH, DATABASE_URL: api.environment.DATABASE_URL });
const refusal = (...args: string[]) => ops(...args).then(() => 'it was done', describeError);

it('mail waits until the server listens; its code is dropped once delivered', async () => {
  const to = newEmail();
  await send(to);
  expect(await failureOf(to)).toMatchObject({ is_final: false });
  await server.listen();
  await retryNow();
  await until(() => isSent(to), 'the delivery');
  expect(server.received.find((text) => text.includes(`To: ${to}`))).toContain('ABC-123');
  const [row] = await api.sql('SELECT * FROM mail_messages WHERE recipient = $1', [to]);
  expect(row).toMatchObject({ body: '', sealed_body: null });
  expect(JSON.stringify(row)).not.toContain('ABC-123');
  await api.http.get('/api/sandbox/mail').expect(404);
});

it('a rejected recipient fails at once, with the reason and without the address', async () => {
  const to = newEmail();
  server.replies.set(to, `550 no user ${to}`);
  await send(to);
  const failure = await failureOf(to);
  expect(failure).toMatchObject({ attempts: 1, is_final: true, reason: expect.stringContaining('550 no user') });
  expect(failure.reason).not.toContain(to);
});

it('a temporary rejection is retried', async () => {
  const to = newEmail();
  server.replies.set(to, '451 greylisted');
  await send(to);
  expect(await failureOf(to)).toMatchObject({ is_final: false, reason: expect.stringContaining('451 greylisted') });
  server.replies.delete(to);
  await retryNow();
  await until(() => isReceived(to), 'the delivery');
});

it('a recipient whose server never replies delays no other message and holds no transaction', async () => {
  const hanging = newEmail();
  server.replies.set(hanging, null);
  await send(hanging);
  await until(() => server.hung.size === 1, 'the server to hang');
  const open = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'
    AND query LIKE '%mail_messages%'`;
  expect(await api.sql(open)).toEqual([]);
  const others = Array.from({ length: 25 }, newEmail);
  for (const to of others) await send(to);
  await until(() => others.every(isReceived), 'the others');
  for (const socket of server.hung) socket.destroy();
});

it('operators list failed mail, show it without its code, and retry it', async () => {
  const to = newEmail();
  server.replies.set(to, '550 mailbox is full');
  await send(to);
  const { subject: id } = await failureOf(to);
  const lineOf = async (...args: string[]) =>
    (await ops('mail', 'list', ...args)).split('\n').find((line) => line.startsWith(id));
  expect(await lineOf('--failed')).toMatch(/ cancelCode .* failed .*550 mailbox is full/);
  expect(await ops('mail', 'list')).not.toContain(to);
  const shown = await ops('mail', 'show', id);
  expect(shown).toContain(to);
  expect(shown).toContain('Your code to cancel your subscription');
  expect(shown).not.toContain('ABC-123');
  server.replies.delete(to);
  expect(await ops('mail', 'retry', id)).toBe(`${id} will be sent again`);
  await until(() => isSent(to), 'the delivery');
  expect(await lineOf()).toMatch(/ sent$/);
  expect(await lineOf('--failed')).toBeUndefined();
  expect(await refusal('mail', 'retry', id)).toContain(`no failed message ${id}`);
  expect(await refusal('mail', 'show', 'last')).toContain('give the id');
  const audited = await api.sql(`SELECT DISTINCT action FROM audit_entries WHERE action LIKE 'mail.%' ORDER BY action`);
  expect(audited).toEqual([{ action: 'mail.retry' }, { action: 'mail.show' }]);
});
