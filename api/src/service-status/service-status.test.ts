import { randomUUID } from 'node:crypto';
import type { Type } from '@nestjs/common';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../test/support/application.js';
import { WorkerSlots } from '../runs/worker-slots.js';
import { ServiceStatusRepository } from './service-status.repository.js';
import { ServiceWatch } from './service-watch.js';

let api: TestApi;
let watch: ServiceWatch;
beforeAll(async () => {
  // Without background work, which would measure by itself.
  api = await startApi({ API_ROLE: 'http' });
  const find = <Part>(type: Type<Part>) => api.app.get(type, { strict: false });
  watch = new ServiceWatch(find(ServiceStatusRepository), find(WorkerSlots));
});
afterAll(() => api.stop());
beforeEach(() => api.sql('DELETE FROM service_components'));

const read = async () => (await api.http.get('/api/v1/web/status').expect(200)).body;
const find = async (name: string) => (await read()).components.find((each: { name: string }) => each.name === name);

it('says what is measured, and no more', async () => {
  await watch.measure();
  const body = await read();
  expect(body).toEqual({
    status: 'degraded',
    components: [
      { name: 'api', status: 'operational', waiting_seconds: null, since: expect.any(String) },
      { name: 'photos', status: 'outage', waiting_seconds: 0, since: expect.any(String) },
      { name: 'videos', status: 'outage', waiting_seconds: 0, since: expect.any(String) },
    ],
  });
});

it('keeps the time of a state, and takes a new one with another state or after a gap', async () => {
  await watch.measure();
  await api.sql(`UPDATE service_components SET since = now() - interval '2 hours'`);
  const { since } = await find('photos');
  await watch.measure();
  expect((await find('photos')).since).toBe(since);
  await api.sql(`UPDATE service_components SET status = 'degraded' WHERE name = 'photos'`);
  await watch.measure();
  expect((await find('photos')).since > since).toBe(true);
  expect((await find('api')).since).toBe(since);
  await api.sql(`UPDATE service_components SET measured_at = now() - interval '5 minutes'`);
  await watch.measure();
  expect((await find('api')).since > since).toBe(true);
});

it('is an outage of the work while nothing measures', async () => {
  await watch.measure();
  await api.sql(`UPDATE service_components SET status = 'operational', measured_at = now() - interval '5 minutes'`);
  expect(await find('api')).toMatchObject({ status: 'operational' });
  expect(await find('photos')).toMatchObject({ status: 'outage', waiting_seconds: null });
});

it('measures the median wait of what began lately, else of what waits', async () => {
  await api.guest();
  const [session] = await api.sql<{ user_id: string }>('SELECT user_id FROM sessions LIMIT 1');
  const insert = (createdAgo: number, dispatchedAgo: number | null) =>
    api.sql(
      `INSERT INTO runs (id, kind, subject_id, user_id, queue, priority, status, created_at, dispatched_at)
       VALUES ($1, 'video.enhance', $1, $2, 'videos', 1, $5, now() - make_interval(secs => $3),
         now() - make_interval(secs => $4))`,
      [randomUUID(), session?.user_id, createdAgo, dispatchedAgo, dispatchedAgo === null ? 'waiting' : 'dispatched'],
    );
  await insert(100, null);
  await watch.measure();
  expect((await find('videos')).waiting_seconds).toBeGreaterThanOrEqual(100);
  for (const [created, dispatched] of [
    [60, 50],
    [60, 40],
    [60, 10],
  ] as const)
    await insert(created, dispatched);
  await watch.measure();
  expect((await find('videos')).waiting_seconds).toBe(20);
});
