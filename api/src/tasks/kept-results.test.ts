import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { objectKeys } from '@clearframe/contract';
import { describe, expect, it } from 'vitest';
import { until } from '../../test/support/until.js';
import type { Announced } from '../../test/support/visitor.js';
import { createFinishedTask, waitForStatus } from '../../test/support/workers/results.js';
import { useResultsFixture } from '../../test/support/workers/results-fixture.js';
import { KEPT_RESULTS } from './kept-results.js';

const fixture = useResultsFixture();

const LOOK = { color_enhance: { model: 'teal' } };
const PART = 'faces/base/640x480';

const exists = (key: string) => existsSync(fixture.api.pathOf(key));
const outputIds = async ({ task_id }: Announced): Promise<string[]> =>
  (await fixture.business.task(task_id)).result.outputs.map(({ id }: { id: string }) => id);

async function renderLooks({ task_id }: Announced): Promise<string> {
  await fixture.business.post(`/tasks/${task_id}/looks`).expect(202);
  return until(async () => {
    const [row] = await fixture.api.sql('SELECT looks FROM tasks WHERE id = $1', [task_id]);
    return row?.looks.status === 'ready' && row.looks.runId;
  }, 'the looks');
}

async function addResult(task: Announced, preview = false): Promise<void> {
  const { business, worker } = fixture;
  const input_reprocess_list = [{ client_task_id: task.task_id, ai_pipeline: LOOK, preview }];
  await business.post(`/tasks/bulk-upload/${task.bulk_upload_id}/reprocess`, { input_reprocess_list }).expect(202);
  await worker.end(task.task_id, (run) => worker.finish(run));
  await until(async () => /completed|exported/.test((await business.task(task.task_id)).status), 'the run to end');
}

describe('the results of a task', () => {
  it('are the newest and the downloaded ones; the files of the others are deleted', async () => {
    const { business, worker } = fixture;
    const task = await business.process();
    const { task_id } = task;
    const part = objectKeys.kept(task_id, (await worker.waitForJob(task_id)).run.runId, 0);
    await worker.end(task_id, async (run) => {
      const outcome = await worker.finish(run);
      if (outcome.kind !== 'completed') return outcome;
      await writeFile(fixture.api.pathOf(part), 'pixels');
      return { ...outcome, result: { ...outcome.result, kept: [{ variant: PART, key: part }] } };
    });
    await waitForStatus(business, task_id, 'completed');
    const [first = ''] = await outputIds(task);
    const firstLooks = await renderLooks(task);
    await addResult(task);
    const [second = ''] = await outputIds(task);
    await business.put(`/tasks/${task_id}/export`, { output_id: second }).expect(200);
    const looks = await renderLooks(task);

    for (let count = 2; count < KEPT_RESULTS; count++) await addResult(task);
    expect(await outputIds(task)).toHaveLength(KEPT_RESULTS);
    expect(exists(objectKeys.master(task_id, first))).toBe(true);
    await addResult(task);
    expect(exists(objectKeys.master(task_id, first))).toBe(true);
    const third = (await outputIds(task)).at(-2) ?? '';
    await addResult(task);
    await addResult(task);
    await worker.waitForReports();
    const ids = await outputIds(task);
    expect(ids).toHaveLength(KEPT_RESULTS + 1);
    expect(ids.at(-1)).toBe(second);
    const { outputs } = (await business.task(task_id)).result;
    const made = KEPT_RESULTS + 3;
    expect(outputs.map(({ number }: { number: number }) => number)).toEqual([
      ...Array.from({ length: KEPT_RESULTS }, (_, index) => made - index),
      2,
    ]);
    expect(exists(objectKeys.master(task_id, second))).toBe(true);
    expect(exists(objectKeys.master(task_id, first))).toBe(false);
    // The last discarded one, which open pages show until they are refreshed.
    expect(exists(objectKeys.master(task_id, third))).toBe(true);
    expect(exists(objectKeys.look(task_id, firstLooks, 0))).toBe(false);
    expect(exists(objectKeys.look(task_id, looks, 0))).toBe(true);
    const orphans = await fixture.api.sql('SELECT FROM renditions WHERE output_run_id = $1', [first]);
    expect(orphans).toEqual([]);

    expect(exists(part)).toBe(true);
    const input_reprocess_list = [{ client_task_id: task_id, ai_pipeline: LOOK }];
    await business.post(`/tasks/bulk-upload/${task.bulk_upload_id}/reprocess`, { input_reprocess_list }).expect(202);
    expect((await worker.waitForJob(task_id)).run.kept).toContainEqual({ variant: PART, key: part });
  });

  it('include the newest that is no preview, however many previews follow', async () => {
    const task = await createFinishedTask(fixture.business, fixture.worker);
    const [result] = await outputIds(task);
    for (let count = 0; count <= KEPT_RESULTS; count++) await addResult(task, true);
    const ids = await outputIds(task);
    expect(ids).toHaveLength(KEPT_RESULTS + 1);
    expect(ids.at(-1)).toBe(result);
    await fixture.business.put(`/tasks/${task.task_id}/export`).expect(200);
  });
});
