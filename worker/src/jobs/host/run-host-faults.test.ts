import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { jobIdOf, objectKeys, REDIS_PREFIX } from '@clearframe/contract';
import type { INestApplicationContext } from '@nestjs/common';
import { Worker } from 'bullmq';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { completed, handlerOf, resultOf, untilAborted, type Work } from '../../test/handlers.js';
import { type Line, lineTo, testRedis } from '../../test/redis.js';
import { Bench, type EnhancePayload, payloadOf, portOf, startWorker } from '../../test/worker.js';

const REDIS_DATABASE = 12;

let bench: Bench;
let line: Line;
let apps: INestApplicationContext[] = [];

beforeAll(async () => {
  bench = await Bench.set(await testRedis(REDIS_DATABASE));
  line = await lineTo(bench.redisUrl);
});
afterEach(async () => {
  await Promise.all(apps.map((app) => app.close()));
  apps = [];
});
afterAll(async () => {
  await line.close();
  await bench.clear();
});

async function start(work: Work, options: Partial<Parameters<typeof startWorker>[0]> = {}) {
  const { handler, attemptsAt } = handlerOf(work);
  const app = await startWorker({
    redisUrl: bench.redisUrl,
    dataFolder: bench.dataFolder,
    handlers: [handler],
    ...options,
  });
  apps.push(app);
  return { app, attemptsAt };
}

describe('the run host under faults', () => {
  it('hands a job back at shutdown to another worker', async () => {
    const begun = Promise.withResolvers<void>();
    const first = await start(async (_, { signal }) => {
      begun.resolve();
      return untilAborted(signal);
    });
    const payload = payloadOf();
    await bench.publish(payload);
    await begun.promise;
    await first.app.close();
    apps = [];
    expect(await (await bench.images.getJob(jobIdOf(payload.runId)))?.getState()).toBe('waiting');
    await start(async (again) => resultOf(again));
    expect(await bench.reported(payload.runId)).toEqual([completed(payload)]);
  });

  describe('when a worker has died with a job', () => {
    /** Takes a job and never finishes it, like a killed process. */
    async function crashWith(payload: EnhancePayload): Promise<void> {
      const victim = new Worker('images', null, {
        prefix: REDIS_PREFIX,
        connection: { url: bench.redisUrl, maxRetriesPerRequest: null },
        lockDuration: 1,
        skipLockRenewal: true,
        skipStalledCheck: true,
        autorun: false,
      });
      await bench.publish(payload);
      expect((await victim.getNextJob('victim'))?.id).toBe(jobIdOf(payload.runId));
      await victim.close(true);
    }

    it('takes it over', async () => {
      const payload = payloadOf();
      await crashWith(payload);
      await start(async (again) => resultOf(again), { jobs: { stalledInterval: 20 } });
      expect(await bench.reported(payload.runId)).toEqual([completed(payload)]);
    });

    it('fails a picture that has crashed too many workers', async () => {
      const payload = payloadOf();
      await crashWith(payload);
      const { attemptsAt } = await start(async (again) => resultOf(again), {
        jobs: { stalledInterval: 20, maxStalledCount: 0 },
      });
      expect(await bench.reported(payload.runId)).toEqual([{ kind: 'failed', errorCode: 'tasks.failed' }]);
      expect(attemptsAt(payload.runId)).toBe(0);
    });
  });

  it('keeps a report until Redis is back', async () => {
    const payload = payloadOf();
    const { app } = await start(
      async (again) => {
        line.cut();
        return resultOf(again);
      },
      { redisUrl: line.url },
    );
    await bench.publish(payload);
    const report = join(bench.dataFolder, 'media', objectKeys.report(payload.subjectId, payload.runId));
    while (
      !(await access(report).then(
        () => true,
        () => false,
      ))
    )
      await bench.redis.ping();
    expect((await fetch(`http://127.0.0.1:${portOf(app)}/readyz`)).status).toBe(503);
    line.mend();
    expect(await bench.reported(payload.runId)).toEqual([completed(payload)]);
  });

  it('shuts down while its connections wait for Redis', async () => {
    const { app } = await start(async (payload) => resultOf(payload), { redisUrl: line.url });
    line.cut();
    try {
      const ready = () => fetch(`http://127.0.0.1:${portOf(app)}/readyz`);
      await vi.waitFor(async () => expect((await ready()).status).toBe(503));
      await app.close();
      apps = [];
    } finally {
      line.mend();
    }
  });
});
