import { Client } from 'pg';
import { expect, it } from 'vitest';
import { startVideo, useVideosFixture } from './videos-fixture.js';

const fixture = useVideosFixture();

it('is cancelled, and its worker told, while other runs are being dispatched', async () => {
  const { api, business, worker } = fixture;
  const id = await startVideo(business);
  const { run } = await worker.waitForJob(id);
  const holder = new Client({ connectionString: api.environment.DATABASE_URL });
  await holder.connect();
  try {
    await holder.query('BEGIN');
    for (const queue of ['renders', 'videos'])
      await holder.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`dispatch:${queue}`]);
    expect((await business.post(`/video-tasks/${id}/cancel`).expect(200)).body.status).toBe('cancelled');
    expect(await api.redis.exists(`clearframe:cancelled:${run.runId}`)).toBe(1);
    await holder.query('ROLLBACK');
  } finally {
    await holder.end();
  }
  await worker.end(id);
});
