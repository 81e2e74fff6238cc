import { randomUUID } from 'node:crypto';
import { cancellationKey } from '@clearframe/contract';
import { ObjectStore } from '@clearframe/runtime/storage';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { startApi, type TestApi } from '../../test/support/application.js';
import { runScheduled } from '../../test/support/scheduled.js';
import { until } from '../../test/support/until.js';
import type { Visitor } from '../../test/support/visitor.js';
import { ManualWorker } from '../../test/support/workers/manual-worker.js';
import { TasksService } from './tasks.service.js';

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
  visitor = await api.guest();
  worker = new ManualWorker(api);
});
afterEach(() => worker.stop());

const cancel = (taskId: string) => visitor.post(`/tasks/${taskId}/cancel`);
const erase = (...taskIds: string[]) => visitor.delete('/tasks/delete', { task_ids: taskIds });
const filesOf = async (taskId: string) => (await api.files()).filter((key) => key.includes(taskId));
async function completed() {
  const { task_id } = await visitor.process();
  await worker.end(task_id, (run) => worker.finish(run));
  await until(async () => (await visitor.task(task_id)).status === 'completed');
  return task_id;
}

describe('cancelling', () => {
  it.each<[string, () => Promise<{ task_id: string }>]>([
    ['before any bytes', () => visitor.announce()],
    ['after the upload', () => visitor.upload()],
    ['while it waits', () => visitor.process()],
  ])('%s stops it, deletes the bytes, and is idempotent', async (_when, make) => {
    const { task_id } = await make();
    for (const _time of [1, 2]) {
      const { body } = await cancel(task_id).expect(200);
      expect(body).toMatchObject({ task_id, status: 'cancelled', queue_wait_num: null, input_url: null });
    }
    expect(await filesOf(task_id)).toEqual([]);
  });

  it('removes a waiting run from the queue, so that the next one moves up', async () => {
    const [first, second] = [await visitor.process(), await visitor.process()];
    await cancel(first.task_id).expect(200);
    expect((await visitor.task(second.task_id)).queue_wait_num).toBe(1);
  });

  it('stops the worker, and ignores its later report', async () => {
    await worker.start();
    const { task_id } = await visitor.process();
    const { run } = await worker.waitForJob(task_id);
    await cancel(task_id).expect(200);
    expect(await api.redis.exists(cancellationKey(run.runId))).toBe(1);
    await worker.end(task_id, () => worker.finish(run));
    await worker.waitForReports();
    expect(await visitor.task(task_id)).toMatchObject({ status: 'cancelled', output_url: null });
    expect(await filesOf(task_id)).toEqual([]);
  });

  it('closes the upload URL', async () => {
    const announced = await visitor.announce();
    await cancel(announced.task_id).expect(200);
    const response = await fetch(announced.upload_url, { method: 'PUT', body: 'x' });
    expect(response.status).toBe(409);
  });

  it('is rejected after completion: 409, and the result stays', async () => {
    await worker.start();
    const taskId = await completed();
    const { body } = await cancel(taskId).expect(409);
    expect(body).toMatchObject({ error_code: 'tasks.wrong_state', details: { status: 'completed' } });
    expect((await filesOf(taskId)).length).toBeGreaterThan(1);
  });

  it('while processing starts ends either way, never with a run without a task', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { task_id, bulk_upload_id } = await visitor.upload();
      const [stopped] = await Promise.all([
        cancel(task_id),
        visitor.post(`/tasks/bulk-upload/${bulk_upload_id}/process`),
      ]);
      expect(stopped.status).toBe(200);
      expect((await visitor.task(task_id)).status).toBe('cancelled');
      expect(await filesOf(task_id)).toEqual([]);
    }
  });
});

describe('deleting', () => {
  it('deletes the task, its upload and its bytes at once', async () => {
    await worker.start();
    const taskId = await completed();
    const { output_url, bulk_upload_id } = await visitor.task(taskId);
    await erase(taskId).expect(204);
    expect(await filesOf(taskId)).toEqual([]);
    expect((await fetch(output_url)).status).toBe(404);
    await visitor.get(`/tasks/${taskId}`).expect(404);
    await visitor.get(`/tasks/bulk-upload/${bulk_upload_id}`).expect(404);
  });

  it('deletes the bytes later when the store fails', async () => {
    await worker.start();
    const taskId = await completed();
    const failing = vi.spyOn(api.app.get(ObjectStore), 'delete').mockRejectedValueOnce(new Error('the store is away'));
    await erase(taskId).expect(204);
    failing.mockRestore();
    await visitor.get(`/tasks/${taskId}`).expect(404);
    expect((await filesOf(taskId)).length).toBeGreaterThan(1);
    await runScheduled(api, 'retention.media');
    expect(await filesOf(taskId)).toEqual([]);
    expect(await api.sql('SELECT FROM pending_deletions')).toEqual([]);
  });

  it('deletes the files of a run that ends afterwards', async () => {
    await worker.start();
    const { task_id } = await visitor.process();
    await worker.waitForJob(task_id);
    await erase(task_id).expect(204);
    await worker.end(task_id, (run) => worker.finish(run));
    await worker.waitForReports();
    expect(await filesOf(task_id)).toEqual([]);
  });

  it("names unknown ids and another user's, and deletes the others", async () => {
    const mine = await visitor.upload();
    const theirs = await (await api.guest()).upload();
    const unknown = [theirs.task_id, randomUUID()];
    const { body } = await erase(unknown[0] ?? '', mine.task_id, unknown[1] ?? '').expect(200);
    expect(body).toEqual({ not_found: unknown });
    expect(await filesOf(mine.task_id)).toEqual([]);
    expect(await filesOf(theirs.task_id)).toHaveLength(1);
    await visitor.get(`/tasks/${mine.task_id}`).expect(404);
    expect((await erase(mine.task_id).expect(200)).body).toEqual({ not_found: [mine.task_id] });
  });

  it('accepts repeated ids', async () => {
    const { task_id } = await visitor.upload();
    await erase(task_id, task_id).expect(204);
  });

  it.each<[string, unknown]>([
    ['nothing', {}],
    ['an empty list', { task_ids: [] }],
    ['an invalid id', { task_ids: ['x'] }],
    ['101 tasks', { task_ids: Array.from({ length: 101 }, () => randomUUID()) }],
  ])('rejects %s', async (_what, body) => {
    await visitor.delete('/tasks/delete', body as object).expect(422);
  });

  it('while processing starts does not deadlock', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { task_id, bulk_upload_id } = await visitor.upload();
      const [deletion, start] = await Promise.all([
        erase(task_id),
        visitor.post(`/tasks/bulk-upload/${bulk_upload_id}/process`),
      ]);
      expect(deletion.status).toBe(204);
      expect([202, 404]).toContain(start.status);
      expect(await filesOf(task_id)).toEqual([]);
    }
  });
});

describe('media retention', () => {
  it('deletes the rows of an expired task all or, when one delete fails, none', async () => {
    const { task_id } = await visitor.process();
    await api.sql("UPDATE tasks SET expires_at = now() - interval '1 second' WHERE id = $1", [task_id]);
    await api.sql(`
      CREATE FUNCTION refuse_runs() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'disk full'; END $$;
      CREATE TRIGGER refuse_runs BEFORE DELETE ON runs FOR EACH ROW EXECUTE FUNCTION refuse_runs()`);
    const tasks = api.app.get(TasksService, { strict: false });
    await expect(tasks.purgeExpired(task_id)).rejects.toThrow('disk full');
    expect(await api.sql('SELECT FROM tasks WHERE id = $1', [task_id])).toHaveLength(1);
    await api.sql('DROP FUNCTION refuse_runs CASCADE');
    await tasks.purgeExpired(task_id);
    expect(await api.sql('SELECT FROM tasks WHERE id = $1', [task_id])).toEqual([]);
    expect(await api.sql('SELECT FROM runs WHERE subject_id = $1', [task_id])).toEqual([]);
  });

  it('deletes expired tasks, also waiting and running ones', async () => {
    await worker.start();
    const done = await completed();
    const waiting = await visitor.upload();
    const fresh = await visitor.upload();
    await api.sql("UPDATE tasks SET expires_at = now() - interval '1 second' WHERE id = ANY ($1)", [
      [done, waiting.task_id],
    ]);
    await runScheduled(api, 'retention.');
    expect(await filesOf(done)).toEqual([]);
    expect(await filesOf(waiting.task_id)).toEqual([]);
    await visitor.get(`/tasks/${done}`).expect(404);
    await visitor.get(`/tasks/bulk-upload/${waiting.bulk_upload_id}`).expect(404);
    expect(await filesOf(fresh.task_id)).toHaveLength(1);
    expect((await visitor.task(fresh.task_id)).status).toBe('uploading');
  });
});
