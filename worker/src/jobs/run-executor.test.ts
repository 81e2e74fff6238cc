import { defineJob, enhanceImage, objectKeys, REDIS_PREFIX, reportRun } from '@clearframe/contract';
import { RedisClient, RedisConfig } from '@clearframe/runtime/redis';
import { DiskFullError, openObjectStore, StorageConfig } from '@clearframe/runtime/storage';
import { type Job, Queue, Worker } from 'bullmq';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DecoderCrashedError } from '../decoder/decoder.js';
import { JobsConfig } from '../platform/config.js';
import { Metrics } from '../platform/metrics.js';
import { testRedis } from '../test/redis.js';
import { payloadOf, QueueHarness } from '../test/worker.js';
import { Cancellations, TimedOutError } from './cancellation.js';
import { RunReports } from './reports.js';
import { RunExecutor, settledWithin } from './run-executor.js';

let queues: QueueHarness;
beforeAll(async () => {
  queues = await QueueHarness.start(await testRedis(18));
});
afterAll(() => queues.stop());

/** Runs the last attempt of a job with this handler. */
async function reportOf(timeoutMs: number, handle: () => Promise<never>) {
  const root = { log: pino({ level: 'silent' }) };
  const redis = new RedisClient(new RedisConfig(queues.redisUrl), root);
  const connection = { url: queues.redisUrl, maxRetriesPerRequest: null };
  const queue = new Queue(reportRun.queue, { prefix: REDIS_PREFIX, connection });
  const store = await openObjectStore(new StorageConfig({ driver: 'disk', root: queues.dataFolder }));
  const cancellations = new Cancellations(redis, new JobsConfig({ images: 1 }));
  const executor = new RunExecutor(new RunReports(queue, store, root), cancellations, new Metrics(), root);
  const registered = { definition: defineJob({ ...enhanceImage, timeoutMs }), handler: { handle } };
  const payload = payloadOf();
  await queues.publish(payload);
  const job = (await queues.images.getJob(`run-${payload.runId}`)) as Job;
  const error = await executor.execute(registered, job, new AbortController().signal).catch((thrown: Error) => thrown);
  await executor.reportFailed(registered, job, error as Error);
  const reported = await queues.reported(payload.runId);
  const stored = await store.readJson(objectKeys.report(payload.subjectId, payload.runId));
  await queue.close();
  redis.onApplicationShutdown();
  return { error, reported, stored };
}

it('stops an attempt without progress and reports the run as timed out', async () => {
  const { error, reported, stored } = await reportOf(5, () => new Promise<never>(() => undefined));
  expect(error).toBeInstanceOf(TimedOutError);
  const timedOut = { kind: 'failed', errorCode: 'tasks.timed_out' };
  expect(reported).toEqual([timedOut]);
  expect(stored).toEqual(timedOut);
});

it('reports that a disk is full', async () => {
  const full = new DiskFullError(queues.dataFolder);
  const { error, reported } = await reportOf(enhanceImage.timeoutMs, () => Promise.reject(full));
  expect(error).toBe(full);
  expect(reported).toEqual([{ kind: 'failed', errorCode: 'tasks.disk_full' }]);
});

it('reports a picture that ends its decoder in each attempt as unreadable', async () => {
  const crashed = new DecoderCrashedError('the decoder of a picture ended (SIGSEGV)');
  const { error, reported } = await reportOf(enhanceImage.timeoutMs, () => Promise.reject(crashed));
  expect(error).toBe(crashed);
  expect(reported).toEqual([{ kind: 'invalid', errorCode: 'uploads.undecodable' }]);
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

const never = new Promise<never>(() => undefined);

describe('abortable work', () => {
  it('settles with its own result or error', async () => {
    const { signal } = new AbortController();
    expect(await settledWithin(Promise.resolve(7), signal, 1)).toBe(7);
    await expect(settledWithin(Promise.reject(new Error('own')), signal, 1)).rejects.toThrow('own');
  });

  it('is abandoned if it does not stop', async () => {
    const controller = new AbortController();
    const outcome = settledWithin(never, controller.signal, 1);
    controller.abort(new Error('enough'));
    await expect(outcome).rejects.toThrow('enough');
  });

  it('may finish within the grace period', async () => {
    const signal = AbortSignal.abort(new Error('enough'));
    expect(await settledWithin(Promise.resolve('just in time'), signal, 1)).toBe('just in time');
  });
});
