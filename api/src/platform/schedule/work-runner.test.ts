import { Client } from 'pg';
import { expect, it } from 'vitest';
import { useParcels } from '../../../test/support/parcels.js';
import { until } from '../../../test/support/until.js';
import type { PeriodicWork } from './work.js';
import { WorkClaims } from './work-claims.js';

const parcels = useParcels();

it('stops claiming at shutdown and releases a subject that does not end', async () => {
  const [stop, abort] = [new AbortController(), new AbortController()];
  const started = Promise.withResolvers<void>();
  const pass = parcels.runner.pass(
    parcels.work({
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
  expect(await parcels.attempts()).toMatchObject([{ subject: '1', attempts: 0, reason: null }]);
  await parcels.runner.pass(parcels.work());
  expect(await parcels.delivered()).toEqual([1, 2, 3]);
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
  await Promise.all([1, 2, 3].map(() => parcels.runner.pass(periodic)));
  await parcels.runner.pass(periodic);
  expect(times).toBe(1);
  await parcels.becomeDue();
  await parcels.runner.pass(periodic);
  await parcels.runner.pass(periodic, { isForced: true });
  expect(times).toBe(3);
  const failing = { ...periodic, run: () => Promise.reject(new Error('full')) };
  await parcels.runner.pass(failing, { isForced: true });
  expect(await parcels.attempts()).toMatchObject([{ reason: 'Error: full', is_aside: false }]);
});

it('leaves connections to requests while its claims wait', async () => {
  const kinds = Array.from({ length: 40 }, (_, index) => parcels.work({ kind: `test.waiting-${index}` }));
  const holder = new Client({ connectionString: parcels.api.environment.DATABASE_URL });
  await holder.connect();
  try {
    await holder.query('BEGIN; LOCK TABLE work_attempts IN ACCESS EXCLUSIVE MODE');
    const passes = Promise.allSettled(kinds.map((kind) => parcels.runner.pass(kind)));
    const waiting = `SELECT count(*)::int AS n FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%work_attempts%'`;
    await until(async () => ((await parcels.api.sql<{ n: number }>(waiting))[0]?.n ?? 0) > 0, 'claims to wait');
    await parcels.api.guest();
    await holder.query('ROLLBACK');
    await passes;
  } finally {
    await holder.end();
  }
});

it('keeps what is set aside until an operator retries it, and forgets older claims', async () => {
  await parcels.api.sql(
    `INSERT INTO work_attempts (kind, subject, attempts, next_attempt_at, reason, set_aside_at, created_at)
     SELECT 'test.deliver', subject, 3, old, reason, set_aside_at, old
     FROM (SELECT now() - interval '91 days' AS old) o,
       (VALUES ('1', 'Error: closed', now()), ('2', 'Error: closed', NULL)) v (subject, reason, set_aside_at)`,
  );
  const [tidy] = parcels.api.app.get(WorkClaims, { strict: false }).scheduledWork;
  if (!tidy) throw new Error('no work');
  await parcels.runner.pass(tidy, { isForced: true });
  expect((await parcels.attempts()).map(({ subject }) => subject)).toEqual(['1']);
  await parcels.runner.pass(parcels.work());
  expect(await parcels.delivered()).toEqual([2, 3]);
});
