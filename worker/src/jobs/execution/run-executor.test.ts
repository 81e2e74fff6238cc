import { defineJob, enhanceImage, objectKeys, REDIS_PREFIX, reportRun } from '@clearframe/contract';
import { RedisClient, RedisConfig } from '@clearframe/runtime/redis';
import { openObjectStore, StorageConfig } from '@clearframe/runtime/storage';
import { type Job, Queue, Worker } from 'bullmq';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { JobsConfig } from '../../config/jobs.config.js';
import { Metrics } from '../../monitoring/metrics.js';
import { testRedis } from '../../test/redis.js';
import { payloadOf, QueueHarness } from '../../test/worker.js';
import { Cancellations } from './cancellation.js';
import { TimedOutError } from './errors.js';
import { RunReports } from './reports.js';
import { RunExecutor } from './run-executor.js';

let queues: QueueHarness;
beforeAll(async () => {
  queues = await QueueHarness.start(await testRedis(13));
});
afterAll(() => queues.stop());

it('stops an attempt that takes too long and reports the run as timed out', async () => {
  const root = { log: pino({ level: 'silent' }) };
  const redis = new RedisClient(new RedisConfig(queues.redisUrl), root);
  const connection = { url: queues.redisUrl, maxRetriesPerRequest: null };
  const queue = new Queue(reportRun.queue, { prefix: REDIS_PREFIX, connection });
  const store = await openObjectStore(new StorageConfig({ driver: 'disk', root: queues.dataFolder }));
  const reports = new RunReports(queue, store, root);
  const executor = new RunExecutor(
    reports,
    new Cancellations(redis, new JobsConfig({ images: 1 })),
    new Metrics(),
    root,
  );
  const registered = {
    definition: defineJob({ ...enhanceImage, timeoutMs: 5 }),
    handler: { handle: () => new Promise<never>(() => undefined) },
  };
  const payload = payloadOf();
  await queues.publish(payload);
  const job = (await queues.images.getJob(`run-${payload.runId}`)) as Job;

  const error = await executor.execute(registered, job, new AbortController().signal).catch((thrown: Error) => thrown);
  expect(error).toBeInstanceOf(TimedOutError);
  await executor.reportFailed(registered, job, error as Error);

  const timedOut = { kind: 'failed', errorCode: 'tasks.timed_out' };
  expect(await queues.reported(payload.runId)).toEqual([timedOut]);
  expect(await store.readJson(objectKeys.report(payload.subjectId, payload.runId))).toEqual(timedOut);
  await queue.close();
  redis.onApplicationShutdown();
});

it('tries a report again after the same two seconds, however often it fails, and keeps one stack', async () => {
  const options = { prefix: REDIS_PREFIX, connection: { url: queues.redisUrl, maxRetriesPerRequest: null } };
  const queue = new Queue('unsettled', options);
  const api = new Worker('unsettled', null, { ...options, autorun: false });
  const store = await openObjectStore(new StorageConfig({ driver: 'disk', root: queues.dataFolder }));
  const ids = payloadOf();
  await new RunReports(queue, store, { log: pino({ level: 'silent' }) }).send(enhanceImage, ids, { kind: 'cancelled' });
  for (const reason of ['first', 'second', 'third']) {
    const report = await api.getNextJob('api');
    await report?.moveToFailed(new Error(reason), 'api');
    expect((await queue.getJob(`report-${ids.runId}`))?.delay).toBe(2000);
    await report?.promote();
  }
  const { stacktrace = [] } = (await queue.getJob(`report-${ids.runId}`)) ?? {};
  expect(stacktrace).toEqual([expect.stringContaining('third')]);
  await api.close();
  await queue.close();
});
