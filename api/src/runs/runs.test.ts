import { randomUUID } from 'node:crypto';
import { objectKeys } from '@clearframe/contract';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../test/support/application.js';
import { until } from '../../test/support/until.js';
import type { Visitor } from '../../test/support/visitor.js';
import { ManualWorker } from '../../test/support/workers/manual-worker.js';

let api: TestApi;
let visitor: Visitor;
let worker: ManualWorker;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());
beforeEach(async () => {
  await api.redis.flushdb();
  await api.sql('TRUNCATE bulk_uploads CASCADE');
  await api.sql('DELETE FROM runs');
  await api.sql('DELETE FROM run_durations');
  visitor = await api.guest();
  worker = new ManualWorker(api);
});
afterEach(() => worker.stop());

const LONG_AGO = "UPDATE runs SET dispatched_at = dispatched_at - interval '1 minute'";

const reach = (taskId: string, status: string) =>
  until(async () => {
    const task = await visitor.task(taskId);
    return task.status === status && task;
  }, `${taskId} to be ${status}`);
const filesOf = async (taskId: string) => (await api.files()).filter((key) => key.includes(taskId));

describe('a completed run', () => {
  it('shows its result', async () => {
    await worker.start();
    const { task_id, bulk_upload_id } = await visitor.process({ file_name: 'me.png' });
    await worker.end(task_id, (run) => worker.finish(run));
    const task = await reach(task_id, 'completed');
    expect(task).toMatchObject({
      progress: 1,
      file_progress: 1,
      queue_wait_num: null,
      has_watermark: true,
      error_code: null,
      output_content_type: 'image/jpeg',
      input: { width: 640, height: 480, content_type: 'image/jpeg' },
    });
    expect(task.result.outputs).toMatchObject([
      {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        url: task.output_url,
        display: { url: task.display.output_url, thumbnail_url: task.display.thumbnail_url, width: 640, height: 480 },
        content_type: 'image/jpeg',
        width: 640,
        height: 480,
        has_watermark: true,
        is_preview: false,
        ai_pipeline: { face_enhance: { model: 'base' }, background_enhance: { model: 'base' } },
        converted_images: [],
        changes: null,
        faces: [
          { box: { x: 1, y: 2, width: 3, height: 4 }, confidence: 0.9, identity_similarity: null, restored: false },
        ],
        recipe: {
          version: 1,
          ai_pipeline: { face_enhance: { model: 'base' }, background_enhance: { model: 'base' } },
          models: [{ id: 'face', version: '1', sha256: '0'.repeat(64) }],
        },
      },
    ]);
    const { body } = await visitor.get(`/tasks/bulk-upload/${bulk_upload_id}`).expect(200);
    expect(body.status).toBe('completed');
    expect(JSON.stringify(body)).not.toContain('master');
  });

  it('ignores further reports', async () => {
    await worker.start();
    const { task_id } = await visitor.process();
    const { run } = await worker.waitForJob(task_id);
    await worker.end(task_id, () => worker.finish(run));
    await reach(task_id, 'completed');
    const files = await filesOf(task_id);
    await worker.report(run, await worker.finish(run));
    await worker.report(run, { kind: 'failed', errorCode: 'tasks.failed' });
    await worker.report(run, { kind: 'invalid', errorCode: 'uploads.undecodable' });
    await worker.waitForReports();
    expect(await visitor.task(task_id)).toMatchObject({ status: 'completed', error_code: null });
    expect((await visitor.task(task_id)).result.outputs).toHaveLength(1);
    expect(await filesOf(task_id)).toEqual(files);
  });

  it('ignores the report of another run, whose files are deleted', async () => {
    await worker.start();
    const { task_id } = await visitor.process();
    const { run } = await worker.waitForJob(task_id);
    const older = { ...run, runId: randomUUID() };
    await worker.report(older, await worker.finish(older));
    await worker.waitForReports();
    expect((await visitor.task(task_id)).status).toBe('processing');
    expect((await filesOf(task_id)).filter((key) => key.includes(older.runId))).toEqual([]);
    await worker.end(task_id, () => worker.finish(run));
    await reach(task_id, 'completed');
    expect(await filesOf(task_id)).toContain(objectKeys.master(task_id, run.runId));
  });
});

describe('an unsuccessful run', () => {
  it('invalid: shows why and keeps no files', async () => {
    await worker.start();
    const { task_id } = await visitor.process();
    await worker.end(task_id, async (run) => {
      await worker.finish(run);
      return { kind: 'invalid', errorCode: 'uploads.too_many_pixels' };
    });
    const task = await reach(task_id, 'invalid');
    expect(task).toMatchObject({ error_code: 'uploads.too_many_pixels', input_url: null, output_url: null });
    await until(async () => (await filesOf(task_id)).length === 0, 'the files to go');
  });

  it.each(['tasks.failed', 'tasks.timed_out'] as const)(
    '%s: keeps the original, and no partial result',
    async (errorCode) => {
      await worker.start();
      const { task_id } = await visitor.process();
      await worker.end(task_id, async (run) => {
        await worker.finish(run);
        return { kind: 'failed', errorCode };
      });
      const task = await reach(task_id, 'failed');
      expect(task).toMatchObject({ error_code: errorCode, output_url: null });
      expect((await fetch(task.input_url)).status).toBe(200);
      await until(async () => (await filesOf(task_id)).length === 1, 'the half results to go');
    },
  );
});

describe('waiting runs', () => {
  it('have a place, which moves up', async () => {
    const tasks: string[] = [];
    for (let i = 0; i < 3; i += 1) tasks.push((await visitor.process()).task_id);
    const places = () => Promise.all(tasks.map(async (id) => (await visitor.task(id)).queue_wait_num));
    expect(await places()).toEqual([1, 2, 3]);
    const [first = '', second = ''] = tasks;
    await worker.start();
    await worker.waitForJob(first);
    await until(async () => (await places())[0] === 0, 'the first to be worked on');
    expect(await places()).toEqual([0, 1, 2]);
    await worker.end(first, (run) => worker.finish(run));
    await worker.waitForJob(second);
    await reach(first, 'completed');
    await until(async () => (await places())[1] === 0, 'the second to be worked on');
    expect(await places()).toEqual([null, 0, 1]);
  });

  it('show the progress of the running one, within bounds', async () => {
    await worker.start();
    const { task_id } = await visitor.process();
    const { job } = await worker.waitForJob(task_id);
    const shows = (progress: number) =>
      until(async () => {
        const task = await visitor.task(task_id);
        return task.progress === progress && task.queue_wait_num === 0;
      }, `progress to be ${progress}`);
    await shows(0);
    for (const progress of [-1, { percent: 3 }, 0.25]) await job.updateProgress(progress);
    await shows(0.25);
    // A restarted attempt does not lower the progress.
    for (const progress of [0.1, 0.5]) await job.updateProgress(progress);
    await shows(0.5);
    await job.updateProgress(7);
    await shows(1);
  });

  it('show progress between reports by the time of the running step, never backwards', async () => {
    await worker.start();
    const { task_id } = await visitor.process();
    const { job } = await worker.waitForJob(task_id);
    const progress = async () => (await visitor.task(task_id)).progress;
    await job.updateProgress({ progress: 0.2, until: 0.6, seconds: 1000 });
    await until(async () => (await progress()) >= 0.2, 'the step to begin');
    // The report is newer than the call that reads it.
    await api.sql(`UPDATE runs SET progress = 0.3, progress_at = now() + interval '900 seconds'`);
    await until(async () => (await progress()) >= 0.3, 'no less than the report');
    await api.sql(`UPDATE runs SET progress_at = now() - interval '500 seconds'`);
    await until(async () => (await progress()) >= 0.4, 'half of the step to be shown');
    // The step is slower than estimated.
    await job.updateProgress({ progress: 0.25, until: 0.6, seconds: 1000 });
    await until(
      async () => (await api.sql(`SELECT 1 FROM runs WHERE progress_at > now() - interval '400 seconds'`)).length === 1,
      'the report to be recorded',
    );
    expect(await progress()).toBeGreaterThanOrEqual(0.4);
    await api.sql(`UPDATE runs SET progress_at = now() - interval '5000 seconds'`);
    await until(async () => Math.abs((await progress()) - 0.6) < 1e-6, 'the end of the step, and no more');
    // The remaining time is what the progress so far has taken, and what such runs take, less the shown progress.
    await api.sql(`UPDATE runs SET started_at = now() - interval '60 seconds'`);
    await api.sql(
      `INSERT INTO run_durations (queue, kind, size_class, seconds, samples)
       VALUES ('images', 'image.enhance', 0, 100, 1)`,
    );
    await until(async () => {
      const { remaining_seconds } = await visitor.task(task_id);
      return remaining_seconds !== null && Math.abs(remaining_seconds - 40) <= 1;
    }, 'the rest of the average');
  });

  it('are published again, in order, when Redis has lost them', async () => {
    const tasks = [await visitor.process(), await visitor.process()];
    await api.redis.flushdb();
    expect((await visitor.task(tasks[1]?.task_id ?? '')).queue_wait_num).toBe(2);
    await api.sql(LONG_AGO);
    await worker.start();
    for (const { task_id } of tasks) await worker.end(task_id, (run) => worker.finish(run));
    for (const { task_id } of tasks) await reach(task_id, 'completed');
  });

  it('failed by the queue are settled as failed', async () => {
    await worker.start();
    const { task_id } = await visitor.process();
    const { job, fail } = await worker.waitForJob(task_id);
    fail();
    await until(async () => (await job.getState()) === 'failed', 'the job to fail');
    expect((await visitor.task(task_id)).status).toBe('processing');
    await api.sql(`${LONG_AGO}, attempts = 3`);
    expect((await reach(task_id, 'failed')).error_code).toBe('tasks.failed');
  });

  it('whose worker vanished without a report are done again', async () => {
    await worker.start();
    const { task_id } = await visitor.process();
    const { run, complete } = await worker.waitForJob(task_id);
    complete();
    await until(() => !worker.has(task_id), 'the job to end');
    await api.sql(LONG_AGO);
    expect((await worker.waitForJob(task_id)).run.runId).toBe(run.runId);
    await worker.end(task_id, () => worker.finish(run));
    await reach(task_id, 'completed');
  });
});
