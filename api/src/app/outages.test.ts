import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { inMilliseconds, reportRun } from '@clearframe/contract';
import supertest from 'supertest';
import {
  DataSource,
  type QueryRunner,
  QueryRunnerAlreadyReleasedError,
  QueryRunnerProviderAlreadyReleasedError,
} from 'typeorm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { freePort } from '../../../runtime/test/ports.js';
import { startApi, type TestApi } from '../../test/support/application.js';
import { StoreProxy } from '../../test/support/stores/proxy.js';
import { until } from '../../test/support/until.js';
import type { Visitor } from '../../test/support/visitor.js';
import { ManualWorker } from '../../test/support/workers/manual-worker.js';
import { asAppError } from '../platform/errors/problem.filter.js';
import type { DueWork } from '../platform/schedule/work.js';
import { WorkRunner, WorkState } from '../platform/schedule/work-runner.js';
import { ReportsProcessor } from '../runs/reports.processor.js';

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

const POOL_SIZE = 6;

let api: TestApi;
let visitor: Visitor;
let redis: StoreProxy;
let postgres: StoreProxy;
beforeAll(async () => {
  api = await startApi(async ({ databaseUrl, redisUrl }) => {
    redis = await StoreProxy.before(redisUrl);
    postgres = await StoreProxy.before(databaseUrl);
    return {
      REDIS_URL: redis.url,
      DATABASE_URL: postgres.url,
      DATABASE_POOL_SIZE: String(POOL_SIZE),
      DATABASE_WAIT_SECONDS: '1',
      QUEUE_MAX_WAITING: '2',
    };
  });
  visitor = await api.guest();
});
afterEach(async () => {
  await redis.reconnect();
  await postgres.reconnect();
  await until(async () => {
    const { dependencies } = (await ready()).body;
    return dependencies.postgres === 'up' && dependencies.redis === 'up';
  }, 'the stores to be back');
  await api.sql('TRUNCATE bulk_uploads CASCADE');
  await api.sql('DELETE FROM runs');
  await api.redis.flushdb();
});
afterAll(async () => {
  await api.stop();
  await redis.disconnect();
  await postgres.disconnect();
});

const ready = () => api.http.get('/readyz');

describe('while Redis is unavailable', () => {
  it('processing is accepted, and done after the outage', async () => {
    const { task_id, bulk_upload_id } = await visitor.upload();
    await redis.disconnect();
    await visitor.post(`/tasks/bulk-upload/${bulk_upload_id}/process`).expect(202);
    expect(await visitor.task(task_id)).toMatchObject({ status: 'processing', queue_wait_num: 1 });
    await redis.reconnect();
    const worker = new ManualWorker(api);
    await worker.start();
    await worker.end(task_id, (run) => worker.finish(run));
    await until(async () => (await visitor.task(task_id)).status === 'completed', 'the task to be completed');
    await worker.stop();
  });

  it('requests that need only the database succeed', async () => {
    await redis.disconnect();
    const announced = await (await api.guest()).upload();
    expect(announced.status).toBe('started');
    const { task_id } = await visitor.announce();
    await visitor.post(`/tasks/${task_id}/cancel`).expect(200);
  });

  it('a waiting run can be cancelled permanently', async () => {
    const { task_id, bulk_upload_id } = await visitor.upload();
    await redis.disconnect();
    await visitor.post(`/tasks/bulk-upload/${bulk_upload_id}/process`).expect(202);
    await visitor.post(`/tasks/${task_id}/cancel`).expect(200);
    await redis.reconnect();
    await until(async () => (await ready()).body.dependencies.redis === 'up');
    expect(await visitor.task(task_id)).toMatchObject({ status: 'cancelled', queue_wait_num: null });
    expect(await api.sql("SELECT FROM runs WHERE status IN ('waiting', 'dispatched')")).toEqual([]);
  });

  it('readiness fails, liveness does not', async () => {
    await redis.disconnect();
    const { body, headers } = await ready().expect(503);
    expect(body.status).toBe('not_ready');
    expect(body.dependencies).toMatchObject({ postgres: 'up', storage: 'up', redis: 'down' });
    expect(headers['retry-after']).toBeDefined();
    await api.http.get('/healthz').expect(200, { status: 'ok' });
  });
});

describe('readiness', () => {
  it('does not need a worker', async () => {
    const { body } = await ready().expect(200);
    expect(body).toEqual({
      status: 'degraded',
      dependencies: { postgres: 'up', redis: 'up', storage: 'up', worker: 'down' },
    });
    const worker = new ManualWorker(api);
    await worker.start();
    await until(async () => (await ready()).body.status === 'ready', 'the worker to be seen');
    await worker.stop();
  });
});

describe('while PostgreSQL is unavailable', () => {
  it('responses are 503 with Retry-After', async () => {
    await postgres.disconnect();
    for (const response of [await visitor.get('/tasks/x'), await api.http.post('/api/v1/web/users')]) {
      expect([response.status, response.body.error_code]).toEqual([503, 'service.unavailable']);
      expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
      expect(response.body.error_description).not.toMatch(/ECONN|127\.0\.0\.1|postgres/i);
    }
  });

  it('a picture that finishes is final soon after the outage, however long it was', async () => {
    const worker = new ManualWorker(api);
    await worker.start();
    const { task_id } = await visitor.process();
    const { run, complete } = await worker.waitForJob(task_id);
    await postgres.disconnect();
    await worker.report(run, await worker.finish(run));
    complete();
    // The 1,800th attempt, after an outage of an hour.
    expect(await worker.delayOfReportAfter(1800)).toBe(reportRun.retryMs);
    // The picture is final within 10 s of the recovery.
    expect(reportRun.retryMs).toBeLessThanOrEqual(inMilliseconds.seconds(5));
    await postgres.reconnect();
    await until(
      async () => (await visitor.get(`/tasks/${task_id}`)).body.status === 'completed',
      'the picture to be final',
    );
    await worker.stop();
  });

  it('readiness fails, and requests succeed after the outage', async () => {
    await postgres.disconnect();
    const { body } = await ready().expect(503);
    expect(body.dependencies).toMatchObject({ postgres: 'down', redis: 'up' });
    await postgres.reconnect();
    await until(async () => (await visitor.get('/tasks/x')).status === 404, 'service to go on');
  });
});

describe('while all connections to PostgreSQL are in use', () => {
  const held: QueryRunner[] = [];
  beforeEach(async () => {
    const database = api.app.get(DataSource);
    while (held.length < POOL_SIZE) {
      const runner = database.createQueryRunner();
      await runner.connect();
      held.push(runner);
    }
  });
  const free = () => Promise.all(held.splice(0).map((runner) => runner.release()));
  afterEach(free);

  it('requests are refused with 503 and Retry-After before background work stops waiting', async () => {
    const background = api.app.get(DataSource).query('SELECT 1 AS one');
    const responses = await Promise.all([
      visitor.get('/tasks/x'),
      visitor.post('/tasks/bulk-upload', { tasks: [{ content_type: 'image/png' }] }),
      api.http.post('/api/v1/web/users'),
    ]);
    for (const { status, body, headers } of responses) {
      expect([status, body.error_code]).toEqual([503, 'service.unavailable']);
      expect(headers['content-type']).toBe('application/problem+json');
      expect(Number(headers['retry-after'])).toBeGreaterThan(0);
      expect(body.error_description).not.toMatch(/connection/i);
    }
    await free();
    expect(await background).toEqual([{ one: 1 }]);
    await visitor.get('/tasks/x').expect(404);
  });

  it('readiness still says that PostgreSQL answers', async () => {
    expect((await ready().expect(200)).body.dependencies.postgres).toBe('up');
    await api.http.get('/healthz').expect(200);
  });
});

describe('scheduled work while PostgreSQL is unavailable', () => {
  const unhandled: unknown[] = [];
  const record = (error: unknown) => void unhandled.push(error);
  beforeAll(async () => {
    await api.sql('CREATE TABLE outage_subjects AS SELECT generate_series(1, 2) AS id');
    process.on('unhandledRejection', record);
  });
  afterAll(async () => {
    process.off('unhandledRejection', record);
    await api.sql('DROP TABLE outage_subjects');
  });

  it('ends its pass with an error while another subject still runs', async () => {
    const bothRun = Promise.withResolvers<void>();
    const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const state = new WorkState();
    const work: DueWork = {
      kind: 'test.outage',
      everyMs: 1000,
      timeoutMs: 60_000,
      backoff: { firstMs: 1000, maxMs: 1000 },
      maxAttempts: 3,
      concurrency: 2,
      due: () => ({ table: 'outage_subjects', subject: 'id', where: 'true', orderBy: 'id' }),
      run: (id) => {
        if (id === '2') bothRun.resolve();
        return (id === '1' ? first : second).promise;
      },
    };
    const pass = api.app.get(WorkRunner, { strict: false }).pass(work, {}, state);
    const outcome = Promise.allSettled([pass]);
    await bothRun.promise;
    await postgres.disconnect();
    second.resolve();
    await until(() => state.workers === 1, 'the worker of the second subject to end');
    await new Promise(setImmediate);
    first.resolve();
    expect(await outcome).toMatchObject([{ status: 'rejected' }]);
    expect(unhandled).toEqual([]);
  });
});

describe('a full queue', () => {
  it('rejects processing with 503 and Retry-After; the picture may be sent later', async () => {
    await visitor.process();
    await visitor.process();
    const { task_id, bulk_upload_id } = await visitor.upload();
    const { body, headers } = await visitor.post(`/tasks/bulk-upload/${bulk_upload_id}/process`).expect(503);
    expect(body.error_code).toBe('queue.full');
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    expect((await visitor.task(task_id)).status).toBe('uploading');
    await api.sql("UPDATE runs SET status = 'failed', finished_at = now() WHERE finished_at IS NULL");
    await visitor.post(`/tasks/bulk-upload/${bulk_upload_id}/process`).expect(202);
  });
});

describe('shutting down', () => {
  // `close()` waits as long, unless it begins before the fetch has failed.
  it('waits a second at most for the next attempt to fetch a report', () => {
    const { worker } = api.app.get(ReportsProcessor, { strict: false });
    expect(worker.opts.runRetryDelay).toBeLessThanOrEqual(inMilliseconds.seconds(1));
  });

  it('ends in time while Redis is unavailable', async () => {
    const port = await freePort();
    const child = spawn(process.execPath, [MAIN], {
      env: { ...api.environment, API_PORT: String(port) },
      // The process ends with this channel, also when this one is killed.
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    const ended = once(child, 'exit');
    const other = supertest(`http://127.0.0.1:${port}`);
    const redisOf = () =>
      other.get('/readyz').then(
        ({ body }) => body.dependencies.redis,
        () => 'unknown',
      );
    await until(async () => (await redisOf()) === 'up', 'the other process');
    await redis.disconnect();
    await until(async () => (await redisOf()) === 'down', 'the outage');
    child.kill('SIGTERM');
    // 1 when closing takes longer than the supervisor waits.
    expect(await ended).toEqual([0, null]);
  });
});

describe('a connection that breaks between two statements', () => {
  it.each([new QueryRunnerAlreadyReleasedError(), new QueryRunnerProviderAlreadyReleasedError()])(
    'is an outage, not an internal error: %s',
    (error) => {
      expect(asAppError(error).code).toBe('service.unavailable');
    },
  );
});
