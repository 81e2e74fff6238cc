import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '../src/create-app.js';
import { IdentityConfig } from '../src/identity/identity.config.js';
import { ReportsConsumer } from '../src/queue/reports.consumer.js';
import { Sweep } from '../src/queue/sweep.js';
import { RetentionService } from '../src/retention/retention.service.js';
import { startApi, type TestApi } from './support/application.js';
import { HandWorker } from './support/hand-worker.js';

const secret = randomBytes(32).toString('hex');
/** Nothing listens there: whoever gets as far as connecting has come too far. */
const COMPLETE = {
  DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
  REDIS_URL: 'redis://127.0.0.1:1',
  CLEARFRAME_INTERNAL_SECRET: secret,
  CLEARFRAME_JWT_SECRET: secret,
  CLEARFRAME_SIGNING_SECRET: secret,
  LOG_LEVEL: 'silent',
};

describe('a bad setting stops the boot and is named', () => {
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
    ['LIMIT_READS_PER_MINUTE', '0'],
    ['QUEUE_MAX_WAITING', '-1'],
    ['STORAGE_DRIVER', 'tape'],
    ['IDENTITY_PROVIDER', 'anybody'],
  ])('%s: %s', async (variable, value) => {
    const boot = createApp({ ...COMPLETE, [variable]: value });
    await expect(boot).rejects.toMatchObject({
      name: 'ConfigurationError',
      message: expect.stringMatching(new RegExp(`^${variable}: `)),
    });
    // A secret that is not good enough is still nobody's business.
    await boot.catch((error: Error) => value && expect(error.message).not.toContain(secret));
  });
});

describe('in production', () => {
  const PRODUCTION = { ...COMPLETE, CLEARFRAME_ENV: 'production' };

  it('nobody may be anybody: the sandbox stops the boot', async () => {
    await expect(createApp({ ...PRODUCTION, IDENTITY_PROVIDER: 'sandbox' })).rejects.toMatchObject({
      name: 'ConfigurationError',
      message: expect.stringMatching(/^IDENTITY_PROVIDER: [^\n]*$/),
    });
  });

  it('there is no identity provider until one is chosen', () => {
    expect(IdentityConfig.fromEnvironment(PRODUCTION).provider).toBe('none');
    expect(IdentityConfig.fromEnvironment(COMPLETE).provider).toBe('sandbox');
  });
});

describe('API_ROLE=http', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startApi({ API_ROLE: 'http' });
  });
  afterAll(() => api.stop());

  it('serves, publishes, and runs no jobs', async () => {
    for (const job of [Sweep, ReportsConsumer, RetentionService]) expect(() => api.app.get(job)).toThrow();
    const visitor = await api.guest();
    const { task_id } = await visitor.process();
    expect((await visitor.task(task_id)).queue_wait_num).toBe(1);
    const worker = new HandWorker(api);
    const [row] = await api.sql<{ run_id: string }>('SELECT run_id FROM tasks WHERE id = $1', [task_id]);
    await worker.report({ taskId: task_id, runId: row?.run_id ?? '' }, { kind: 'failed', errorCode: 'tasks.failed' });
    expect((await visitor.task(task_id)).status).toBe('processing');
    await worker.stop();
  });
});
