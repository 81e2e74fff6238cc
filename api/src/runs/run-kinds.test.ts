import { randomUUID } from 'node:crypto';
import { access, mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import {
  defineJob,
  type JobOutcome,
  objectKeys,
  packJob,
  REDIS_PREFIX,
  RunIds,
  reportRun,
  traceIdOf,
  traceparentOf,
  unpackJob,
} from '@clearframe/contract';
import { Injectable, Module } from '@nestjs/common';
import { Queue, Worker } from 'bullmq';
import { DataSource, type EntityManager } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { startApi, type TestApi } from '../../test/support/application.js';
import { until } from '../../test/support/until.js';
import { RUN_PRIORITY, type RunRow } from './run.entity.js';
import { KindOfRun, type RunKind } from './run-kind.js';
import { RunSweep } from './run-sweep.js';
import { RunsService } from './runs.service.js';

const countFaces = defineJob({
  name: 'test.count-faces',
  version: 1,
  queue: 'colors',
  payload: RunIds.extend({ label: z.string() }),
  result: z.object({ faces: z.int() }),
  invalidCodes: ['test.no_picture'],
  attempts: 1,
  backoffMs: 1,
  timeoutMs: 1_000,
});
type Outcome = JobOutcome<typeof countFaces>;

const subjects = new Map<string, string>();
const outcomes = new Map<string, Outcome[]>();

@Injectable()
@KindOfRun(countFaces)
class CountFacesRun implements RunKind<typeof countFaces, string> {
  async payload(_manager: EntityManager, { subjectId, id }: RunRow) {
    const label = subjects.get(subjectId);
    if (label === 'broken') throw new Error('this payload can not be built');
    return label === undefined ? null : { subjectId, runId: id, label };
  }

  async lock(_manager: EntityManager, { subjectId }: RunRow) {
    return subjects.get(subjectId) ?? null;
  }

  async settle(_manager: EntityManager, { subjectId }: RunRow, _subject: string, outcome: Outcome) {
    outcomes.set(subjectId, [...(outcomes.get(subjectId) ?? []), outcome]);
  }
}

@Module({ providers: [CountFacesRun] })
class TestKindModule {}

let api: TestApi;
let worker: Worker;
let reports: Queue;
let userId: string;
const taken: { label: string; traceId: string | null }[] = [];
beforeAll(async () => {
  api = await startApi({}, [TestKindModule]);
  userId = (await (await api.guest()).me()).web_user_id;
  const connection = { url: api.environment.REDIS_URL ?? '', maxRetriesPerRequest: null };
  reports = new Queue(reportRun.queue, { prefix: REDIS_PREFIX, connection });
  worker = new Worker(
    'colors',
    async (job) => {
      const payload = unpackJob(countFaces, job.data);
      taken.push({ label: payload.label, traceId: traceIdOf(job.data) });
      const outcome: Outcome =
        payload.label === 'empty'
          ? { kind: 'invalid', errorCode: 'test.no_picture' }
          : { kind: 'completed', result: { faces: 2 } };
      await report(payload, outcome);
    },
    { prefix: REDIS_PREFIX, connection },
  );
});
afterAll(async () => {
  await worker.close();
  await reports.close();
  await api.stop();
});

const report = ({ subjectId, runId }: RunIds, outcome: unknown) =>
  reports.add(
    reportRun.name,
    packJob(reportRun, { subjectId, runId, job: countFaces.name, outcome }, traceparentOf(runId)),
  );

async function add(label: string | null, kind = countFaces.name): Promise<RunIds> {
  const ids = { subjectId: randomUUID(), runId: randomUUID() };
  if (label !== null) subjects.set(ids.subjectId, label);
  const runs = api.app.get(RunsService, { strict: false });
  await api.app
    .get(DataSource)
    .transaction((manager) =>
      runs.add(
        manager,
        { ...countFaces, name: kind },
        { id: ids.runId, subjectId: ids.subjectId, userId, priority: RUN_PRIORITY.free },
      ),
    );
  await runs.dispatch('colors');
  return ids;
}

const statusOf = async ({ runId }: RunIds) =>
  (await api.sql<{ status: string }>('SELECT status FROM runs WHERE id = $1', [runId]))[0]?.status;
const ends = (ids: RunIds, status: string) =>
  until(async () => (await statusOf(ids)) === status, `the run to be ${status}`);

describe('a run kind declared in one file', () => {
  it('is dispatched with its payload, processed and settled', async () => {
    const ids = await add('a family');
    await ends(ids, 'completed');
    expect(outcomes.get(ids.subjectId)).toEqual([{ kind: 'completed', result: { faces: 2 } }]);
    expect(taken).toContainEqual({ label: 'a family', traceId: ids.runId.replaceAll('-', '') });
    const [row] = await api.sql('SELECT attempts, started_at, finished_at FROM runs WHERE id = $1', [ids.runId]);
    expect(row).toMatchObject({ attempts: 1, finished_at: expect.any(Date) });
  });

  it('has its own outcomes, one for each run', async () => {
    const ids = await add('empty');
    await ends(ids, 'invalid');
    await report(ids, { kind: 'completed', result: { faces: 1 } });
    await report(ids, { kind: 'completed', result: { faces: 'many' } });
    const last = await add('the last');
    await ends(last, 'completed');
    expect(await statusOf(ids)).toBe('invalid');
    expect(outcomes.get(ids.subjectId)).toEqual([{ kind: 'invalid', errorCode: 'test.no_picture' }]);
  });

  it('leaves no files of a run that did not complete', async () => {
    const ids = { subjectId: randomUUID(), runId: randomUUID() };
    const file = api.pathOf(objectKeys.report(ids.subjectId, ids.runId));
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, '{}');
    await report(ids, { kind: 'completed', result: { faces: 1 } });
    const areDeleted = () =>
      access(file)
        .then(() => false)
        .catch(() => true);
    await until(areDeleted, 'the files of an unknown run to be deleted');
  });
});

describe("a run that can't be dispatched", () => {
  it("fails when its payload can't be built, without stopping others", async () => {
    const [broken, next] = [await add('broken'), await add('next')];
    await ends(broken, 'failed');
    await ends(next, 'completed');
    expect(outcomes.get(broken.subjectId)).toEqual([{ kind: 'failed', errorCode: 'tasks.failed' }]);
  });

  it('is cancelled when its subject is gone', async () => {
    await ends(await add(null), 'cancelled');
  });

  it('waits when its kind is unknown, as after a rollback, without stopping others', async () => {
    const unknown = await add('later', 'test.of-a-newer-version');
    const next = await add('now');
    await ends(next, 'completed');
    await api.app.get(RunSweep, { strict: false }).run();
    expect(await statusOf(unknown)).toBe('waiting');
  });
});
