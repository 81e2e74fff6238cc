import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../test/support/application.js';
import { pngOf } from '../../test/support/pictures.js';
import { until } from '../../test/support/until.js';
import type { Visitor } from '../../test/support/visitor.js';
import { ManualWorker } from '../../test/support/workers/manual-worker.js';

const COLORS = { ai_pipeline: { color_enhance: { model: 'golden' } } };
const NETWORKS = { ai_pipeline: { background_enhance: { model: 'base' } } };

let api: TestApi;
let worker: ManualWorker;
let business: Visitor;
beforeAll(async () => {
  api = await startApi();
  business = await api.business();
});
afterAll(() => api.stop());
beforeEach(async () => {
  await api.redis.flushdb();
  await api.sql('TRUNCATE bulk_uploads CASCADE');
  await api.sql('DELETE FROM runs');
  await api.sql('DELETE FROM run_durations');
  worker = new ManualWorker(api);
});
afterEach(() => worker.stop());

async function completeIn(seconds: number, input: object): Promise<void> {
  const { task_id } = await business.process(input);
  await worker.waitForJob(task_id);
  await until(async () => (await business.task(task_id)).queue_wait_num === 0, 'the start to be recorded');
  await api.sql(`UPDATE runs SET started_at = now() - make_interval(secs => $2) WHERE subject_id = $1`, [
    task_id,
    seconds,
  ]);
  await worker.end(task_id, (run) => worker.finish(run));
  await until(async () => (await business.task(task_id)).status === 'completed', 'the picture to be completed');
}

const durations = () =>
  api.sql<{ queue: string; size_class: number; seconds: number }>(
    `SELECT queue, size_class, round(seconds)::int AS seconds FROM run_durations WHERE kind = 'image.enhance'
     ORDER BY queue, size_class`,
  );

describe('the time that a picture takes', () => {
  it('is estimated apart for pictures with networks and without', async () => {
    await worker.start();
    await completeIn(2, COLORS);
    await completeIn(1000, NETWORKS);
    await until(async () => (await durations()).length === 4, 'both to be measured');
    const measured = await durations();
    expect(measured.map(({ queue, size_class }) => [queue, size_class])).toEqual([
      ['colors', 0],
      ['colors', 1],
      ['images', 0],
      ['images', 1],
    ]);
    const [light = Number.NaN, , heavy = Number.NaN] = measured.map(({ seconds }) => seconds);
    expect(heavy - light).toBeGreaterThan(500);
    await worker.stop();
    worker = new ManualWorker(api);
    const [colors, networks] = [await business.process(COLORS), await business.process(NETWORKS)];
    expect((await business.task(colors.task_id)).remaining_seconds).toBeLessThan(500);
    expect((await business.task(networks.task_id)).remaining_seconds).toBeGreaterThan(1000);
  });

  it('is estimated by the size in its header, before the first run', async () => {
    await api.sql(
      `INSERT INTO run_durations (queue, kind, size_class, seconds, samples)
       VALUES ('images', 'image.enhance', 0, 100, 9), ('images', 'image.enhance', 1, 10, 9), ('images', 'image.enhance', 16, 200, 9)`,
    );
    const guest = await api.guest();
    const { task_id } = await guest.process({ ...NETWORKS, image_content_type: 'image/png' }, pngOf(4000, 3000));
    expect(await api.sql(`SELECT megapixels FROM runs WHERE kind = 'image.enhance'`)).toEqual([{ megapixels: 12 }]);
    expect((await guest.task(task_id)).remaining_seconds).toBe(200);
  });

  it('follows the pace of the running picture, and counts what is before a waiting one', async () => {
    await api.sql(
      `INSERT INTO run_durations (queue, kind, size_class, seconds, samples)
       VALUES ('images', 'image.enhance', 0, 100, 9), ('images', 'image.enhance', 1, 10, 9)`,
    );
    await worker.start();
    const [running, waiting] = [await business.process(NETWORKS), await business.process(NETWORKS)];
    const { job } = await worker.waitForJob(running.task_id);
    await job.updateProgress({ progress: 0.5 });
    await until(async () => (await business.task(running.task_id)).progress === 0.5, 'half to be done');
    await api.sql(`UPDATE runs SET started_at = now() - interval '30 seconds' WHERE subject_id = $1`, [
      running.task_id,
    ]);
    // Six times slower than usual, although pictures of all sizes take longer on average.
    const rest = async ({ task_id }: { task_id: string }) => (await business.task(task_id)).remaining_seconds;
    const isNear = (seconds: number | null, expected: number) => seconds !== null && Math.abs(seconds - expected) <= 5;
    await until(async () => isNear(await rest(running), 32), 'the rest to be as long as the first half');
    await until(async () => isNear(await rest(waiting), 94), 'the rest of that one, and its own at that pace');
  });

  it('forgets another load after a pause', async () => {
    await api.sql(
      `INSERT INTO run_durations (queue, kind, size_class, seconds, samples, measured_at)
       VALUES ('images', 'image.enhance', 0, 200, 99, now() - interval '1 hour'),
         ('images', 'image.enhance', 1, 200, 99, now() - interval '1 hour')`,
    );
    await worker.start();
    await completeIn(10, NETWORKS);
    await until(async () => (await durations()).every(({ seconds }) => seconds < 110), 'both to be half way');
  });
});
