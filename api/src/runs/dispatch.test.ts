import type { RunQueue } from '@clearframe/contract';
import { DataSource } from 'typeorm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../test/support/application.js';
import { pngOf } from '../../test/support/pictures.js';
import { runScheduled } from '../../test/support/scheduled.js';
import { until } from '../../test/support/until.js';
import type { Visitor } from '../../test/support/visitor.js';
import { ManualWorker } from '../../test/support/workers/manual-worker.js';
import { NEXT, RANKED, RunsRepository } from './runs.repository.js';
import { RunsService } from './runs.service.js';

const PER_USER = 4;
const RENDERS_PER_USER = 3;

let api: TestApi;
let worker: ManualWorker;
let heavy: Visitor;
let other: Visitor;
beforeAll(async () => {
  api = await startApi({
    QUEUE_MAX_PER_USER: String(PER_USER),
    QUEUE_MAX_RENDERS_PER_USER: String(RENDERS_PER_USER),
  });
});
afterAll(() => api.stop());
beforeEach(async () => {
  await api.redis.flushdb();
  await api.sql('TRUNCATE bulk_uploads CASCADE');
  await api.sql('DELETE FROM runs');
  worker = new ManualWorker(api);
  [heavy, other] = [await api.guest(), await api.guest()];
});
afterEach(() => worker.stop());

const start = async (visitor: Visitor, input: object = {}): Promise<string> => (await visitor.process(input)).task_id;

async function startSeveral(visitor: Visitor, count: number): Promise<string[]> {
  const taskIds: string[] = [];
  while (taskIds.length < count) taskIds.push(await start(visitor));
  return taskIds;
}

async function expectOrder(taskIds: readonly string[]): Promise<void> {
  await worker.start();
  for (const [index, taskId] of taskIds.entries()) {
    await worker.waitForJob(taskId);
    expect(taskIds.slice(index + 1).filter((later) => worker.has(later))).toEqual([]);
    await worker.end(taskId, (run) => worker.finish(run));
  }
}

it('large results take no place of other pictures, and wait for one of their own', async () => {
  await worker.start();
  const business = await api.business();
  const original = {
    image_content_type: 'image/png',
    ai_pipeline: { face_enhance: { model: 'base' }, output_size: 'original' },
  };
  const startOriginal = async (width: number, height: number) =>
    (await business.process(original, pngOf(width, height))).task_id;
  const [running, next] = [await startOriginal(6000, 4000), await startOriginal(6000, 4000)];
  expect((await worker.waitForJob(running)).job.queueName).toBe('large');
  for (const small of [await start(business), await startOriginal(2000, 1500), await start(other)]) {
    expect((await worker.waitForJob(small)).job.queueName).toBe('images');
    expect(worker.has(next)).toBe(false);
    await worker.end(small, (run) => worker.finish(run));
  }
  await worker.end(running, (run) => worker.finish(run));
  await worker.end(next, (run) => worker.finish(run));
});

describe('the order of waiting pictures', () => {
  it('is round robin among users, however many one of them has sent', async () => {
    const [first = '', second = '', third = ''] = await startSeveral(heavy, 3);
    const [own = '', ownSecond = ''] = await startSeveral(other, 2);
    expect((await other.task(own)).queue_wait_num).toBe(2);
    expect((await heavy.task(third)).queue_wait_num).toBe(5);
    await expectOrder([first, own, second, ownSecond, third]);
  });

  it('lets a user who cancels pictures wait no longer than one who never sent them', async () => {
    const [first = '', ...cancelled] = await startSeveral(heavy, 4);
    const last = cancelled.pop() ?? '';
    const others = [await startSeveral(other, 4), await startSeveral(await api.guest(), 4)].map(
      ([begun = '', ...later]) => [begun, ...later] as const,
    );
    for (const taskId of cancelled) await heavy.post(`/tasks/${taskId}/cancel`).expect(200);
    await runScheduled(api, 'runs.turns');
    await worker.start();
    await worker.end(first, (run) => worker.finish(run));
    for (const round of [0, 1]) {
      for (const taskIds of others) await worker.end(taskIds[round] ?? '', (run) => worker.finish(run));
    }
    await worker.waitForJob(last);
    expect(others.map(([, , third = '']) => worker.has(third))).toEqual([false, false]);
  });

  it('follows a user whose guest account becomes paying', async () => {
    const [first = '', ...later] = await startSeveral(heavy, 3);
    const paid = await start(await api.business());
    const [second = '', third = ''] = later;
    const [row] = await api.sql<{ run_id: string }>('SELECT run_id FROM tasks WHERE id = $1', [third]);
    const runs = api.app.get(RunsService, { strict: false });
    await api.app.get(DataSource).transaction((manager) => runs.prioritize(manager, row?.run_id ?? ''));
    await expectOrder([first, paid, third, second]);
  });

  it('puts paying users first', async () => {
    const [first = '', second = ''] = await startSeveral(heavy, 2);
    const free = await start(other);
    const paid = await start(await api.business());
    await expectOrder([first, paid, free, second]);
  });

  describe('under a steady paid load', () => {
    const moveClock = (seconds: number) =>
      api.sql(`UPDATE runs SET created_at = created_at - make_interval(secs => $1) WHERE status = 'waiting'`, [
        seconds,
      ]);

    /** Ends what runs, after a payer has sent the next one; returns the next one's task. */
    async function nextAfter(running: string, payer: Visitor, waiting: Set<string>): Promise<string> {
      waiting.add(await start(payer));
      await worker.end(running, (run) => worker.finish(run));
      const next = await until(
        () => Promise.resolve([...waiting].find((taskId) => worker.has(taskId))),
        'the next picture to be dispatched',
      );
      waiting.delete(next);
      return next;
    }

    it('a guest waits at most a minute, then takes turns with payers', async () => {
      await worker.start();
      const payers = [await api.business(), await api.business()] as const;
      const waiting = new Set<string>();
      let running = await start(payers[0]);
      await worker.waitForJob(running);
      waiting.add(await start(payers[1]));
      const guests = [await start(heavy), await start(other)];
      for (const guest of guests) waiting.add(guest);
      await moveClock(30);
      for (const payer of [...payers, ...payers]) {
        running = await nextAfter(running, payer, waiting);
        expect(guests).not.toContain(running);
      }
      await moveClock(30);
      const order: boolean[] = [];
      for (const payer of [...payers, ...payers]) {
        running = await nextAfter(running, payer, waiting);
        order.push(guests.includes(running));
      }
      expect(order).toEqual([true, false, true, false]);
      await worker.end(running, (run) => worker.finish(run));
    });
  });
});

it('a picture without networks does not wait behind those with networks', async () => {
  await worker.start();
  const slow = await start(heavy);
  await worker.waitForJob(slow);
  const [waiting, business] = [await start(other), await api.business()];
  const quick = await start(business, { ai_pipeline: { color_enhance: { model: 'golden' } } });
  await worker.end(quick, (run) => worker.finish(run));
  await until(async () => (await business.task(quick)).status === 'completed', 'the quick picture to be completed');
  expect([worker.has(slow), worker.has(waiting)]).toEqual([true, false]);
});

it("a user's own limit responds with 503 to that user only, until a picture is final", async () => {
  const [first = ''] = await startSeveral(heavy, PER_USER);
  const { bulk_upload_id } = await heavy.upload();
  const processIt = () => heavy.post(`/tasks/bulk-upload/${bulk_upload_id}/process`);
  const { body, headers } = await processIt().expect(503);
  expect(body.error_code).toBe('queue.full');
  expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  await start(other);
  await heavy.post(`/tasks/${first}/cancel`).expect(200);
  await processIt().expect(202);
});

it('files that a user requests have a limit of their own, which stops neither pictures nor other users', async () => {
  await worker.start();
  const convert = (visitor: Visitor, taskId: string) =>
    visitor.post(`/tasks/${taskId}/convert`, { output_content_type: 'image/jpeg', jpeg_quality: 100 });
  const complete = async (visitor: Visitor): Promise<string> => {
    const taskId = await start(visitor);
    await worker.end(taskId, (run) => worker.finish(run));
    await until(async () => (await visitor.task(taskId)).status === 'completed', 'the picture to be completed');
    return taskId;
  };
  const own = await complete(other);
  // Each has the display file of its original in the queue, which no worker takes.
  let last = '';
  for (let count = 0; count < RENDERS_PER_USER; count++) last = await complete(heavy);
  const { body, headers } = await convert(heavy, last).expect(503);
  expect(body.error_code).toBe('queue.full');
  expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  await convert(other, own).expect(202);
  await api.sql(`DELETE FROM runs WHERE queue = 'renders'`);
  await convert(heavy, last).expect(202);
});

describe('with many waiting pictures', () => {
  const KIND = 'image.enhance';
  /** Unknown to the sweep. */
  const QUEUE = 'crowded' as RunQueue;

  /** Runs without tasks: twenty users with many, and one with a single overdue one that came last. */
  async function fill(each: number): Promise<void> {
    await api.sql(
      `WITH u AS (
         INSERT INTO users (id, is_guest, created_at) SELECT gen_random_uuid(), true, now() FROM generate_series(1, 21) RETURNING id
       ), n AS (SELECT id, row_number() OVER () AS number FROM u)
       INSERT INTO runs (id, kind, subject_id, user_id, queue, priority, status, created_at, turn)
       SELECT gen_random_uuid(), '${KIND}', gen_random_uuid(), n.id, '${QUEUE}', CASE WHEN number < 11 THEN 0 ELSE 1 END,
         'waiting', clock_timestamp() - interval '2 minutes', nth
       FROM n, LATERAL generate_series(1, CASE WHEN number = 21 THEN 1 ELSE $1::int END) nth`,
      [each],
    );
    await api.sql('ANALYZE runs');
  }

  it('dispatches the same ones as a ranking of all', async () => {
    await fill(40);
    const database = api.app.get(DataSource);
    const repository = api.app.get(RunsRepository, { strict: false });
    for (let passes = 0; passes < 5; passes += 1) {
      const expected: { id: string }[] = await database.query(`SELECT id FROM (${RANKED}) r ORDER BY turn LIMIT 7`, [
        QUEUE,
        [KIND],
      ]);
      const window = 7 * (passes + 1);
      const next = await repository.dispatchNext(QUEUE, window, new Map([[KIND, window]]));
      expect(next.map(({ id }) => id).sort()).toEqual(expected.map(({ id }) => id).sort());
    }
  });

  it('reads as many rows as are dispatched, however many wait', async () => {
    await fill(500);
    const [{ 'QUERY PLAN': plan }] = await api.app
      .get(DataSource)
      .query(`EXPLAIN (ANALYZE, FORMAT JSON) ${NEXT}`, [QUEUE, [KIND], [4]]);
    const rowsOf = (node: PlanNode): number[] => [
      (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'],
      ...(node.Plans ?? []).flatMap(rowsOf),
    ];
    expect(Math.max(...rowsOf(plan[0].Plan))).toBeLessThan(200);
  });
});

interface PlanNode {
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}
