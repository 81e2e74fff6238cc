import { readdir, readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Letter, Mailer } from '../src/mail/mailer.js';
import { startApi, type TestApi } from './support/application.js';
import { freePort } from './support/ports.js';
import { until } from './support/until.js';
import { newEmail } from './support/visitor.js';

const letter = (change: Partial<Letter> = {}): Letter => ({
  key: newEmail(),
  userId: null,
  to: newEmail(),
  kind: 'cancelCode',
  values: { code: 'ABC-123', minutes: 30 },
  ...change,
});
const send = (api: TestApi, one: Letter) => api.app.get(Mailer).send(api.app.get(DataSource).manager, one);
const mailFor = (api: TestApi, to: string) =>
  until(async () => {
    const { body } = await api.http.get('/api/sandbox/mail').query({ to }).expect(200);
    return body.data.length > 0 ? body.data : null;
  }, `mail for ${to}`);

describe('mail without a server', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startApi();
  });
  afterAll(() => api.stop());

  it('goes into a folder and can be read', async () => {
    const one = letter();
    await send(api, one);
    const [mail] = await mailFor(api, one.to);
    expect(mail).toMatchObject({ to: one.to, subject: 'Your code to cancel your subscription' });
    expect(mail.text).toContain('ABC-123');
    expect(mail.text).toContain('30 minutes');
    const folder = join(api.environment.CLEARFRAME_DATA ?? '', 'mail');
    expect(await readdir(folder)).toContain(`${mail.id}.eml`);
    expect(await readFile(join(folder, `${mail.id}.eml`), 'utf8')).toContain(`To: ${one.to}`);
  });

  it('is written once under one key', async () => {
    const one = letter();
    await Promise.all([send(api, one), send(api, one), send(api, one)]);
    expect(await mailFor(api, one.to)).toHaveLength(1);
  });

  it('is not sent where the transaction it belongs to fails', async () => {
    const one = letter();
    const failing = api.app.get(DataSource).transaction(async (manager) => {
      await api.app.get(Mailer).send(manager, one);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await api.sql('SELECT FROM mail_messages WHERE recipient = $1', [one.to])).toEqual([]);
  });

  it('is listed in pages', async () => {
    const to = newEmail();
    for (let written = 0; written < 3; written++) await send(api, letter({ to }));
    await until(async () => (await mailFor(api, to)).length === 3, 'three messages');
    const page = async (more: object) => (await api.http.get('/api/sandbox/mail').query({ to, ...more })).body;
    const all: { id: string }[] = (await page({})).data;
    const first = await page({ limit: 2 });
    expect(first).toMatchObject({ data: all.slice(0, 2), has_more: true });
    const rest = await page({ limit: 2, starting_after: first.data[1].id });
    expect(rest).toEqual({ data: all.slice(2), has_more: false });
    await api.http.get('/api/sandbox/mail').query({ starting_after: crypto.randomUUID() }).expect(404);
  });

  it('speaks English to whom nothing else is known of', async () => {
    const one = letter({ language: null });
    await send(api, one);
    expect((await mailFor(api, one.to))[0].subject).toContain('cancel');
  });

  it('refuses to list for what is no address', () => api.http.get('/api/sandbox/mail').query({ to: 'me' }).expect(422));
});

describe('mail with a server', () => {
  let api: TestApi;
  let server: Server;
  const received: string[] = [];
  beforeAll(async () => {
    const port = await freePort();
    api = await startApi({ SMTP_URL: `smtp://127.0.0.1:${port}` });
    server = smtpServer(received);
    const one = letter({ to: 'first@example.com' });
    await send(api, one);
    // Nobody listens yet: it is tried again when its time has come.
    await until(async () => (await api.sql('SELECT FROM mail_messages WHERE attempts > 0')).length > 0, 'an attempt');
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    await api.sql('UPDATE mail_messages SET next_attempt_at = now()');
  });
  afterAll(async () => {
    await api.stop();
    server.close();
  });

  it('is delivered in the end, and shown to nobody else', async () => {
    await until(() => received.some((text) => text.includes('ABC-123')), 'the letter');
    await until(
      async () => (await api.sql('SELECT FROM mail_messages WHERE sent_at IS NOT NULL')).length === 1,
      'the note',
    );
    await api.http.get('/api/sandbox/mail').expect(404);
  });
});

/** A mail server that takes everything. */
const smtpServer = (received: string[]): Server =>
  createServer((socket) => {
    let text = '';
    let isData = false;
    socket.setEncoding('utf8').write('220 here\r\n');
    socket.on('data', (chunk: string) => {
      text += chunk;
      if (isData && text.endsWith('\r\n.\r\n')) {
        received.push(text);
        isData = false;
        text = '';
        socket.write('250 taken\r\n');
      }
      while (!isData && text.includes('\r\n')) {
        const [line = ''] = text.split('\r\n', 1);
        text = text.slice(line.length + 2);
        isData = line === 'DATA';
        if (line === 'QUIT') socket.end('221 bye\r\n');
        else socket.write(isData ? '354 go on\r\n' : '250 ok\r\n');
      }
    });
    socket.on('error', () => undefined);
  });
