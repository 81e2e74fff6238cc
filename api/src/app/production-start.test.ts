import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Environment } from '@clearframe/runtime/config';
import { Client } from 'pg';
import supertest from 'supertest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../../runtime/test/ports.js';
import { settingsOf } from '../../test/support/application.js';
import { createDatabase, type OwnDatabase, type OwnRedis, takeRedis } from '../../test/support/stores/stores.js';
import { until } from '../../test/support/until.js';

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const WEB_MAIN = fileURLToPath(new URL('../../../web/server/main.ts', import.meta.url));
const SANDBOX_MAIN = fileURLToPath(new URL('../../../sandbox/dist/main.js', import.meta.url));
const START_DEADLINE_MS = 120_000;
const PAGES = ['checkout', 'authenticate', 'wallet/subscription', 'wallet/charge', 'portal/x'];
const ROOT = new URL('../../../', import.meta.url).href;
/** Modules of the sandbox and the proxies to it. Production loads the setting that turns it off. */
const SANDBOX_MODULE = /^sandbox\/|^api\/dist\/(?!platform\/sandbox\.js).*\bsandbox\b/;

let database: OwnDatabase;
let redis: OwnRedis;
let folder: string;
let settings: Environment;
let http: ReturnType<typeof supertest>;
let pages: ReturnType<typeof supertest>;
let child: ChildProcess;
let web: ChildProcess;
let output = '';

const run = (main: string, environment: Environment): ChildProcess => {
  const started = spawn(process.execPath, [main], { env: { ...environment }, stdio: ['ignore', 'pipe', 'pipe'] });
  for (const stream of [started.stdout, started.stderr]) stream?.on('data', (chunk: Buffer) => (output += chunk));
  return started;
};

beforeAll(async () => {
  database = await createDatabase();
  redis = takeRedis();
  folder = await mkdtemp(join(tmpdir(), 'clearframe-production-'));
  const port = await freePort();
  const local = settingsOf({ databaseUrl: database.url, redisUrl: redis.url }, join(folder, '.data'), port);
  const isOfProvider = (name: string) => /^(?:SANDBOX|STRIPE|PAYPAL|RECAPTCHA|ZENDESK)_/.test(name);
  settings = {
    ...Object.fromEntries(Object.entries(local).filter(([name]) => !isOfProvider(name))),
    CLEARFRAME_ENV: 'production',
    LOG_LEVEL: 'warn',
    // Lists the loaded modules when the process ends.
    NODE_V8_COVERAGE: join(folder, 'coverage'),
  };
  http = supertest(`http://127.0.0.1:${port}`);
  child = run(MAIN, settings);
  const webPort = await freePort();
  pages = supertest(`http://127.0.0.1:${webPort}`);
  web = run(WEB_MAIN, {
    NODE_ENV: 'production',
    CLEARFRAME_ENV: 'production',
    LOG_LEVEL: 'warn',
    WEB_PORT: String(webPort),
    API_URL: `http://127.0.0.1:${port}`,
    CLEARFRAME_INTERNAL_SECRET: local.CLEARFRAME_INTERNAL_SECRET,
    CLEARFRAME_COOKIE_SECRET: 'a cookie secret for tests, long enough',
  });
  for (const [process, server] of [
    [child, http],
    [web, pages],
  ] as const) {
    await until(
      async () => {
        if (process.exitCode !== null) throw new Error(`a process has ended: ${output}`);
        return (await server.get('/healthz').catch(() => null))?.status === 200;
      },
      'the processes to listen',
      START_DEADLINE_MS,
    );
  }
}, 2 * START_DEADLINE_MS);
afterAll(async () => {
  web?.kill('SIGKILL');
  child?.kill('SIGKILL');
  redis.release();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

describe('a start in production', () => {
  it.each([
    ['POST', '/api/sandbox/identity/tokens'] as const,
    ['GET', '/api/sandbox/identity/accounts'] as const,
    ['POST', '/api/sandbox/payments/setup_intents/:intentId/confirm'] as const,
    ['POST', '/api/sandbox/payments/payment_intents/:intentId/confirm'] as const,
    ['POST', '/api/sandbox/payments/wallet/subscriptions'] as const,
    ['POST', '/api/sandbox/payments/wallet/charges'] as const,
    ['POST', '/api/sandbox/clock'] as const,
    ['GET', '/api/sandbox/webhooks'] as const,
    ['POST', '/api/sandbox/webhooks'] as const,
    ...PAGES.map((page) => ['GET', `/api/sandbox/pages/${page}`] as const),
    ['GET', '/api/sandbox/scripts/stripe.js'] as const,
    ['GET', '/api/sandbox/scripts/paypal.js'] as const,
    ['GET', '/api/sandbox/scripts/recaptcha.js'] as const,
    ['POST', '/api/sandbox/paypal-sdk/orders'] as const,
    ['GET', '/api/sandbox/mail'] as const,
    ['GET', '/api/sandbox/pages/tickets'] as const,
    ['POST', '/api/sandbox/mobile/subscriptions'] as const,
    ['POST', '/recaptcha/api/siteverify'] as const,
  ])('has no route %s %s, in the API and behind the pages', async (method, path) => {
    const address = path.replace(/:\w+/, 'x');
    for (const server of [http, pages]) {
      const { status } = method === 'GET' ? await server.get(address) : await server.post(address).send({});
      expect(status).toBe(404);
    }
  });

  it.each(['/sandbox/identity', '/ui', '/ui/modals'])('has no page %s', async (path) => {
    expect((await pages.get(path)).status).toBe(404);
  });

  it.each(['/', '/upgrade', '/login'])(
    'shows %s without an address of the sandbox, and allows no other origin',
    async (path) => {
      const { status, headers, text } = await pages.get(path).set('accept', 'text/html');
      expect(status, output).toBe(200);
      expect(text).not.toMatch(/\/sandbox\//);
      const policy = headers['content-security-policy'];
      expect(policy).toContain("script-src 'self' 'nonce-");
      expect(policy).not.toMatch(/https?:/);
    },
  );

  it('has no schema or table of the sandbox', async () => {
    const client = new Client({ connectionString: database.url });
    await client.connect();
    const { rows } = await client.query(
      `SELECT schema_name AS name FROM information_schema.schemata WHERE schema_name = 'sandbox'
       UNION ALL SELECT table_name FROM information_schema.tables WHERE table_name LIKE '%sandbox%'`,
    );
    await client.end();
    expect(rows).toEqual([]);
  });

  it('loads no module of the sandbox', async () => {
    child.kill('SIGTERM');
    await once(child, 'exit');
    const coverage = join(folder, 'coverage');
    const reports = await Promise.all((await readdir(coverage)).map((name) => readFile(join(coverage, name), 'utf8')));
    const modules = reports.flatMap((report) =>
      (JSON.parse(report) as { result: { url: string }[] }).result.map(({ url }) => url.replace(ROOT, '')),
    );
    expect(modules).toContain('api/dist/providers/unconfigured-providers.js');
    expect(modules.filter((url) => SANDBOX_MODULE.test(url))).toEqual([]);
  });
});

it("the sandbox's process refuses production", async () => {
  output = '';
  const local = settingsOf({ databaseUrl: database.url, redisUrl: redis.url }, folder, 1);
  const refused = run(SANDBOX_MAIN, { ...local, CLEARFRAME_ENV: 'production' });
  const [code] = await once(refused, 'close');
  expect(code).toBe(1);
  expect(output).toContain('the sandbox moves no money and does not run in production');
});
