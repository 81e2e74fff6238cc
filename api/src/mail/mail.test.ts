import { mkdir, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startApi, type TestApi } from '../../test/support/application.js';
import { runScheduled } from '../../test/support/scheduled.js';
import { until } from '../../test/support/until.js';
import { newEmail } from '../../test/support/visitor.js';
import { MailFolder } from './mail-folder.js';
import { Mailer, type OutgoingMail } from './mailer.js';

const outgoingMail = (change: Partial<OutgoingMail> = {}): OutgoingMail => ({
  key: newEmail(),
  userId: null,
  to: newEmail(),
  kind: 'cancelCode',
  values: { code: 'ABC-123', minutes: 30 },
  ...change,
});
const send = (api: TestApi, one: OutgoingMail) => api.app.get(Mailer).send(api.app.get(DataSource).manager, one);
const mailFor = (api: TestApi, to: string) =>
  until(async () => {
    const { body } = await api.http.get('/api/sandbox/mail').query({ to }).expect(200);
    return body.data.length > 0 ? body.data : null;
  }, `mail for ${to}`);

const FAILED = `SELECT subject, reason FROM work_attempts WHERE kind = 'mail.deliver' AND reason IS NOT NULL`;

describe('mail without a server', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startApi();
  });
  afterAll(() => api.stop());

  it('is written into a folder and can be listed', async () => {
    const one = outgoingMail();
    await send(api, one);
    const [mail] = await mailFor(api, one.to);
    expect(mail).toMatchObject({ to: one.to, subject: 'Your code to cancel your subscription' });
    expect(mail.text).toContain('ABC-123');
    expect(mail.text).toContain('30 minutes');
    expect(mail).toMatchObject({ language: 'en', html: expect.stringContaining('>ABC-123</p>') });
    const folder = join(api.environment.CLEARFRAME_DATA ?? '', 'mail');
    expect(await readdir(folder)).toContain(`${mail.id}.eml`);
    const file = await readFile(join(folder, `${mail.id}.eml`), 'utf8');
    for (const part of [`To: ${one.to}`, 'multipart/alternative', 'text/plain', 'text/html', 'Content-Language: en']) {
      expect(file).toContain(part);
    }
    expect(await api.sql('SELECT html FROM mail_messages WHERE id = $1', [mail.id])).toEqual([{ html: null }]);
  });

  it('is sent once for each key', async () => {
    const one = outgoingMail();
    await Promise.all([send(api, one), send(api, one), send(api, one)]);
    expect(await mailFor(api, one.to)).toHaveLength(1);
  });

  it('is not sent when its transaction fails', async () => {
    const one = outgoingMail();
    const failing = api.app.get(DataSource).transaction(async (manager) => {
      await api.app.get(Mailer).send(manager, one);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await api.sql('SELECT FROM mail_messages WHERE recipient = $1', [one.to])).toEqual([]);
  });

  it('is listed in pages', async () => {
    const to = newEmail();
    for (let written = 0; written < 3; written++) await send(api, outgoingMail({ to }));
    await until(async () => (await mailFor(api, to)).length === 3, 'three messages');
    const page = async (more: object) => (await api.http.get('/api/sandbox/mail').query({ to, ...more })).body;
    const all: { id: string }[] = (await page({})).data;
    const first = await page({ limit: 2 });
    expect(first).toMatchObject({ data: all.slice(0, 2), has_more: true });
    const rest = await page({ limit: 2, starting_after: first.data[1].id });
    expect(rest).toEqual({ data: all.slice(2), has_more: false });
    await api.http.get('/api/sandbox/mail').query({ starting_after: crypto.randomUUID() }).expect(404);
  });

  it('is in English when no language is known', async () => {
    const one = outgoingMail({ language: null });
    await send(api, one);
    expect((await mailFor(api, one.to))[0].subject).toContain('cancel');
  });

  it('is delivered once the disk has space; other messages do not wait', async () => {
    const folder = join(api.environment.CLEARFRAME_DATA ?? '', 'mail');
    await mkdir(folder, { recursive: true });
    const [stuck, other] = [outgoingMail(), outgoingMail()];
    const id = await api.app.get(DataSource).transaction(async (manager) => {
      await api.app.get(Mailer).send(manager, stuck);
      const [row]: { id: string }[] = await manager.query('SELECT id FROM mail_messages WHERE recipient = $1', [
        stuck.to,
      ]);
      // Every write to this device fails with ENOSPC.
      await symlink('/dev/full', join(folder, `${row?.id}.eml.part`));
      return row?.id ?? '';
    });
    await send(api, other);
    await mailFor(api, other.to);
    const [failure] = await until(async () => {
      const rows = await api.sql<{ subject: string; reason: string }>(FAILED);
      return rows.length > 0 ? rows : null;
    }, 'a failed attempt');
    expect(failure).toEqual({ subject: id, reason: expect.stringContaining('ENOSPC') });
    await rm(join(folder, `${id}.eml.part`));
    await api.sql(`UPDATE work_attempts SET next_attempt_at = now() WHERE kind = 'mail.deliver'`);
    expect(await mailFor(api, stuck.to)).toHaveLength(1);
  });

  it('stores no readable code in the database, before or after sending', async () => {
    const stored = async () => JSON.stringify(await api.sql('SELECT * FROM mail_messages'));
    const one = outgoingMail({ values: { code: 'SECRET-42', minutes: 30 } });
    await api.app.get(DataSource).transaction(async (manager) => {
      await api.app.get(Mailer).send(manager, one);
      const waiting = await manager.query('SELECT * FROM mail_messages WHERE recipient = $1', [one.to]);
      expect(waiting).toHaveLength(1);
      expect(JSON.stringify(waiting)).not.toContain('SECRET-42');
    });
    const [mail] = await mailFor(api, one.to);
    expect(mail.text).toContain('SECRET-42');
    expect(await stored()).not.toContain('SECRET-42');
  });

  it('with a code is deleted with its file a day later', async () => {
    const [old, young] = [outgoingMail(), outgoingMail()];
    for (const one of [old, young]) await send(api, one);
    const [[{ id }], [kept]] = [await mailFor(api, old.to), await mailFor(api, young.to)];
    await api.sql(`UPDATE mail_messages SET created_at = now() - interval '25 hours' WHERE id = $1`, [id]);
    await runScheduled(api, 'retention.mail');
    const files = await readdir(join(api.environment.CLEARFRAME_DATA ?? '', 'mail'));
    expect(files).not.toContain(`${id}.eml`);
    expect(files).toContain(`${kept.id}.eml`);
    expect(await api.sql('SELECT sealed_body FROM mail_messages WHERE id = $1', [id])).toEqual([{ sealed_body: null }]);
    const { body } = await api.http.get('/api/sandbox/mail').query({ to: old.to }).expect(200);
    expect(body.data).toEqual([]);
  });

  it('rejects an invalid address', () => api.http.get('/api/sandbox/mail').query({ to: 'me' }).expect(422));
});

it('shutdown completes a delivery in progress', async () => {
  const api = await startApi();
  const folder = api.app.get(MailFolder);
  const write = folder.write.bind(folder);
  const reached = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  vi.spyOn(folder, 'write').mockImplementation(async (id, message) => {
    reached.resolve();
    await released.promise;
    await write(id, message);
  });
  await send(api, outgoingMail());
  await reached.promise;
  const closing = api.app.close();
  released.resolve();
  await closing;
  expect(await api.sql('SELECT FROM mail_messages WHERE sent_at IS NULL')).toEqual([]);
  expect(await api.sql(`SELECT FROM work_attempts WHERE kind = 'mail.deliver'`)).toEqual([]);
  await api.stop();
});
