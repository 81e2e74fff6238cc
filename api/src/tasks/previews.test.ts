import { describe, expect, it } from 'vitest';
import { ask, LOOK, pathOf } from '../../test/support/reprocess-requests.js';
import type { Announced, Visitor } from '../../test/support/visitor.js';
import { createFinishedTask, waitForStatus } from '../../test/support/workers/results.js';
import { useResultsFixture } from '../../test/support/workers/results-fixture.js';

const fixture = useResultsFixture();

async function previewed(visitor: Visitor, task: Announced): Promise<void> {
  await ask(visitor, task, { ai_pipeline: LOOK, preview: true }).expect(202);
  await fixture.worker.end(task.task_id, (run) => fixture.worker.finish(run));
  await waitForStatus(visitor, task.task_id, 'completed');
}

describe('a preview', () => {
  it('previews any tool for any user, small and with a watermark', async () => {
    const task = await createFinishedTask(fixture.guest, fixture.worker);
    await ask(fixture.guest, task, { ai_pipeline: LOOK, preview: true }).expect(202);
    const { run } = await fixture.worker.waitForJob(task.task_id);
    expect(run).toMatchObject({
      maxSide: 1280,
      rendition: { watermark: true, maxSide: 1280, contentType: 'image/jpeg' },
    });
    await fixture.worker.end(task.task_id, () => fixture.worker.finish(run));
    const { result } = await waitForStatus(fixture.guest, task.task_id, 'completed');
    expect(result.outputs[0]).toMatchObject({ is_preview: true, has_watermark: true, ai_pipeline: LOOK });
  });

  it('changes neither the result, nor its format, nor what is processed next', async () => {
    const task = await createFinishedTask(fixture.business, fixture.worker);
    const before = await fixture.business.task(task.task_id);
    await previewed(fixture.business, task);
    const after = await fixture.business.task(task.task_id);
    expect(after.result.outputs.map(({ is_preview }: { is_preview: boolean }) => is_preview)).toEqual([true, false]);
    for (const name of ['ai_pipeline', 'output_content_type', 'has_watermark'])
      expect(after[name]).toEqual(before[name]);
    expect(pathOf(after.output_url)).toBe(pathOf(before.output_url));
  });

  it('leaves the result before it to be downloaded, paid for and archived', async () => {
    const task = await createFinishedTask(fixture.business, fixture.worker);
    await previewed(fixture.business, task);
    const exporting = fixture.business.put(`/tasks/${task.task_id}/export`);
    const { body } = await exporting.expect(200);
    expect(body).toMatchObject({ status: 'exported', has_watermark: false });
    const [exported, preview] = body.result.outputs;
    expect(pathOf(body.output_url)).toBe(pathOf(exported.url));
    expect([exported.is_preview, exported.has_watermark, preview.is_preview]).toEqual([false, false, true]);

    const tried = await createFinishedTask(fixture.guest, fixture.worker);
    await previewed(fixture.guest, tried);
    const { body: refusal } = await fixture.guest.put(`/tasks/${tried.task_id}/export`).expect(402);
    expect(refusal.error_code).toBe('exports.insufficient');
  });

  it("can't be downloaded as the only output, with or without the tool in the plan", async () => {
    for (const [visitor, status, code] of [
      [fixture.guest, 403, 'pipeline.not_in_plan'],
      [fixture.business, 409, 'outputs.preview_only'],
    ] as const) {
      const task = await visitor.process();
      await fixture.worker.end(task.task_id, () => ({ kind: 'failed', errorCode: 'tasks.failed' }));
      await waitForStatus(visitor, task.task_id, 'failed');
      await previewed(visitor, task);
      const { body } = await visitor.put(`/tasks/${task.task_id}/export`).expect(status);
      expect(body.error_code).toBe(code);
    }
  });
});
