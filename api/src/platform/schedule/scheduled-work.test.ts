import { inMilliseconds } from '@clearframe/contract';
import { expect, it } from 'vitest';
import { useParcels } from '../../../test/support/parcels.js';
import { until } from '../../../test/support/until.js';
import { RetryLater } from './work.js';
import { WorkState } from './work-runner.js';

const parcels = useParcels();

it('sets a failing subject aside with its reason after its attempts, without stopping others', async () => {
  const failing = parcels.work({
    run: async (id) => {
      if (id === '1') throw new Error('no such street: jane@example.com');
      await parcels.deliver(id);
    },
  });
  await parcels.runner.pass(failing);
  expect(await parcels.delivered()).toEqual([2, 3]);
  const [first] = await parcels.attempts();
  expect(first).toMatchObject({
    subject: '1',
    attempts: 1,
    reason: 'Error: no such street: <address>',
    is_aside: false,
  });
  for (const number of [2, 3]) {
    await parcels.becomeDue();
    await parcels.runner.pass(failing);
    expect(await parcels.attempts()).toMatchObject([{ subject: '1', attempts: number, is_aside: number === 3 }]);
  }
  await parcels.becomeDue();
  await parcels.runner.pass(parcels.work());
  expect(await parcels.delivered()).toEqual([2, 3]);
});

it('doubles the wait after each failure, up to the maximum', async () => {
  const failing = parcels.work({
    backoff: { firstMs: inMilliseconds.minutes(1), maxMs: inMilliseconds.minutes(3) },
    maxAttempts: 10,
    run: () => Promise.reject(new Error('closed')),
  });
  const waits: number[] = [];
  for (let pass = 0; pass < 4; pass++) {
    await parcels.becomeDue();
    await parcels.runner.pass(failing);
    waits.push(Math.ceil(((await parcels.attempts())[0]?.wait ?? 0) / 60));
  }
  expect(waits).toEqual([1, 2, 3, 3]);
});

it('fails a hanging subject on timeout, and completes the others', async () => {
  const signals = new Map<string, AbortSignal>();
  const hanging = parcels.work({
    // The others finish in milliseconds, on a busy machine in a second.
    timeoutMs: 5_000,
    run: (id, attempt) => {
      signals.set(id, attempt.signal);
      return id === '1' ? new Promise(() => undefined) : parcels.deliver(id);
    },
  });
  await parcels.runner.pass(hanging);
  expect(await parcels.delivered()).toEqual([2, 3]);
  expect(signals.get('1')?.aborted).toBe(true);
  expect(await parcels.attempts()).toMatchObject([{ subject: '1', reason: expect.stringContaining('Timeout') }]);
});

it('processes later subjects concurrently while one hangs', async () => {
  const state = new WorkState();
  const hang = Promise.withResolvers<void>();
  const hung = Promise.withResolvers<void>();
  const two = parcels.work({
    concurrency: 2,
    run: async (id) => {
      if (id === '1') hung.resolve();
      await (id === '1' ? hang.promise : parcels.deliver(id));
    },
  });
  const first = parcels.runner.pass(two, {}, state);
  await hung.promise;
  await until(async () => (await parcels.delivered()).length === 2, 'the others');
  await parcels.api.sql('INSERT INTO parcels VALUES (4)');
  await until(async () => {
    await parcels.runner.pass(two, {}, state);
    return (await parcels.delivered()).length === 3;
  }, 'the later one');
  hang.resolve();
  await first;
});

it('processes each subject once in several processes, without holding a transaction', async () => {
  const done: string[] = [];
  const counted = parcels.work({
    run: async (id) => {
      const open = await parcels.api.sql(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'
           AND query ~ 'parcels|work_attempts'`,
      );
      expect(open).toEqual([]);
      done.push(id);
      await parcels.deliver(id);
    },
  });
  await Promise.all([1, 2, 3, 4].map(() => parcels.runner.pass(counted)));
  expect(done.sort()).toEqual(['1', '2', '3']);
  expect(await parcels.attempts()).toEqual([]);
});

it('does not process a subject that stays due twice in one pass', async () => {
  const done: string[] = [];
  await parcels.runner.pass(
    parcels.work({
      run: async (id) => {
        done.push(id);
      },
    }),
  );
  expect(done).toEqual(['1', '2', '3']);
});

it('keeps the failures of a subject that becomes due again in the same pass', async () => {
  const failing = parcels.work({
    run: async (id) => {
      if (id === '1') throw new Error('closed');
      await parcels.becomeDue();
      await parcels.deliver(id);
    },
  });
  await parcels.runner.pass(failing);
  expect(await parcels.delivered()).toEqual([2, 3]);
  expect(await parcels.attempts()).toMatchObject([{ subject: '1', attempts: 1, reason: 'Error: closed' }]);
});

it("revisits a subject that can't be finished yet at the requested time", async () => {
  await parcels.runner.pass(parcels.work({ run: async () => new RetryLater(inMilliseconds.hours(1)) }));
  expect(
    (await parcels.attempts()).map(({ attempts, reason, wait }) => [attempts, reason, Math.ceil(wait / 3600)]),
  ).toEqual([
    [0, null, 1],
    [0, null, 1],
    [0, null, 1],
  ]);
});

it('leaves a claim to the process that has taken it over', async () => {
  const [late, current] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const started = Promise.withResolvers<void>();
  await parcels.api.sql('DELETE FROM parcels WHERE id > 1');
  const first = parcels.runner.pass(parcels.work({ run: () => late.promise }));
  await until(async () => (await parcels.attempts()).length === 1, 'the first claim');
  // Its lease has ended.
  await parcels.becomeDue();
  const run = () => {
    started.resolve();
    return current.promise;
  };
  const second = parcels.runner.pass(parcels.work({ run }));
  await started.promise;
  // The subject must not become due again when the first pass goes on.
  await parcels.deliver('1');
  late.resolve();
  await first;
  expect(await parcels.attempts()).toMatchObject([{ subject: '1', attempts: 2 }]);
  current.resolve();
  await second;
  expect(await parcels.attempts()).toEqual([]);
});

it('sets a subject aside whose process died in every attempt', async () => {
  await parcels.api.sql(
    `INSERT INTO work_attempts (kind, subject, attempts, next_attempt_at, created_at)
     VALUES ('test.deliver', '2', 3, now(), now())`,
  );
  await parcels.runner.pass(parcels.work());
  expect(await parcels.delivered()).toEqual([1, 3]);
  expect(await parcels.attempts()).toMatchObject([
    { subject: '2', is_aside: true, reason: expect.stringContaining('ended') },
  ]);
});
