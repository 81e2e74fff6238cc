import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { until } from '../../test/support/until.js';
import type { Announced, Visitor } from '../../test/support/visitor.js';
import { createFinishedTask, waitForStatus } from '../../test/support/workers/results.js';
import { useResultsFixture } from '../../test/support/workers/results-fixture.js';

const fixture = useResultsFixture();

const looksOf = async (visitor: Visitor, { task_id }: Announced) =>
  (await visitor.get(`/tasks/${task_id}/looks`).expect(200)).body;
const order = async (visitor: Visitor, { task_id }: Announced) =>
  (await visitor.post(`/tasks/${task_id}/looks`).expect(202)).body;
const ready = (visitor: Visitor, task: Announced) =>
  until(async () => {
    const response = await looksOf(visitor, task);
    return response.status === 'ready' && response;
  }, 'the looks to be rendered');

describe('looks', () => {
  it('are rendered once for a result, served to its owner, and deleted with it', async () => {
    const { guest, business, worker, api } = fixture;
    const task = await createFinishedTask(guest, worker);
    expect(await order(guest, task)).toEqual({ status: 'pending', looks: [] });
    const { looks } = await ready(guest, task);
    expect(looks).toEqual([{ tool: 'bokeh', model: 'low', url: expect.any(String), width: 320, height: 240 }]);
    expect((await fetch(looks[0].url)).headers.get('content-type')).toBe('image/jpeg');
    expect((await order(guest, task)).status).toBe('ready');
    expect(await api.sql(`SELECT FROM runs WHERE kind = 'image.looks'`)).toHaveLength(1);
    await business.post(`/tasks/${task.task_id}/looks`).expect(404);
    await business.get(`/tasks/${task.task_id}/looks`).expect(404);
    await guest.delete('/tasks/delete', { task_ids: [task.task_id] }).expect(204);
    expect(await api.files()).toEqual([]);
  });

  it('are rendered again for a newer result, but not for a preview', async () => {
    const { business, worker } = fixture;
    const task = await createFinishedTask(business, worker);
    await order(business, task);
    await ready(business, task);
    for (const [preview, expected] of [
      [true, 'ready'],
      [false, 'pending'],
    ]) {
      const input_reprocess_list = [{ client_task_id: task.task_id, ai_pipeline: {}, preview }];
      await business.post(`/tasks/bulk-upload/${task.bulk_upload_id}/reprocess`, { input_reprocess_list }).expect(202);
      await business.post(`/tasks/${task.task_id}/looks`).expect(409);
      await worker.end(task.task_id, (run) => worker.finish(run));
      await waitForStatus(business, task.task_id, 'completed');
      expect((await looksOf(business, task)).status).toBe(expected);
    }
  });

  it('fail for a result without a base, and are not found for an unknown task', async () => {
    const { guest, worker } = fixture;
    const task = await guest.process();
    await guest.get(`/tasks/${task.task_id}/looks`).expect(409);
    await worker.end(task.task_id, async (run) => {
      const outcome = await worker.finish(run);
      if (outcome.kind === 'completed') delete outcome.result.baseKey;
      return outcome;
    });
    await waitForStatus(guest, task.task_id, 'completed');
    expect(await order(guest, task)).toEqual({ status: 'failed', looks: [] });
    await guest.post(`/tasks/${randomUUID()}/looks`).expect(404);
  });
});
