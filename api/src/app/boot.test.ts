import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { Module, type OnModuleInit } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../test/support/application.js';
import { ManualWorker } from '../../test/support/workers/manual-worker.js';
import { FirebaseConfig } from '../identity/firebase/firebase.config.js';
import { IdentityConfig } from '../identity/identity-provider.js';
import { ReportsProcessor } from '../runs/reports.processor.js';
import { RunSweep } from '../runs/run-sweep.js';
import { createApp } from './create-app.js';
import { RetentionService } from './retention.service.js';

const secret = randomBytes(32).toString('hex');
/** Nothing listens there: the boot must fail before it connects. */
const COMPLETE = {
  DATABASE_URL: 'postgres://unused@127.0.0.1:1/none',
  REDIS_URL: 'redis://127.0.0.1:1',
  CLEARFRAME_INTERNAL_SECRET: secret,
  CLEARFRAME_JWT_SECRET: secret,
  CLEARFRAME_SIGNING_SECRET: secret,
  CLEARFRAME_FINGERPRINT_SECRET: secret,
  SANDBOX_URL: 'http://127.0.0.1:1',
  STRIPE_SECRET_KEY: 'sbx_sk_tests',
  STRIPE_PUBLISHABLE_KEY: 'sbx_pk_tests',
  STRIPE_WEBHOOK_SECRET: 'whsec_sandbox_tests',
  STRIPE_PRICES: 'sbx_price_*',
  STRIPE_TRIAL_OFFERS: 'sbx_to_*',
  LOG_LEVEL: 'silent',
};

describe('an invalid setting fails the boot with its name', () => {
  it.each<[string, string | undefined]>([
    ['DATABASE_URL', undefined],
    ['DATABASE_URL', 'mysql://somewhere'],
    ['REDIS_URL', ''],
    ['REDIS_URL', 'not an address'],
    ['API_PORT', 'eighty'],
    ['API_PORT', '70000'],
    ['API_ROLE', 'everything'],
    ['CLEARFRAME_ENV', 'staging'],
    ['PUBLIC_URL', 'clearframe.example'],
    ['PUBLIC_URL', 'ftp://clearframe.example'],
    ['LOG_LEVEL', 'loud'],
    ['CLEARFRAME_INTERNAL_SECRET', undefined],
    ['CLEARFRAME_JWT_SECRET', undefined],
    ['CLEARFRAME_SIGNING_SECRET', 'short'],
    ['CLEARFRAME_FINGERPRINT_SECRET', undefined],
    ['LIMIT_READS_PER_MINUTE', '0'],
    ['QUEUE_MAX_WAITING', '-1'],
    ['STORAGE_DRIVER', 'tape'],
    ['IDENTITY_PROVIDER', 'unknown'],
    ['PAYMENTS_PROVIDER', 'unknown'],
    ['SANDBOX_URL', undefined],
    ['STRIPE_SECRET_KEY', undefined],
    ['STRIPE_PRICES', '{}'],
    ['STRIPE_TRIAL_OFFERS', '[1]'],
  ])('%s: %s', async (variable, value) => {
    const boot = createApp({ ...COMPLETE, [variable]: value });
    await expect(boot).rejects.toMatchObject({
      name: 'ConfigurationError',
      message: expect.stringMatching(new RegExp(`^${variable}: `)),
    });
    // A rejected secret must not be logged either.
    await boot.catch((error: Error) => value && expect(error.message).not.toContain(secret));
  });
});

describe('Firebase as the identity provider', () => {
  const FIREBASE = { ...COMPLETE, IDENTITY_PROVIDER: 'firebase', FIREBASE_PROJECT_ID: 'clearframe-test' };
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  const account = { project_id: 'clearframe-test', client_email: 'api@example.com', private_key: privateKey };

  it.each<[string, string | undefined]>([
    ['FIREBASE_PROJECT_ID', undefined],
    ['FIREBASE_PROJECT_ID', 'Not A Project'],
    ['FIREBASE_AUTH_EMULATOR_HOST', 'http://localhost:9099/'],
    ['GOOGLE_APPLICATION_CREDENTIALS', '/nowhere/google.json'],
    ['GOOGLE_APPLICATION_CREDENTIALS', import.meta.filename],
    ['FIREBASE_SERVICE_ACCOUNT', '{'],
    ['FIREBASE_SERVICE_ACCOUNT', '{}'],
    ['FIREBASE_SERVICE_ACCOUNT', JSON.stringify({ ...account, private_key: `${privateKey}x`.slice(60) })],
    ['FIREBASE_SERVICE_ACCOUNT', JSON.stringify({ ...account, project_id: 'another-project' })],
  ])('fails the boot with an invalid setting and reveals no secret: %s', async (variable, value) => {
    const boot = createApp({ ...FIREBASE, [variable]: value });
    await expect(boot).rejects.toMatchObject({ name: 'ConfigurationError' });
    await boot.catch((error: Error) => {
      expect(error.message).toMatch(new RegExp(`^${variable}: [^\n]{5,80}$`));
      expect(error.message).not.toContain(privateKey.slice(40, 80));
    });
  });

  it('accepts a project alone, with its service account, or with a file of it', () => {
    const read = (more: object) => FirebaseConfig.fromEnvironment({ ...FIREBASE, ...more });
    expect(read({})).toMatchObject({ projectId: 'clearframe-test', serviceAccount: null, emulatorHost: null });
    expect(read({ FIREBASE_SERVICE_ACCOUNT: JSON.stringify(account) }).serviceAccount).toEqual(account);
    const anyJson = fileURLToPath(new URL('../../package.json', import.meta.url));
    expect(read({ GOOGLE_APPLICATION_CREDENTIALS: anyJson }).serviceAccount).toBe('file');
  });
});

describe('in production', () => {
  const PRODUCTION = { ...COMPLETE, CLEARFRAME_ENV: 'production' };

  it.each(['firebase', 'none', undefined])('an emulator is rejected: %s', async (provider) => {
    const boot = createApp({
      ...PRODUCTION,
      IDENTITY_PROVIDER: provider,
      FIREBASE_PROJECT_ID: 'clearframe-test',
      FIREBASE_AUTH_EMULATOR_HOST: '127.0.0.1:9099',
    });
    await expect(boot).rejects.toMatchObject({
      name: 'ConfigurationError',
      message: expect.stringMatching(/^FIREBASE_AUTH_EMULATOR_HOST: [^\n]*$/),
    });
  });

  it.each(['http://photos.example.org', undefined])(
    'addresses with plain HTTP fail the boot: %s',
    async (publicUrl) => {
      const boot = createApp({ ...PRODUCTION, PUBLIC_URL: publicUrl, IDENTITY_PROVIDER: 'sandbox' });
      const variable = publicUrl ? 'PUBLIC_URL' : 'IDENTITY_PROVIDER';
      await expect(boot).rejects.toMatchObject({ message: expect.stringMatching(new RegExp(`^${variable}: [^\n]*$`)) });
    },
  );

  it('the sandbox fails the boot', async () => {
    await expect(createApp({ ...PRODUCTION, IDENTITY_PROVIDER: 'sandbox' })).rejects.toMatchObject({
      name: 'ConfigurationError',
      message: expect.stringMatching(/^IDENTITY_PROVIDER: [^\n]*$/),
    });
  });

  it('there is no identity provider unless configured', () => {
    expect(IdentityConfig.fromEnvironment(PRODUCTION).provider).toBe('none');
    expect(IdentityConfig.fromEnvironment(COMPLETE).provider).toBe('sandbox');
  });
});

/** Its hook runs after those of imported modules. */
@Module({})
class BootObserver implements OnModuleInit {
  static settlesReports: boolean | undefined;

  constructor(private readonly modules: ModuleRef) {}

  onModuleInit(): void {
    BootObserver.settlesReports = this.modules.get(ReportsProcessor, { strict: false }).worker.isRunning();
  }
}

it('reports are settled only once every module is initialized', async () => {
  const api = await startApi({}, [BootObserver]);
  expect(BootObserver.settlesReports).toBe(false);
  expect(api.app.get(ReportsProcessor).worker.isRunning()).toBe(true);
  await api.stop();
});

describe('API_ROLE=http', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startApi({ API_ROLE: 'http' });
  });
  afterAll(() => api.stop());

  it('serves requests and publishes runs, but runs no jobs', async () => {
    for (const job of [RunSweep, ReportsProcessor, RetentionService]) expect(() => api.app.get(job)).toThrow();
    const visitor = await api.guest();
    const { task_id } = await visitor.process();
    expect((await visitor.task(task_id)).queue_wait_num).toBe(1);
    const worker = new ManualWorker(api);
    const [row] = await api.sql<{ run_id: string }>('SELECT run_id FROM tasks WHERE id = $1', [task_id]);
    await worker.report(
      { subjectId: task_id, runId: row?.run_id ?? '' },
      { kind: 'failed', errorCode: 'tasks.failed' },
    );
    expect((await visitor.task(task_id)).status).toBe('processing');
    await worker.stop();
  });
});
