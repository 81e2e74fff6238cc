import {
  defineJob,
  type JobOutcome,
  jobIdOf,
  packJob,
  REDIS_PREFIX,
  RunIds,
  reportRun,
  traceparentOf,
} from '@clearframe/contract';
import { Injectable, Module } from '@nestjs/common';
import { Queue, UnrecoverableError, Worker } from 'bullmq';
import { DataSource, type EntityManager } from 'typeorm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { startApi, type TestApi } from '../../test/support/application.js';
import { until } from '../../test/support/until.js';
import { insertRun, storedRun } from '../../test/support/workers/stored-runs.js';
import { WorkClaims } from '../platform/schedule/work-claims.js';
import { LAST_ATTEMPT, type RunRow } from './run.entity.js';
import { KindOfRun, type RunKind } from './run-kind.js';
import { RunSweep } from './run-sweep.js';
import { listAbandonedRuns } from './runs.repository.js';

const defective = defineJob({
  name: 'test.defective',
  version: 1,
  queue: 'colors',
  payload: RunIds,
  result: z.object({}),
  invalidCodes: [],
  attempts: 1,
  backoffMs: 1,
  timeoutMs: 1_000,
});
const OF_A_NEWER_VERSION = 'test.of-a-newer-version';
/** Jobs that `colors` holds without a worker. */
const WINDOW = 2;

const broken = new Set<string>();

@Injectable()
@KindOfRun(defective)
class DefectiveRun implements RunKind<typeof defective, string> {
  async payload(_manager: EntityManager, { subjectId, id }: RunRow) {
    if (broken.has(subjectId)) throw new Error('this payload can not be built');
    return { subjectId, runId: id };
  }

  async lock(_manager: EntityManager, { subjectId }: RunRow) {
    return subjectId;
  }

  async settle(): Promise<void> {
    throw new Error('no such column of jane@example.com');
  }
}

@Module({ providers: [DefectiveRun] })
class TestKindModule {}

let api: TestApi;
let sweep: RunSweep;
let userId: string;
let colors: Queue;
let reports: Queue;
const connection = () => ({ url: api.environment.REDIS_URL ?? '', maxRetriesPerRequest: null });
beforeAll(async () => {
  api = await startApi({}, [TestKindModule]);
  sweep = api.app.get(RunSweep, { strict: false });
  userId = (await (await api.guest()).me()).web_user_id;
  colors = new Queue('colors', { prefix: REDIS_PREFIX, connection: connection() });
  reports = new Queue(reportRun.queue, { prefix: REDIS_PREFIX, connection: connection() });
});
beforeEach(() => api.sql('DELETE FROM runs'));
afterAll(async () => {
  await colors.close();
  await reports.close();
  await api.stop();
});

const insert = (kind: string, attempts: number, status?: 'waiting') =>
  insertRun(api, { kind, userId, queue: colors.name, attempts, ...(status && { status }) });
const rowOf = (run: RunIds) => storedRun(api, run);

/** Fails jobs like a worker that lacks their kind. */
async function failJobs(runs: readonly RunIds[]): Promise<void> {
  for (const { runId } of runs) await colors.add(OF_A_NEWER_VERSION, {}, { jobId: jobIdOf(runId) });
  const worker = new Worker(
    'colors',
    async () => {
      throw new UnrecoverableError('unknown job');
    },
    { prefix: REDIS_PREFIX, connection: connection() },
  );
  await until(async () => (await colors.getFailedCount()) === runs.length, 'the jobs to fail');
  await worker.close();
}

describe('after a rollback, runs of kinds that this version lacks', () => {
  it('wait again, uncounted, and leave their slots to others', async () => {
    const unknown: RunIds[] = [];
    while (unknown.length < WINDOW) unknown.push(await insert(OF_A_NEWER_VERSION, LAST_ATTEMPT, 'waiting'));
    await failJobs(unknown);
    // Only now: the api's own sweep would return them to waiting before their jobs exist.
    await api.sql(
      `UPDATE runs SET status = 'dispatched', dispatched_at = now() - interval '1 minute' WHERE kind = $1`,
      [OF_A_NEWER_VERSION],
    );
    const known = await insert(defective.name, 0, 'waiting');
    await sweep.run();
    for (const run of unknown) {
      expect(await rowOf(run)).toEqual({ status: 'waiting', attempts: LAST_ATTEMPT - 1, reason: null });
      expect(await colors.getJobState(jobIdOf(run.runId))).toBe('unknown');
    }
    await until(async () => (await rowOf(known))?.status === 'dispatched', 'the other run to be dispatched');
    await sweep.run();
    expect((await rowOf(unknown[0] as RunIds))?.status).toBe('waiting');
  });
});

describe("a run that can't be settled", () => {
  it('is abandoned after its last attempt, with the reason', async () => {
    const run = await insert(defective.name, LAST_ATTEMPT - 1);
    broken.add(run.subjectId);
    await sweep.run();
    await sweep.run();
    expect(await rowOf(run)).toMatchObject({ status: 'failed', reason: 'Error: no such column of <address>' });
    const listed = await listAbandonedRuns(api.app.get(DataSource).manager);
    expect(listed.map(({ id, reason }) => [id, reason])).toEqual([[run.runId, 'Error: no such column of <address>']]);
  });

  it('is abandoned when its job is lost each time', async () => {
    const run = await insert(defective.name, LAST_ATTEMPT);
    await sweep.run();
    expect(await rowOf(run)).toMatchObject({ status: 'failed', reason: 'its job was lost after every publication' });
  });

  it('shows why its report could not be settled', async () => {
    const run = await insert(defective.name, 1);
    await colors.add(defective.name, {}, { jobId: jobIdOf(run.runId) });
    const outcome: JobOutcome<typeof defective> = { kind: 'completed', result: {} };
    const payload = { ...run, job: defective.name, outcome };
    await reports.add(reportRun.name, packJob(reportRun, payload, traceparentOf(run.runId)));
    await until(async () => (await rowOf(run))?.reason === 'Error: no such column of <address>', 'the reason');
    expect((await rowOf(run))?.status).toBe('dispatched');
  });
});

it('a sweep whose process is killed is repeated within ten seconds', async () => {
  const [work] = sweep.scheduledWork;
  if (!work) throw new Error('no work');
  await api.app.get(WorkClaims, { strict: false }).claimPeriodic({ ...work, kind: 'test.sweep' }, true);
  const [lease] = await api.sql<{ seconds: number }>(
    `SELECT extract(epoch FROM next_attempt_at - created_at)::float AS seconds FROM work_attempts WHERE kind = 'test.sweep'`,
  );
  expect(lease?.seconds).toBeLessThanOrEqual(10);
});
