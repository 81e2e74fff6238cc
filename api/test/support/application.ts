import 'reflect-metadata';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Environment } from '@clearframe/runtime/config';
import type { Type } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { hashSync } from '@node-rs/argon2';
import { Redis } from 'ioredis';
import { Pool, type QueryResultRow } from 'pg';
import supertest from 'supertest';
import { freePort } from '../../../runtime/test/ports.js';
import { type Sandbox, startSandbox } from '../../../sandbox/src/server.js';
import { createApp } from '../../src/app/create-app.js';
import { TestProviders } from './providers/test-providers.js';
import { createDatabase, takeRedis } from './stores/stores.js';
import { type Persona, Visitor } from './visitor.js';

export const STAFF_PASSWORD = 'correct horse battery';
/** The cheapest parameters: the default ones take 100 ms. */
const STAFF_PASSWORD_HASH = hashSync(STAFF_PASSWORD, { memoryCost: 8, timeCost: 1 });

const newSecret = (): string => randomBytes(32).toString('base64url');

export interface TestApi {
  readonly app: NestFastifyApplication;
  readonly url: string;
  readonly environment: Environment;
  readonly redis: Redis;
  /** Signs users in and plays the payment providers. */
  readonly sandbox: Sandbox;
  readonly providers: TestProviders;
  readonly http: ReturnType<typeof supertest>;
  sql<Row extends QueryResultRow = QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>;
  guest(): Promise<Visitor>;
  /** A logged-in user, with a new account unless an address is given. */
  member(persona?: Persona): Promise<Visitor>;
  /** A new account made free by staff: role business. */
  business(): Promise<Visitor>;
  files(): Promise<string[]>;
  pathOf(key: string): string;
  stop(): Promise<void>;
}

interface StoreAddresses {
  readonly databaseUrl: string;
  readonly redisUrl: string;
}

/** A function receives the addresses of the stores, to put a proxy in front of them. */
export type Overrides = Environment | ((stores: StoreAddresses) => Promise<Environment>);

export const settingsOf = (
  { databaseUrl, redisUrl }: StoreAddresses,
  dataFolder: string,
  port: number,
): Environment => ({
  DATABASE_URL: databaseUrl,
  REDIS_URL: redisUrl,
  CLEARFRAME_DATA: dataFolder,
  CLEARFRAME_INTERNAL_SECRET: newSecret(),
  CLEARFRAME_JWT_SECRET: newSecret(),
  CLEARFRAME_SIGNING_SECRET: newSecret(),
  CLEARFRAME_FINGERPRINT_SECRET: newSecret(),
  API_PORT: String(port),
  PUBLIC_URL: `http://127.0.0.1:${port}`,
  CLEARFRAME_STAFF_PASSWORD_HASH: STAFF_PASSWORD_HASH,
  LOG_LEVEL: 'silent',
  STRIPE_SECRET_KEY: 'sbx_sk_tests',
  STRIPE_PUBLISHABLE_KEY: 'sbx_pk_tests',
  STRIPE_WEBHOOK_SECRET: 'whsec_sandbox_tests',
  STRIPE_PRICES: 'sbx_price_*',
  STRIPE_TRIAL_OFFERS: 'sbx_to_*',
  PAYPAL_CLIENT_ID: 'sbx_client_tests',
  PAYPAL_CLIENT_SECRET: 'sbx_secret_tests',
  PAYPAL_MERCHANT_ID: 'SBXMERCHANT',
  PAYPAL_WEBHOOK_ID: 'sbxwebhook',
  PAYPAL_PLANS: 'sbx_plan_*',
  PAYPAL_TRIAL_PLANS: 'sbx_plan_*_ft',
  RECAPTCHA_SECRET_KEY: 'sbx_captcha_tests',
  ZENDESK_EMAIL: 'support@clearframe.example',
  ZENDESK_API_TOKEN: 'sbx_zendesk_tests',
  // Replaced by the address of a running sandbox.
  SANDBOX_URL: 'http://127.0.0.1:9',
  STRIPE_API_URL: 'http://127.0.0.1:9',
  PAYPAL_API_URL: 'http://127.0.0.1:9',
  RECAPTCHA_VERIFY_URL: 'http://127.0.0.1:9',
  ZENDESK_API_URL: 'http://127.0.0.1:9',
  // Tests of limits override these.
  DATABASE_WAIT_SECONDS: '60',
  LIMIT_GUESTS_PER_10_MINUTES: '10000',
  LIMIT_LOGINS_PER_10_MINUTES: '10000',
  LIMIT_WRITES_PER_MINUTE: '10000',
  LIMIT_ANALYSES_PER_MINUTE: '10000',
  LIMIT_READS_PER_MINUTE: '10000',
  LIMIT_EVENTS_PER_MINUTE: '10000',
  LIMIT_SUPPORT_PER_HOUR: '10000',
  LIMIT_WEBHOOKS_PER_MINUTE: '10000',
});

/** Paths below a folder. Repeated when a folder is deleted while it is read. */
async function filesUnder(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
      .sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' && existsSync(folder)) return filesUnder(folder);
    throw error;
  }
}

const webhookUrlsIn = ({ SANDBOX_STRIPE_WEBHOOK_URL, SANDBOX_PAYPAL_WEBHOOK_URL }: Environment): Environment => ({
  SANDBOX_STRIPE_WEBHOOK_URL,
  SANDBOX_PAYPAL_WEBHOOK_URL,
});

export const startTestSandbox = (settings: Environment): Promise<Sandbox> =>
  startSandbox(
    {
      host: '127.0.0.1',
      port: 0,
      databaseUrl: settings.DATABASE_URL ?? '',
      publicUrl: settings.PUBLIC_URL ?? '',
      mailFolder: join(settings.CLEARFRAME_DATA ?? '', 'mail'),
      captchaSecretKey: settings.RECAPTCHA_SECRET_KEY ?? '',
      zendesk: { email: settings.ZENDESK_EMAIL ?? '', token: settings.ZENDESK_API_TOKEN ?? '' },
      stripe: {
        secretKey: settings.STRIPE_SECRET_KEY ?? '',
        webhookSecret: settings.STRIPE_WEBHOOK_SECRET ?? '',
        webhookUrl: settings.SANDBOX_STRIPE_WEBHOOK_URL ?? `${settings.PUBLIC_URL}/api/webhooks/stripe`,
      },
      paypal: {
        clientId: settings.PAYPAL_CLIENT_ID ?? '',
        clientSecret: settings.PAYPAL_CLIENT_SECRET ?? '',
        merchantId: settings.PAYPAL_MERCHANT_ID ?? '',
        webhookId: settings.PAYPAL_WEBHOOK_ID ?? '',
        webhookUrl: settings.SANDBOX_PAYPAL_WEBHOOK_URL ?? `${settings.PUBLIC_URL}/api/webhooks/paypal`,
      },
    },
    () => undefined,
  );

export async function startApi(overrides: Overrides = {}, extraModules: readonly Type[] = []): Promise<TestApi> {
  const database = await createDatabase();
  const folder = await mkdtemp(join(tmpdir(), 'clearframe-api-'));
  // A hidden folder, as in production.
  const dataFolder = join(folder, '.data');
  const ownRedis = takeRedis();
  const redis = new Redis(ownRedis.url);
  await redis.flushdb();
  const port = await freePort();
  const stores = { databaseUrl: database.url, redisUrl: ownRedis.url };
  const settings = settingsOf(stores, dataFolder, port);
  const changes = typeof overrides === 'function' ? await overrides(stores) : overrides;
  const sandbox = await startTestSandbox({ ...settings, ...webhookUrlsIn(changes) });
  const pool = new Pool({ connectionString: database.url, max: 2 });
  // Dropping the database ends its idle connections, which is no failure.
  pool.on('error', () => undefined);
  const http = supertest(`http://127.0.0.1:${port}`);
  const providers = await TestProviders.open(http, sandbox, pool, settings.PUBLIC_URL ?? '');
  const environment: Environment = {
    ...settings,
    SANDBOX_URL: sandbox.url,
    RECAPTCHA_VERIFY_URL: `${sandbox.url}/recaptcha/api/siteverify`,
    ZENDESK_API_URL: sandbox.url,
    ...providers.environment,
    PAYPAL_AUTOMATIC_PAYMENTS_URL: `${settings.PUBLIC_URL}/api/sandbox/pages/wallet/automatic-payments`,
    ...changes,
  };
  const app = await createApp(environment, extraModules);
  await app.listen(port, '127.0.0.1');
  const sql = async <Row extends QueryResultRow = QueryResultRow>(text: string, values: unknown[] = []) =>
    (await pool.query<Row>(text, values)).rows;
  const media = join(dataFolder, 'media');
  return {
    app,
    url: `http://127.0.0.1:${port}`,
    environment,
    redis,
    sandbox,
    providers,
    http,
    sql,
    guest: () => Visitor.arrive(http),
    member: (persona) => Visitor.login(http, persona),
    business: async () => {
      const member = await Visitor.login(http);
      await sql('UPDATE users SET is_free = true WHERE id = $1', [(await member.me()).web_user_id]);
      return member;
    },
    files: () => filesUnder(media),
    pathOf: (key) => join(media, key),
    stop: async () => {
      await app.close();
      await sandbox.stop();
      await pool.end();
      await redis.quit();
      ownRedis.release();
      await database.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
