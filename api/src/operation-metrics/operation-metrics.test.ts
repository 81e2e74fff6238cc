import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { createFinishedTask } from '../../test/support/workers/results.js';
import { useResultsFixture } from '../../test/support/workers/results-fixture.js';
import { insertRun } from '../../test/support/workers/stored-runs.js';
import { OperationMetricsRepository } from './operation-metrics.repository.js';

const fixture = useResultsFixture();

/** Values of a metric by its labels, as `/metrics` prints them. */
async function read(name: string): Promise<Record<string, number>> {
  const { text } = await fixture.api.http.get('/metrics').expect(200);
  const lines = text.split('\n').filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
  return Object.fromEntries(
    lines.map((line) => [/\{(.*)\}/.exec(line)?.[1]?.replaceAll('"', '') ?? '', Number(line.split(' ').at(-1))]),
  );
}
const repository = () => fixture.api.app.get(OperationMetricsRepository, { strict: false });

it('shows settled runs with their time, workers, connections and free space', async () => {
  const { api, business, worker } = fixture;
  await mkdir(api.pathOf(''), { recursive: true });
  await createFinishedTask(business, worker);
  const completed = async (name: string) => (await read(name))['queue=images,outcome=completed'];
  // Counted after the task is final; gauges are read every ten seconds.
  await expect.poll(() => completed('clearframe_runs_total')).toBeGreaterThan(0);
  await expect.poll(() => completed('clearframe_run_seconds_count')).toBeGreaterThan(0);
  await expect.poll(() => read('clearframe_workers')).toMatchObject({ 'queue=images': 1, 'queue=videos': 0 });
  expect((await read('clearframe_database_connections'))['state=limit']).toBe(20);
  expect((await read('clearframe_storage_free_bytes'))['folder=media']).toBeGreaterThan(0);
  expect(Object.keys(await read('clearframe_backup_timestamp_seconds'))).toEqual([]);
});

it('sees open runs by queue, priority and state, and the wait of the oldest', async () => {
  const userId = (await fixture.business.me()).web_user_id;
  const run = { kind: 'video.enhance', userId, queue: 'videos', attempts: 0 };
  await insertRun(fixture.api, run);
  await insertRun(fixture.api, { ...run, status: 'waiting' });
  const open = await repository().openRuns();
  expect(open.find(({ status }) => status === 'dispatched')).toMatchObject({ queue: 'videos', count: 1 });
  expect(open.find(({ status }) => status === 'dispatched')?.oldestSeconds).toBeGreaterThanOrEqual(60);
});

it('finds tasks without a run, work that is stuck, and what is due', async () => {
  const { api, business, worker } = fixture;
  const { task_id } = await createFinishedTask(business, worker);
  expect(await repository().lostTasks()).toBe(0);
  await api.sql("UPDATE tasks SET status = 'processing' WHERE id = $1", [task_id]);
  expect(await repository().lostTasks()).toBe(1);
  await api.sql(
    `INSERT INTO work_attempts (kind, subject, attempts, next_attempt_at, set_aside_at, created_at)
     VALUES ('test.parcel', '1', 3, now(), now(), now()), ('test.parcel', '2', 1, now(), NULL, now())`,
  );
  expect(await repository().stuck()).toContainEqual({ kind: 'test.parcel', count: 1 });
  await api.sql(
    `INSERT INTO webhook_events (sender, event_id, type, received_at, checked_at)
     VALUES ('stripe', 'evt_old', 'x', now() - interval '1 hour', now() + interval '1 day')`,
  );
  const events = (await repository().backlogs()).find(({ kind }) => kind === 'webhook_events');
  expect(events?.count).toBe(1);
  expect(events?.oldestSeconds).toBeGreaterThanOrEqual(3600);
});

it('finds payments without credits, exports that took none, and forgotten reservations', async () => {
  const { api } = fixture;
  const userId = (await fixture.business.me()).web_user_id;
  const drift = async () =>
    Object.fromEntries((await repository().drift()).map(({ ledger, count }) => [ledger, count]));
  expect(await drift()).toEqual({ credits: 0, exports: 0, videos: 0 });
  await api.sql(
    `INSERT INTO payments (id, user_id, provider, provider_id, price_id, exports, amount_cents, currency, status, settled_at, created_at)
     VALUES ($1, $2, 'stripe', 'pi_drift', 'three_exports_usd', 3, 999, 'usd', 'succeeded', now() - interval '1 hour', now())`,
    [randomUUID(), userId],
  );
  await api.sql(
    `INSERT INTO export_uses (task_id, id, user_id, source, is_kept, created_at)
     VALUES ($1, $2, $3, 'credit', true, now() - interval '1 hour')`,
    [randomUUID(), randomUUID(), userId],
  );
  await api.sql(
    `INSERT INTO video_uses (task_id, user_id, week, size_bytes, seconds, is_kept, created_at)
     VALUES ($1, $2, '2026-03-02', 1, 1, false, now() - interval '1 hour')`,
    [randomUUID(), userId],
  );
  expect(await drift()).toEqual({ credits: 1, exports: 1, videos: 1 });
});
