import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import {
  defineJob,
  JOBS,
  type JobOutcome,
  jobIdOf,
  packJob,
  REDIS_PREFIX,
  RunIds,
  reportRun,
  traceparentOf,
  unpackJob,
  workerNameOf,
} from '@clearframe/contract';
import { Injectable, Module } from '@nestjs/common';
import { Queue, Worker } from 'bullmq';
import type { EntityManager } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { freePort } from '../../../runtime/test/ports.js';
import { startApi, type TestApi } from '../../test/support/application.js';
import { until } from '../../test/support/until.js';
import { insertRun, storedRun } from '../../test/support/workers/stored-runs.js';
import { runCommand } from '../ops/run-command.js';
import type { RunRow } from './run.entity.js';
import { KindOfRun, type RunKind } from './run-kind.js';
import { WorkerSlots } from './worker-slots.js';

const WORKER = fileURLToPath(new URL('../../../worker/dist/main.js', import.meta.url));

/** A job of the version that is being deployed: the worker process does not have it. */
const newer = defineJob({
  name: 'test.newer',
  version: 1,
  queue: 'renders',
  payload: RunIds,
  result: z.object({}),
  invalidCodes: [],
  attempts: 3,
  backoffMs: 1,
  timeoutMs: 1_000,
});

@Injectable()
@KindOfRun(newer)
class NewerRun implements RunKind<typeof newer, string> {
  async payload(_manager: EntityManager, { subjectId, id }: RunRow) {
    return { subjectId, runId: id };
  }

  async lock(_manager: EntityManager, { subjectId }: RunRow) {
    return subjectId;
  }

  async settle(): Promise<void> {}
}

@Module({ providers: [NewerRun] })
class NewerKindModule {}

let api: TestApi;
let older: ChildProcess;
let renders: Queue;
let userId: string;
const connection = () => ({ url: api.environment.REDIS_URL ?? '', maxRetriesPerRequest: null });
beforeAll(async () => {
  api = await startApi({}, [NewerKindModule]);
  userId = (await (await api.guest()).me()).web_user_id;
  renders = new Queue(newer.queue, { prefix: REDIS_PREFIX, connection: connection() });
  older = spawn(process.execPath, [WORKER], {
    env: {
      PATH: process.env.PATH,
      REDIS_URL: api.environment.REDIS_URL,
      CLEARFRAME_DATA: api.environment.CLEARFRAME_DATA,
      WORKER_QUEUES: newer.queue,
      WORKER_PORT: String(await freePort()),
    },
    // Ends with this process.
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const slots = api.app.get(WorkerSlots, { strict: false });
  await until(async () => (await slots.windowOf(newer.queue)).sizeFor(newer) === 0, 'the older worker');
});
afterAll(async () => {
  const ended = once(older, 'exit');
  older.kill('SIGKILL');
  await ended;
  await renders.close();
  await api.stop();
});

const insert = (status: 'waiting' | 'dispatched') =>
  insertRun(api, { kind: newer.name, userId, queue: newer.queue, status, attempts: status === 'waiting' ? 0 : 1 });
const rowOf = (run: RunIds) => storedRun(api, run);

/** A display file, which the older worker refuses to make of a file without pixels. */
async function runsOfOthersEnd(): Promise<void> {
  const { task_id } = await (await api.guest()).process();
  const statusOf = async () =>
    (await api.sql(`SELECT status FROM runs WHERE subject_id = $1 AND queue = 'renders'`, [task_id]))[0]?.status;
  await until(async () => (await statusOf()) === 'invalid', 'the run of an older kind to end');
}

describe('runs of a kind that the connected workers lack, as during a deploy', () => {
  it('wait for a worker that has it, uncounted, and hold back no others', async () => {
    const [waiting, published] = [await insert('waiting'), await insert('dispatched')];
    // Published by an `api` whose worker of the newer version has ended since.
    await renders.add(newer.name, packJob(newer, published, traceparentOf(published.runId)), {
      jobId: jobIdOf(published.runId),
    });
    await runsOfOthersEnd();
    const reason = 'no connected worker takes this version of the job';
    for (const run of [waiting, published]) {
      await until(async () => (await rowOf(run))?.reason === reason, 'the reason');
      expect(await rowOf(run)).toEqual({ status: 'waiting', attempts: 0, reason });
      expect(await renders.getJobState(jobIdOf(run.runId))).toBe('unknown');
    }
    await runsOfOthersEnd();

    const listed = await runCommand(['stuck', 'list'], { DATABASE_URL: api.environment.DATABASE_URL });
    expect(listed).toMatch(new RegExp(`^runs\\.dispatch {2}test\\.newer .* 2 waiting .*${reason}$`, 'm'));

    const reports = new Queue(reportRun.queue, { prefix: REDIS_PREFIX, connection: connection() });
    const worker = new Worker(
      newer.queue,
      async ({ data }) => {
        const { subjectId, runId } = unpackJob(newer, data);
        const outcome: JobOutcome<typeof newer> = { kind: 'completed', result: {} };
        const payload = { subjectId, runId, job: newer.name, outcome };
        await reports.add(reportRun.name, packJob(reportRun, payload, traceparentOf(runId)));
      },
      { prefix: REDIS_PREFIX, connection: connection(), name: workerNameOf([...JOBS, newer], process.pid, 1) },
    );
    for (const run of [waiting, published]) {
      await until(async () => (await rowOf(run))?.status === 'completed', 'the run to be completed');
    }
    await worker.close();
    await reports.close();
  });
});
