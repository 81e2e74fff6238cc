import { enhanceImage, jobIdOf, objectKeys, parseOutcome, REDIS_PREFIX, reportRun } from '@clearframe/contract';
import type { INestApplicationContext } from '@nestjs/common';
import { Queue } from 'bullmq';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { InvalidImageError } from '../image/errors.js';
import { completed, handlerOf, resultOf, untilAborted, type Work } from '../test/handlers.js';
import { testRedis } from '../test/redis.js';
import { payloadOf, portOf, QueueHarness, startWorker, storeOf } from '../test/worker.js';

const REDIS_DATABASE = 16;

let queues: QueueHarness;
let apps: INestApplicationContext[] = [];

beforeAll(async () => {
  queues = await QueueHarness.start(await testRedis(REDIS_DATABASE));
});
afterEach(async () => {
  await Promise.all(apps.map((app) => app.close()));
  apps = [];
});
afterAll(async () => {
  await queues.stop();
});

async function start(work: Work, options: Partial<Parameters<typeof startWorker>[0]> = {}) {
  const { handler, attemptsAt } = handlerOf(work);
  const app = await startWorker({
    redisUrl: queues.redisUrl,
    dataFolder: queues.dataFolder,
    handlers: [handler],
    ...options,
  });
  apps.push(app);
  return { app, attemptsAt };
}

describe('the run host', () => {
  it('stores a report, then sends it', async () => {
    const { app } = await start(async (payload) => resultOf(payload));
    const payload = payloadOf();
    await queues.publish(payload);
    expect(await queues.reported(payload.runId)).toEqual([completed(payload)]);
    const stored = await storeOf(app).readJson(objectKeys.report(payload.subjectId, payload.runId));
    expect(parseOutcome(enhanceImage, stored)).toEqual(completed(payload));
    // With a growing delay, finished pictures would stay `processing` long after an outage.
    expect(queues.reportOptions.get(payload.runId)).toMatchObject({
      attempts: reportRun.attempts,
      backoff: { type: 'fixed', delay: reportRun.retryMs },
    });
  });

  it('does not repeat a finished run, but reports it again', async () => {
    const { attemptsAt } = await start(async (payload) => resultOf(payload));
    const payload = payloadOf();
    // `api` republishes unreported runs after their job is removed.
    const removed = queues.removalOf(payload.runId);
    await queues.publish(payload);
    await queues.reported(payload.runId, 1);
    await removed;
    await queues.publish(payload);
    expect(await queues.reported(payload.runId, 2)).toHaveLength(2);
    expect(attemptsAt(payload.runId)).toBe(1);
  });

  it('reports an unacceptable picture as invalid after one attempt', async () => {
    const { attemptsAt } = await start(async () => {
      throw new InvalidImageError('uploads.undecodable');
    });
    const payload = payloadOf();
    await queues.publish(payload);
    expect(await queues.reported(payload.runId)).toEqual([{ kind: 'invalid', errorCode: 'uploads.undecodable' }]);
    expect(attemptsAt(payload.runId)).toBe(1);
  });

  it('retries a failed attempt', async () => {
    const { attemptsAt } = await start(async (payload, _, attempt) => {
      if (attempt < 3) throw new Error('transient');
      return resultOf(payload);
    });
    const payload = payloadOf();
    await queues.publish(payload);
    expect(await queues.reported(payload.runId)).toEqual([completed(payload)]);
    expect(attemptsAt(payload.runId)).toBe(3);
  });

  it('reports a run as failed only after its last attempt', async () => {
    const { attemptsAt } = await start(async () => {
      throw new Error('permanent');
    });
    const payload = payloadOf();
    await queues.publish(payload);
    expect(await queues.reported(payload.runId)).toEqual([{ kind: 'failed', errorCode: 'tasks.failed' }]);
    expect(attemptsAt(payload.runId)).toBe(enhanceImage.attempts);
  });

  it('does not retry errors marked as not retryable', async () => {
    const { attemptsAt } = await start(async () => {
      throw Object.assign(new Error('no such tool'), { retryable: false });
    });
    const payload = payloadOf();
    await queues.publish(payload);
    expect(await queues.reported(payload.runId)).toEqual([{ kind: 'failed', errorCode: 'tasks.failed' }]);
    expect(attemptsAt(payload.runId)).toBe(1);
  });

  it('fails a job with an invalid payload without a retry', async () => {
    const { attemptsAt } = await start(async (payload) => resultOf(payload));
    const payload = payloadOf();
    const invalid = { ...payload, maxSide: 'large' };
    const failed = queues.failureOf(payload.runId);
    await queues.images.add(
      enhanceImage.name,
      { version: enhanceImage.version, payload: invalid },
      { jobId: jobIdOf(payload.runId), attempts: 3 },
    );
    expect(await failed).toBe('the job is invalid');
    expect((await queues.images.getJob(jobIdOf(payload.runId)))?.attemptsMade).toBe(1);
    expect(attemptsAt(payload.runId)).toBe(0);
  });

  it('stops a run that is cancelled while it runs', async () => {
    const { attemptsAt } = await start(async (payload, { signal }) => {
      await queues.cancel(payload.runId);
      return untilAborted(signal);
    });
    const payload = payloadOf();
    await queues.publish(payload);
    expect(await queues.reported(payload.runId)).toEqual([{ kind: 'cancelled' }]);
    expect(attemptsAt(payload.runId)).toBe(1);
  });

  it('does not start a run cancelled while waiting', async () => {
    const payload = payloadOf();
    await queues.cancel(payload.runId);
    await queues.publish(payload);
    const { attemptsAt } = await start(async () => resultOf(payload));
    expect(await queues.reported(payload.runId)).toEqual([{ kind: 'cancelled' }]);
    expect(attemptsAt(payload.runId)).toBe(0);
  });

  it('publishes the progress of a run', async () => {
    const seen = new Promise((resolve) => {
      queues.events.on('progress', ({ data }) => resolve(data));
    });
    await start(async (payload, context) => {
      context.progress(0.4);
      await seen;
      return resultOf(payload);
    });
    const payload = payloadOf();
    await queues.publish(payload);
    expect(await seen).toEqual({ progress: 0.4 });
    await queues.reported(payload.runId);
  });

  it('takes jobs of its queues only', async () => {
    const { attemptsAt } = await start(async (payload) => resultOf(payload), { queues: ['renders', 'colors'] });
    const [picture, color] = [payloadOf(), payloadOf()];
    const colors = new Queue('colors', { prefix: REDIS_PREFIX, connection: { url: queues.redisUrl } });
    await queues.publish(picture);
    await queues.publish(color, {}, colors);
    await queues.reported(color.runId);
    await colors.close();
    expect([attemptsAt(color.runId), attemptsAt(picture.runId)]).toEqual([1, 0]);
    expect(await queues.images.getJobState(jobIdOf(picture.runId))).toBe('waiting');
    await queues.images.remove(jobIdOf(picture.runId));
  });

  it('works on as many pictures at once as configured', async () => {
    const pictures = [payloadOf(), payloadOf(), payloadOf()];
    const [first, second, third] = pictures.map(({ runId }) => ({ runId, ...Promise.withResolvers<void>() }));
    const begun = new Map(pictures.map(({ runId }) => [runId, Promise.withResolvers<void>()]));
    const released = new Map([first, second, third].map((gate) => [gate?.runId, gate?.promise]));
    const { attemptsAt } = await start(
      async (payload) => {
        begun.get(payload.runId)?.resolve();
        await released.get(payload.runId);
        return resultOf(payload);
      },
      { concurrency: 2 },
    );
    for (const picture of pictures) await queues.publish(picture);
    await Promise.all([first, second].map((gate) => begun.get(gate?.runId ?? '')?.promise));
    expect(attemptsAt(third?.runId ?? '')).toBe(0);
    first?.resolve();
    await begun.get(third?.runId ?? '')?.promise;
    second?.resolve();
    third?.resolve();
    for (const picture of pictures) expect(await queues.reported(picture.runId)).toEqual([completed(picture)]);
  });

  it('does not keep a picture behind a video that came earlier', async () => {
    const [long, picture] = [payloadOf(), payloadOf()];
    const [begun, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await start(
      async (payload) => {
        if (payload.runId === long.runId) {
          begun.resolve();
          await gate.promise;
        }
        return resultOf(payload);
      },
      { queues: ['images', 'videos'] },
    );
    const videos = new Queue('videos', { prefix: REDIS_PREFIX, connection: { url: queues.redisUrl } });
    await queues.publish(long, {}, videos);
    await begun.promise;
    await queues.publish(picture);
    expect(await queues.reported(picture.runId)).toEqual([completed(picture)]);
    expect(await videos.getJobState(jobIdOf(long.runId))).toBe('active');
    gate.resolve();
    expect(await queues.reported(long.runId)).toEqual([completed(long)]);
    await videos.close();
  });

  it('does not start without exactly one handler for each of its jobs', async () => {
    const nothing = { redisUrl: queues.redisUrl, dataFolder: queues.dataFolder };
    await expect(startWorker({ ...nothing, handlers: [] })).rejects.toThrow('image.enhance has 0 handlers');
    const twice = [handlerOf(async (payload) => resultOf(payload)), handlerOf(async (payload) => resultOf(payload))];
    await expect(startWorker({ ...nothing, handlers: twice.map(({ handler }) => handler) })).rejects.toThrow(
      'image.enhance has 2 handlers',
    );
  });

  it('serves health checks and metrics', async () => {
    const { app } = await start(async (payload) => resultOf(payload));
    const payload = payloadOf();
    await queues.publish(payload);
    await queues.reported(payload.runId);
    const get = (path: string) => fetch(`http://127.0.0.1:${portOf(app)}${path}`);
    expect(await (await get('/healthz')).json()).toEqual({ status: 'ok' });
    expect(await (await get('/readyz')).json()).toEqual({
      status: 'ready',
      dependencies: { redis: 'up', storage: 'up' },
    });
    expect(await (await get('/metrics')).text()).toMatch(
      /clearframe_worker_runs_total\{job="image.enhance",outcome="completed"\} 1/,
    );
    expect((await get('/else')).status).toBe(404);
  });
});
