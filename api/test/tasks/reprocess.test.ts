import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { until } from '../support/until.js';
import type { Announced, Visitor } from '../support/visitor.js';
import { finished, reached } from '../support/workers/results.js';
import { useResultsFixture } from '../support/workers/results-fixture.js';

const fixture = useResultsFixture();

const FACES = { face_enhance: { model: 'base' } };
const LOOK = { color_enhance: { model: 'teal' } };
const ask = (visitor: Visitor, { bulk_upload_id, task_id }: Announced, order: object = {}) =>
  visitor.post(`/tasks/bulk-upload/${bulk_upload_id}/reprocess`, {
    input_reprocess_list: [
      { client_task_id: task_id, ai_pipeline: FACES, output_content_type: 'image/jpeg', ...order },
    ],
  });

describe('making a picture again', () => {
  it('starts from the original and puts the new result first', async () => {
    const task = await finished(fixture.business, fixture.worker);
    const { body } = await ask(fixture.business, task, { ai_pipeline: LOOK }).expect(202);
    expect(body.task_list[0]).toMatchObject({ status: 'reprocessing', ai_pipeline: LOOK });
    expect((await fixture.worker.inHand(task.task_id)).run.inputKey).toBe(`inputs/${task.task_id}`);
    await fixture.worker.end(task.task_id, (run) => fixture.worker.finish(run));
    const { result } = await reached(fixture.business, task.task_id, 'completed');
    expect(result.outputs.map((output: { ai_pipeline: object }) => output.ai_pipeline)).toEqual([
      LOOK,
      { face_enhance: { model: 'base' }, background_enhance: { model: 'base' } },
    ]);
  });

  it.each(['failed', 'invalid', 'cancelled'] as const)('goes back to what there was when it is %s', async (kind) => {
    const task = await finished(fixture.business, fixture.worker);
    await ask(fixture.business, task, { ai_pipeline: LOOK }).expect(202);
    await fixture.worker.end(task.task_id, () => {
      if (kind === 'failed') return { kind, errorCode: 'tasks.failed' };
      return kind === 'invalid' ? { kind, errorCode: 'uploads.undecodable' } : { kind };
    });
    const after = await reached(fixture.business, task.task_id, 'completed');
    expect(after.result.outputs).toHaveLength(1);
    expect(after.ai_pipeline).toEqual({ face_enhance: { model: 'base' }, background_enhance: { model: 'base' } });
    expect((await fetch(after.input_url)).status).toBe(200);
    await ask(fixture.business, task).expect(202);
  });

  it('keeps what there was when it is cancelled by its owner', async () => {
    const task = await finished(fixture.business, fixture.worker);
    await ask(fixture.business, task).expect(202);
    const { body } = await fixture.business.post(`/tasks/${task.task_id}/cancel`).expect(200);
    expect(body).toMatchObject({ status: 'completed' });
    expect((await fetch(body.output_url)).status).toBe(200);
    expect((await fetch(body.input_url)).status).toBe(200);
  });

  it('gives a failed picture another chance', async () => {
    const task = await fixture.business.process();
    await fixture.worker.end(task.task_id, () => ({ kind: 'failed', errorCode: 'tasks.failed' }));
    await reached(fixture.business, task.task_id, 'failed');
    await ask(fixture.business, task).expect(202);
    await fixture.worker.end(task.task_id, (run) => fixture.worker.finish(run));
    expect(await reached(fixture.business, task.task_id, 'completed')).toMatchObject({ error_code: null });
  });

  it('stays free and clean once it is paid for', async () => {
    const task = await finished(fixture.guest, fixture.worker);
    await fixture.api.sql("UPDATE tasks SET exported_at = now(), status = 'exported' WHERE id = $1", [task.task_id]);
    await ask(fixture.guest, task).expect(202);
    await fixture.worker.end(task.task_id, (run) => fixture.worker.finish(run));
    expect(await reached(fixture.guest, task.task_id, 'exported')).toMatchObject({ has_watermark: false });
    await fixture.guest.put(`/tasks/${task.task_id}/export`).expect(200);
  });

  it.each(['tools of a better plan', 'two named at once', 'unknown tools'])('refuses %s', async (what) => {
    const task = await finished(fixture.guest, fixture.worker);
    const wrong = { 'tools of a better plan': LOOK, 'unknown tools': { smile: {} }, 'two named at once': FACES }[what];
    const list = [{ client_task_id: task.task_id, ai_pipeline: wrong, output_content_type: 'image/jpeg' }];
    const path = `/tasks/bulk-upload/${task.bulk_upload_id}/reprocess`;
    const input_reprocess_list = what === 'two named at once' ? [...list, ...list] : list;
    await fixture.guest.post(path, { input_reprocess_list }).expect(what === 'tools of a better plan' ? 403 : 422);
    expect(await fixture.guest.task(task.task_id)).toMatchObject({ status: 'completed' });
  });

  it('refuses while it is running, strangers, and what is not there', async () => {
    const task = await finished(fixture.business, fixture.worker);
    await ask(fixture.business, task).expect(202);
    const { body } = await ask(fixture.business, task).expect(409);
    expect(body.error_code).toBe('tasks.wrong_state');
    await ask(fixture.guest, task).expect(404);
    await ask(fixture.business, { ...task, task_id: randomUUID() }).expect(404);
    await ask(fixture.business, task, { output_content_type: 'image/bmp' }).expect(409);
    await fixture.api.http.post(`/api/v1/web/tasks/bulk-upload/${task.bulk_upload_id}/reprocess`).send({}).expect(401);
  });

  it('starts once for two who ask at the same time', async () => {
    const task = await finished(fixture.business, fixture.worker);
    const answers = await Promise.all([ask(fixture.business, task), ask(fixture.business, task)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 409]);
  });
});

describe('a preview', () => {
  it('previews any tool for any user, small and with a watermark', async () => {
    const task = await finished(fixture.guest, fixture.worker);
    await ask(fixture.guest, task, { ai_pipeline: LOOK, preview: true }).expect(202);
    const { run } = await fixture.worker.inHand(task.task_id);
    expect(run).toMatchObject({
      maxSide: 1280,
      rendition: { watermark: true, maxSide: 1280, contentType: 'image/jpeg' },
    });
    await fixture.worker.end(task.task_id, () => fixture.worker.finish(run));
    expect(await reached(fixture.guest, task.task_id, 'completed')).toMatchObject({
      has_watermark: true,
      ai_pipeline: LOOK,
    });
  });

  it('is not for download: with the tool locked nor with it', async () => {
    const task = await finished(fixture.guest, fixture.worker);
    await ask(fixture.guest, task, { ai_pipeline: LOOK, preview: true }).expect(202);
    await fixture.worker.end(task.task_id, (run) => fixture.worker.finish(run));
    await reached(fixture.guest, task.task_id, 'completed');
    const { body } = await fixture.guest.put(`/tasks/${task.task_id}/export`).expect(403);
    expect(body.error_code).toBe('pipeline.not_in_plan');

    const own = await finished(fixture.business, fixture.worker);
    await ask(fixture.business, own, { ai_pipeline: LOOK, preview: true }).expect(202);
    await fixture.worker.end(own.task_id, (run) => fixture.worker.finish(run));
    await until(async () => (await fixture.business.task(own.task_id)).result.outputs.length === 2, 'the preview');
    const { body: refusal } = await fixture.business.put(`/tasks/${own.task_id}/export`).expect(409);
    expect(refusal.error_code).toBe('outputs.preview_only');
  });
});
