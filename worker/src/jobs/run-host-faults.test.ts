import { hostname } from 'node:os';
import { connectedWorkerOf, enhanceImage, jobIdOf, objectKeys, REDIS_PREFIX, UNKNOWN_JOB } from '@clearframe/contract';
import { OWN_FILES } from '@clearframe/runtime/process';
import { watchConnections } from '@clearframe/runtime/redis';
import type { ObjectStore } from '@clearframe/runtime/storage';
import type { INestApplicationContext } from '@nestjs/common';
import { Worker } from 'bullmq';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { completed, handlerOf, resultOf, untilAborted, type Work } from '../test/handlers.js';
import { type RedisProxy, startRedisProxy, testRedis } from '../test/redis.js';
import { type EnhancePayload, payloadOf, portOf, QueueHarness, startWorker, storeOf } from '../test/worker.js';

const REDIS_DATABASE = 17;

let queues: QueueHarness;
let proxy: RedisProxy;
let apps: INestApplicationContext[] = [];

beforeAll(async () => {
  queues = await QueueHarness.start(await testRedis(REDIS_DATABASE));
  proxy = await startRedisProxy(queues.redisUrl);
});
afterEach(async () => {
  await Promise.all(apps.map((app) => app.close()));
  apps = [];
});
afterAll(async () => {
  await proxy.close();
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

/** Resolves with the key of the next object that is put once, when it is stored. */
function afterPutOnce(store: ObjectStore): Promise<string> {
  const putOnce = store.putOnce.bind(store);
  return new Promise((resolve) => {
    vi.spyOn(store, 'putOnce').mockImplementationOnce(async (key, body) => {
      const isFirst = await putOnce(key, body);
      resolve(key);
      return isFirst;
    });
  });
}

describe('the run host under faults', () => {
  it('returns a job at shutdown, for another worker', async () => {
    const begun = Promise.withResolvers<void>();
    const first = await start(async (_, { signal }) => {
      begun.resolve();
      return untilAborted(signal);
    });
    const payload = payloadOf();
    await queues.publish(payload);
    await begun.promise;
    await first.app.close();
    apps = [];
    expect(await (await queues.images.getJob(jobIdOf(payload.runId)))?.getState()).toBe('waiting');
    await start(async (again) => resultOf(again));
    expect(await queues.reported(payload.runId)).toEqual([completed(payload)]);
  });

  describe('when a worker has crashed during a job', () => {
    /** Never finishes the job, like a killed process. */
    async function crashWith(payload: EnhancePayload): Promise<void> {
      const victim = new Worker('images', null, {
        prefix: REDIS_PREFIX,
        connection: { url: queues.redisUrl, maxRetriesPerRequest: null },
        lockDuration: 1,
        skipLockRenewal: true,
        skipStalledCheck: true,
        autorun: false,
      });
      await queues.publish(payload);
      expect((await victim.getNextJob('victim'))?.id).toBe(jobIdOf(payload.runId));
      await victim.close(true);
    }

    it('takes it over', async () => {
      const payload = payloadOf();
      await crashWith(payload);
      await start(async (again) => resultOf(again), { jobs: { stalledInterval: 20 } });
      expect(await queues.reported(payload.runId)).toEqual([completed(payload)]);
    });

    it('takes it over from a dead process of this machine, and nothing from a living one', async () => {
      const [living, dead] = [payloadOf(), payloadOf()];
      const options = { prefix: REDIS_PREFIX, connection: { url: queues.redisUrl, maxRetriesPerRequest: null } };
      const other = new Worker('images', null, { ...options, lockDuration: 600_000, autorun: false });
      const owner = `${OWN_FILES}a@${hostname()}:0`;
      for (const [payload, token] of [
        [living, owner],
        [dead, owner.replace(/^(\d+)\.\d+/, '$1.1')],
      ] as const) {
        await queues.publish(payload);
        expect((await other.getNextJob(token))?.id).toBe(jobIdOf(payload.runId));
      }
      await other.close(true);
      await start(async (again) => resultOf(again), { jobs: { stalledInterval: 20 } });
      expect(await queues.reported(dead.runId)).toEqual([completed(dead)]);
      const job = await queues.images.getJob(jobIdOf(living.runId));
      expect(await job?.getState()).toBe('active');
      await job?.moveToFailed(new Error('the test has ended'), owner);
    });

    it('fails a job that has crashed too many workers', async () => {
      const payload = payloadOf();
      await crashWith(payload);
      const { attemptsAt } = await start(async (again) => resultOf(again), {
        jobs: { stalledInterval: 20, maxStalledCount: 0 },
      });
      expect(await queues.reported(payload.runId)).toEqual([{ kind: 'failed', errorCode: 'tasks.failed' }]);
      expect(attemptsAt(payload.runId)).toBe(0);
    });
  });

  describe('of another version than the api', () => {
    const newer = { name: 'image.of-a-newer-version', version: 1 };

    it('announces the jobs that it takes', async () => {
      await start(async (payload) => resultOf(payload));
      // A connection is named after it is open.
      const announced = async () => {
        const connections = await queues.images.getWorkers();
        // Redis lists the connections to all of its databases.
        const own = connections.filter(({ db }) => db === String(REDIS_DATABASE));
        const workers = own.map(({ rawname }) => connectedWorkerOf(rawname ?? ''));
        return workers.map((worker) => [worker.takes(enhanceImage), worker.takes(newer)]);
      };
      await expect.poll(announced).toEqual([[true, false]]);
    });

    it.each([newer, { ...enhanceImage, version: enhanceImage.version + 1 }])(
      'leaves $name of version $version to others, and goes on with the next job',
      async ({ name, version }) => {
        const [unknown, next] = [payloadOf(), payloadOf()];
        const { attemptsAt } = await start(async (payload) => resultOf(payload));
        const failed = queues.failureOf(unknown.runId);
        await queues.images.add(name, { version, payload: unknown }, { jobId: jobIdOf(unknown.runId), attempts: 3 });
        expect(await failed).toBe(UNKNOWN_JOB);
        await queues.publish(next);
        expect(await queues.reported(next.runId)).toEqual([completed(next)]);
        expect([attemptsAt(unknown.runId), queues.reportOptions.has(unknown.runId)]).toEqual([0, false]);
      },
    );
  });

  it('delivers a report once Redis is reachable again', async () => {
    const payload = payloadOf();
    const { app } = await start(
      async (again) => {
        proxy.cut();
        return resultOf(again);
      },
      { redisUrl: proxy.url },
    );
    const stored = afterPutOnce(storeOf(app));
    await queues.publish(payload);
    expect(await stored).toBe(objectKeys.report(payload.subjectId, payload.runId));
    await expect.poll(async () => (await fetch(`http://127.0.0.1:${portOf(app)}/readyz`)).status).toBe(503);
    proxy.restore();
    expect(await queues.reported(payload.runId)).toEqual([completed(payload)]);
  });

  it('shuts down while its connections wait for Redis', async () => {
    const { app } = await start(async (payload) => resultOf(payload), { redisUrl: proxy.url });
    proxy.cut();
    try {
      const ready = () => fetch(`http://127.0.0.1:${portOf(app)}/readyz`);
      await expect.poll(async () => (await ready()).status).toBe(503);
      await app.close();
      apps = [];
    } finally {
      proxy.restore();
    }
  });

  it('closes a worker whose connection was lost while it opened', async () => {
    // The answer tells the client that Redis is ready; the question for its version follows.
    const mute = await startRedisProxy(queues.redisUrl, { answersUntil: 'redis_version' });
    const retryStrategy = (attempt: number) => (attempt === 1 ? 10 : null);
    const connection = { url: mute.url, maxRetriesPerRequest: null, retryStrategy };
    const worker = new Worker('images', async () => undefined, { prefix: REDIS_PREFIX, connection, autorun: false });
    worker.on('error', () => undefined);
    const haveOpened = watchConnections(worker);
    void worker.run();
    await mute.unanswered;
    mute.cut();
    await worker.close(!haveOpened());
    await mute.close();
    expect(haveOpened()).toBe(false);
  });
});
