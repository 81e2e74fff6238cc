import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Environment } from '@clearframe/runtime/config';
import { Client } from 'pg';
import supertest from 'supertest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../../runtime/test/ports.js';
import type { Sandbox } from '../../../sandbox/src/server.js';
import { settingsOf, startTestSandbox } from '../../test/support/application.js';
import { CARD } from '../../test/support/billing/card-payer.js';
import { createDatabase, type OwnDatabase, type OwnRedis, takeRedis } from '../../test/support/stores/stores.js';
import { until } from '../../test/support/until.js';
import { identityToken, postLogin, Visitor } from '../../test/support/visitor.js';

/** What `npm start` runs; `npm test` builds it before. */
const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

let database: OwnDatabase;
let redis: OwnRedis;
let folder: string;
let settings: Environment;
let http: ReturnType<typeof supertest>;
let child: ChildProcess;
let sandbox: Sandbox;
let log = '';
/** What the process sends to Sentry. */
let reported = '';
const sentry = createServer(async (request, response) => {
  reported += (await request.toArray()).join('');
  response.end('{}');
});

function run(environment: Environment): ChildProcess {
  const started = spawn(process.execPath, [MAIN], { env: { ...environment }, stdio: ['ignore', 'pipe', 'pipe'] });
  for (const stream of [started.stdout, started.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      log += chunk.toString();
    });
  }
  return started;
}

beforeAll(async () => {
  database = await createDatabase();
  redis = takeRedis();
  folder = await mkdtemp(join(tmpdir(), 'clearframe-logs-'));
  const port = await freePort();
  const common = settingsOf({ databaseUrl: database.url, redisUrl: redis.url }, folder, port);
  sandbox = await startTestSandbox(common);
  sentry.listen(0, '127.0.0.1');
  await once(sentry, 'listening');
  const dsn = `http://public@127.0.0.1:${(sentry.address() as AddressInfo).port}/1`;
  settings = { ...common, SANDBOX_URL: sandbox.url, LOG_LEVEL: 'debug', SENTRY_DSN: dsn };
  http = supertest(`http://127.0.0.1:${port}`);
  child = run(settings);
  await until(async () => (await http.get('/healthz').catch(() => null))?.status === 200, 'the process to listen');
});
afterAll(async () => {
  child.kill('SIGKILL');
  sentry.close();
  await sandbox.stop();
  redis.release();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

describe('the log of the process', () => {
  it('contains requests and responses by request id', async () => {
    await http.get('/api/v1/web/nothing').set('X-Request-Id', 'find-me-again');
    const line = await until(() => log.split('\n').find((text) => text.includes('find-me-again')), 'the line');
    expect(JSON.parse(line)).toMatchObject({
      requestId: 'find-me-again',
      method: 'GET',
      path: '/api/v1/web/nothing',
      status: 404,
    });
  });

  it('contains no token, signature, address or file name, even of failed requests, and neither do reports', async () => {
    const visitor = await Visitor.arrive(http);
    const announced = await visitor.upload({ file_name: 'my-secret-holiday.jpg' });
    await visitor.post(`/tasks/bulk-upload/${announced.bulk_upload_id}/process`).expect(202);
    const { input_url } = await visitor.task(announced.task_id);
    await fetch(input_url);
    await fetch(input_url.replace('signature=', 'signature=x'));
    const client = new Client({ connectionString: database.url });
    await client.connect();
    await client.query('ALTER TABLE idempotency_keys ADD CONSTRAINT broken CHECK (status IS NULL)');
    const created = await http.post('/api/v1/web/users').set('Idempotency-Key', 'a-key').expect(201);
    const idToken = await identityToken(http, { email: 'secret.user@example.com' });
    const member = await postLogin(http, idToken, visitor.token).expect(200);
    await client.query("ALTER TABLE users ADD CONSTRAINT broken CHECK (email !~ 'other') NOT VALID");
    const otherToken = await identityToken(http, { email: 'other.secret@example.com' });
    const failed = await postLogin(http, otherToken).expect(500);
    await client.end();
    await until(() => log.includes('could not be stored under its idempotency key'), 'the first fault to be told');
    await until(() => log.includes(failed.body.request_id) && log.includes('request failed'), 'the fault to be told');
    await until(() => reported.includes(failed.body.request_id), 'the fault to be reported');
    expect(reported).toMatch(/"tags":\{[^}]*"code":"service.internal"/);
    const signature = new URL(input_url).searchParams.get('signature') ?? 'none';
    const uploadSignature = new URL(announced.upload_url).searchParams.get('signature') ?? 'none';
    for (const secret of [
      visitor.token,
      member.body.access_token,
      created.body.access_token,
      idToken,
      'secret@example.com',
      signature,
      uploadSignature,
      'my-secret-holiday',
      'eyJ',
      settings.CLEARFRAME_JWT_SECRET ?? '',
      settings.CLEARFRAME_SIGNING_SECRET ?? '',
      settings.CLEARFRAME_INTERNAL_SECRET ?? '',
    ]) {
      expect(log.includes(secret), `the log holds ${secret}`).toBe(false);
      expect(reported.includes(secret), `a report holds ${secret}`).toBe(false);
    }
  });

  it('says why a dependency is unavailable', async () => {
    const client = new Client({ connectionString: database.url });
    await client.connect();
    await client.query(`
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'canceling statement' USING ERRCODE = '57014'; END $$;
      CREATE TRIGGER refuse BEFORE INSERT ON users EXECUTE FUNCTION refuse();`);
    const failed = await http.post('/api/v1/web/users').expect(503);
    await client.query('DROP FUNCTION refuse CASCADE');
    await client.end();
    const line = await until(
      () => log.split('\n').find((text) => text.includes(failed.body.request_id) && text.includes('canceling')),
      'the line',
    );
    expect(JSON.parse(line)).toMatchObject({
      level: 'warn',
      code: 'service.unavailable',
      err: { code: '57014', message: 'canceling statement' },
    });
  });

  it('contains no card number', async () => {
    const numbers = [CARD.succeeds, CARD.declined, '4012 8888 8888 1881'];
    const confirm = '/api/sandbox/payments/payment_intents/sbx_pi_none/confirm';
    const page = '/api/sandbox/pages/checkout';
    for (const number of numbers) {
      const plain = number.replaceAll(' ', '');
      await http.post(confirm).send({ card_number: number });
      await http
        .post(confirm)
        .query({ card_number: plain })
        .send({ card_number: Number(plain) });
      await http.post(confirm).type('json').send(`{"card_number": ${plain}x}`).expect(400);
      await http.post(page).type('form').send({ card_number: number });
      await http.get(page).query({ card_number: plain });
    }
    await http.get('/api/v1/web/nothing').set('X-Request-Id', 'the-last-card');
    await until(() => log.includes('the-last-card'), 'the log to have it all');
    for (const number of numbers) {
      const written = [number, number.replaceAll(' ', ''), number.replaceAll(' ', '%20'), number.replaceAll(' ', '+')];
      for (const form of written) expect(log.includes(form), 'the log holds a card number').toBe(false);
    }
  });

  it('ends with the process', async () => {
    child.kill('SIGTERM');
    const [code, signal] = await once(child, 'exit');
    expect([0, 'SIGTERM', 143]).toContain(code ?? signal);
  });

  it('names an invalid setting in one line', async () => {
    log = '';
    const [code] = await once(run({ ...settings, CLEARFRAME_SIGNING_SECRET: 'short' }), 'close');
    expect(code).toBe(1);
    expect(log.trim()).toBe('CLEARFRAME_SIGNING_SECRET: needs at least 32 characters');
  });

  it('rejects the sandbox as identity provider in production', async () => {
    log = '';
    const sandbox = { CLEARFRAME_ENV: 'production', IDENTITY_PROVIDER: 'sandbox' };
    const [code] = await once(run({ ...settings, ...sandbox }), 'close');
    expect(code).toBe(1);
    expect(log.trim()).toMatch(/^IDENTITY_PROVIDER: [^\n]*refused in production$/);
  });
});
