import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type DueWork, type PeriodicWork, RetryLater } from '../../src/platform/schedule/work.js';
import { WorkClaims } from '../../src/platform/schedule/work-claims.js';
import { WorkRunner, WorkState } from '../../src/platform/schedule/work-runner.js';
import { startApi, type TestApi } from '../support/application.js';
import { until } from '../support/until.js';

let api: TestApi;
let runner: WorkRunner;
beforeAll(async () => {
  api = await startApi();
  runner = api.app.get(WorkRunner, { strict: false });
  await api.sql('CREATE TABLE parcels (id int PRIMARY KEY, is_delivered boolean NOT NULL DEFAULT false)');
});
afterAll(() => api.stop());
beforeEach(async () => {
  await api.sql(`DELETE FROM work_attempts WHERE kind LIKE 'test.%'`);
  await api.sql('TRUNCATE parcels');
  await api.sql('INSERT INTO parcels SELECT generate_series(1, 3)');
});

const deliver = (id: string) => api.sql('UPDATE parcels SET is_delivered = true WHERE id = $1', [id]);
const work = (change: Partial<DueWork> = {}): DueWork => ({
  kind: 'test.deliver',
  everyMs: 1000,
  timeoutMs: 10_000,
  backoff: { firstMs: 1000, maxMs: 3000 },
  maxAttempts: 3,
  due: () => ({ table: 'parcels', subject: 'id', where: 'NOT is_delivered', orderBy: 'id' }),
  run: async (id) => {
    await deliver(id);
  },
  ...change,
});
const delivered = async () =>
  (await api.sql<{ id: number }>('SELECT id FROM parcels WHERE is_delivered ORDER BY id')).map(({ id }) => id);
const attempts = () =>
  api.sql<{ subject: string; attempts: number; reason: string | null; is_aside: boolean; wait: number }>(
    `SELECT subject, attempts, reason, set_aside_at IS NOT NULL AS is_aside,
       extract(epoch FROM next_attempt_at - now())::float AS wait
     FROM work_attempts WHERE kind LIKE 'test.%' ORDER BY subject`,
  );
const becomeDue = () => api.sql(`UPDATE work_attempts SET next_attempt_at = now() WHERE kind LIKE 'test.%'`);

it('sets a failing subject aside with its reason after its attempts, without stopping others', async () => {
  const failing = work({
    run: async (id) => {
      if (id === '1') throw new Error('no such street: jane@example.com');
      await deliver(id);
    },
  });
  await runner.pass(failing);
  expect(await delivered()).toEqual([2, 3]);
  const [first] = await attempts();
  expect(first).toMatchObject({
    subject: '1',
    attempts: 1,
    reason: 'Error: no such street: <address>',
    is_aside: false,
  });
  for (const number of [2, 3]) {
    await becomeDue();
    await runner.pass(failing);
    expect(await attempts()).toMatchObject([{ subject: '1', attempts: number, is_aside: number === 3 }]);
  }
  await becomeDue();
  await runner.pass(work());
  expect(await delivered()).toEqual([2, 3]);
});

it('doubles the wait after each failure, up to the maximum', async () => {
  const failing = work({ maxAttempts: 10, run: () => Promise.reject(new Error('closed')) });
  const waits: number[] = [];
  for (let pass = 0; pass < 4; pass++) {
    await becomeDue();
    await runner.pass(failing);
    waits.push(Math.ceil((await attempts())[0]?.wait ?? 0));
  }
  expect(waits).toEqual([1, 2, 3, 3]);
});

it('fails a hanging subject on timeout, and completes the others', async () => {
  const signals = new Map<string, AbortSignal>();
  const hanging = work({
    // The others finish in milliseconds, on a busy machine in tenths of a second.
    timeoutMs: 2_000,
    run: (id, attempt) => {
      signals.set(id, attempt.signal);
      return id === '1' ? new Promise(() => undefined) : deliver(id);
    },
  });
  await runner.pass(hanging);
  expect(await delivered()).toEqual([2, 3]);
  expect(signals.get('1')?.aborted).toBe(true);
  expect(await attempts()).toMatchObject([{ subject: '1', reason: expect.stringContaining('Timeout') }]);
});

it('processes later subjects concurrently while one hangs', async () => {
  const state = new WorkState();
  const hang = Promise.withResolvers<void>();
  const hung = Promise.withResolvers<void>();
  const two = work({
    concurrency: 2,
    run: async (id) => {
      if (id === '1') hung.resolve();
      await (id === '1' ? hang.promise : deliver(id));
    },
  });
  const first = runner.pass(two, {}, state);
  await hung.promise;
  await until(async () => (await delivered()).length === 2, 'the others');
  await api.sql('INSERT INTO parcels VALUES (4)');
  await until(async () => {
    await runner.pass(two, {}, state);
    return (await delivered()).length === 3;
  }, 'the later one');
  hang.resolve();
  await first;
});

it('processes each subject once in several processes, without holding a transaction', async () => {
  const done: string[] = [];
  const counted = work({
    run: async (id) => {
      const open = await api.sql(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'
           AND query ~ 'parcels|work_attempts'`,
      );
      expect(open).toEqual([]);
      done.push(id);
      await deliver(id);
    },
  });
  await Promise.all([1, 2, 3, 4].map(() => runner.pass(counted)));
  expect(done.sort()).toEqual(['1', '2', '3']);
  expect(await attempts()).toEqual([]);
});

it('does not process a subject that stays due twice in one pass', async () => {
  const done: string[] = [];
  await runner.pass(
    work({
      run: async (id) => {
        done.push(id);
      },
    }),
  );
  expect(done).toEqual(['1', '2', '3']);
});

it("revisits a subject that can't be finished yet at the requested time", async () => {
  await runner.pass(work({ run: async () => new RetryLater(60_000) }));
  expect((await attempts()).map(({ attempts, reason, wait }) => [attempts, reason, Math.ceil(wait)])).toEqual([
    [0, null, 60],
    [0, null, 60],
    [0, null, 60],
  ]);
});

it('leaves a claim to the process that has taken it over', async () => {
  const [late, current] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const started = Promise.withResolvers<void>();
  await api.sql('DELETE FROM parcels WHERE id > 1');
  const first = runner.pass(work({ run: () => late.promise }));
  await until(async () => (await attempts()).length === 1, 'the first claim');
  // Its lease has ended.
  await becomeDue();
  const run = () => {
    started.resolve();
    return current.promise;
  };
  const second = runner.pass(work({ run }));
  await started.promise;
  // The subject must not become due again when the first pass goes on.
  await deliver('1');
  late.resolve();
  await first;
  expect(await attempts()).toMatchObject([{ subject: '1', attempts: 2 }]);
  current.resolve();
  await second;
  expect(await attempts()).toEqual([]);
});

it('sets a subject aside whose process died in every attempt', async () => {
  await api.sql(
    `INSERT INTO work_attempts (kind, subject, attempts, next_attempt_at, created_at)
     VALUES ('test.deliver', '2', 3, now(), now())`,
  );
  await runner.pass(work());
  expect(await delivered()).toEqual([1, 3]);
  expect(await attempts()).toMatchObject([{ subject: '2', is_aside: true, reason: expect.stringContaining('ended') }]);
});

it('stops claiming at shutdown and releases a subject that does not end', async () => {
  const [stop, abort] = [new AbortController(), new AbortController()];
  const started = Promise.withResolvers<void>();
  const pass = runner.pass(
    work({
      run: () => {
        started.resolve();
        return new Promise(() => undefined);
      },
    }),
    { stop: stop.signal, abort: abort.signal },
  );
  await started.promise;
  stop.abort();
  abort.abort(new Error('shutdown'));
  await pass;
  expect(await attempts()).toMatchObject([{ subject: '1', attempts: 0, reason: null }]);
  await runner.pass(work());
  expect(await delivered()).toEqual([1, 2, 3]);
});

it('runs periodic work in one process at a time, and again when it is due', async () => {
  let times = 0;
  const periodic: PeriodicWork = {
    kind: 'test.tidy',
    everyMs: 60_000,
    timeoutMs: 1000,
    backoff: { firstMs: 1000, maxMs: 60_000 },
    run: async () => void times++,
  };
  await Promise.all([1, 2, 3].map(() => runner.pass(periodic)));
  await runner.pass(periodic);
  expect(times).toBe(1);
  await becomeDue();
  await runner.pass(periodic);
  await runner.pass(periodic, { isForced: true });
  expect(times).toBe(3);
  const failing = { ...periodic, run: () => Promise.reject(new Error('full')) };
  await runner.pass(failing, { isForced: true });
  expect(await attempts()).toMatchObject([{ reason: 'Error: full', is_aside: false }]);
});

it('leaves connections to requests while its claims wait', async () => {
  const kinds = Array.from({ length: 40 }, (_, index) => work({ kind: `test.waiting-${index}` }));
  const holder = new Client({ connectionString: api.environment.DATABASE_URL });
  await holder.connect();
  try {
    await holder.query('BEGIN; LOCK TABLE work_attempts IN ACCESS EXCLUSIVE MODE');
    const passes = Promise.allSettled(kinds.map((kind) => runner.pass(kind)));
    const waiting = `SELECT count(*)::int AS n FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%work_attempts%'`;
    await until(async () => ((await api.sql<{ n: number }>(waiting))[0]?.n ?? 0) > 0, 'claims to wait');
    await api.guest();
    await holder.query('ROLLBACK');
    await passes;
  } finally {
    await holder.end();
  }
});

it('keeps what is set aside until an operator retries it, and forgets older claims', async () => {
  await api.sql(
    `INSERT INTO work_attempts (kind, subject, attempts, next_attempt_at, reason, set_aside_at, created_at)
     SELECT 'test.deliver', subject, 3, old, reason, set_aside_at, old
     FROM (SELECT now() - interval '91 days' AS old) o,
       (VALUES ('1', 'Error: closed', now()), ('2', 'Error: closed', NULL)) v (subject, reason, set_aside_at)`,
  );
  const [tidy] = api.app.get(WorkClaims, { strict: false }).scheduledWork;
  if (!tidy) throw new Error('no work');
  await runner.pass(tidy, { isForced: true });
  expect((await attempts()).map(({ subject }) => subject)).toEqual(['1']);
  await runner.pass(work());
  expect(await delivered()).toEqual([2, 3]);
});
