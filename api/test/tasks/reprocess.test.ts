import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { until } from '../support/until.js';
import type { Announced, Visitor } from '../support/visitor.js';
import { useResultRoom } from '../support/workers/results-fixture.js';
import { finished, reached } from '../support/workers/results.js';

const room = useResultRoom();

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
    const task = await finished(room.business, room.worker);
    const { body } = await ask(room.business, task, { ai_pipeline: LOOK }).expect(202);
    expect(body.task_list[0]).toMatchObject({ status: 'reprocessing', ai_pipeline: LOOK });
    expect((await room.worker.inHand(task.task_id)).run.inputKey).toBe(`inputs/${task.task_id}`);
    await room.worker.end(task.task_id, (run) => room.worker.finish(run));
    const { result } = await reached(room.business, task.task_id, 'completed');
    expect(result.outputs.map((output: { ai_pipeline: object }) => output.ai_pipeline)).toEqual([
      LOOK,
      { face_enhance: { model: 'base' }, background_enhance: { model: 'base' } },
    ]);
  });

  it.each(['failed', 'invalid', 'cancelled'] as const)('goes back to what there was when it is %s', async (kind) => {
    const task = await finished(room.business, room.worker);
    await ask(room.business, task, { ai_pipeline: LOOK }).expect(202);
    await room.worker.end(task.task_id, () => {
      if (kind === 'failed') return { kind, errorCode: 'tasks.failed' };
      return kind === 'invalid' ? { kind, errorCode: 'uploads.undecodable' } : { kind };
    });
    const after = await reached(room.business, task.task_id, 'completed');
    expect(after.result.outputs).toHaveLength(1);
    expect(after.ai_pipeline).toEqual({ face_enhance: { model: 'base' }, background_enhance: { model: 'base' } });
    expect((await fetch(after.input_url)).status).toBe(200);
    await ask(room.business, task).expect(202);
  });

  it('keeps what there was when it is cancelled by its owner', async () => {
    const task = await finished(room.business, room.worker);
    await ask(room.business, task).expect(202);
    const { body } = await room.business.post(`/tasks/${task.task_id}/cancel`).expect(200);
    expect(body).toMatchObject({ status: 'completed' });
    expect((await fetch(body.output_url)).status).toBe(200);
    expect((await fetch(body.input_url)).status).toBe(200);
  });

  it('gives a failed picture another chance', async () => {
    const task = await room.business.process();
    await room.worker.end(task.task_id, () => ({ kind: 'failed', errorCode: 'tasks.failed' }));
    await reached(room.business, task.task_id, 'failed');
    await ask(room.business, task).expect(202);
    await room.worker.end(task.task_id, (run) => room.worker.finish(run));
    expect(await reached(room.business, task.task_id, 'completed')).toMatchObject({ error_code: null });
  });

  it('stays free and clean once it is paid for', async () => {
    const task = await finished(room.guest, room.worker);
    await room.api.sql("UPDATE tasks SET exported_at = now(), status = 'exported' WHERE id = $1", [task.task_id]);
    await ask(room.guest, task).expect(202);
    await room.worker.end(task.task_id, (run) => room.worker.finish(run));
    expect(await reached(room.guest, task.task_id, 'exported')).toMatchObject({ has_watermark: false });
    await room.guest.put(`/tasks/${task.task_id}/export`).expect(200);
  });

  it.each(['tools of a better plan', 'two named at once', 'unknown tools'])('refuses %s', async (what) => {
    const task = await finished(room.guest, room.worker);
    const wrong = { 'tools of a better plan': LOOK, 'unknown tools': { smile: {} }, 'two named at once': FACES }[what];
    const list = [{ client_task_id: task.task_id, ai_pipeline: wrong, output_content_type: 'image/jpeg' }];
    const path = `/tasks/bulk-upload/${task.bulk_upload_id}/reprocess`;
    const input_reprocess_list = what === 'two named at once' ? [...list, ...list] : list;
    await room.guest.post(path, { input_reprocess_list }).expect(what === 'tools of a better plan' ? 403 : 422);
    expect(await room.guest.task(task.task_id)).toMatchObject({ status: 'completed' });
  });

  it('refuses while it is running, strangers, and what is not there', async () => {
    const task = await finished(room.business, room.worker);
    await ask(room.business, task).expect(202);
    const { body } = await ask(room.business, task).expect(409);
    expect(body.error_code).toBe('tasks.wrong_state');
    await ask(room.guest, task).expect(404);
    await ask(room.business, { ...task, task_id: randomUUID() }).expect(404);
    await ask(room.business, task, { output_content_type: 'image/bmp' }).expect(409);
    await room.api.http.post(`/api/v1/web/tasks/bulk-upload/${task.bulk_upload_id}/reprocess`).send({}).expect(401);
  });

  it('starts once for two who ask at the same time', async () => {
    const task = await finished(room.business, room.worker);
    const answers = await Promise.all([ask(room.business, task), ask(room.business, task)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 409]);
  });
});

describe('a preview', () => {
  it('previews any tool for any user, small and with a watermark', async () => {
    const task = await finished(room.guest, room.worker);
    await ask(room.guest, task, { ai_pipeline: LOOK, preview: true }).expect(202);
    const { run } = await room.worker.inHand(task.task_id);
    expect(run).toMatchObject({
      maxSide: 1280,
      rendition: { watermark: true, maxSide: 1280, contentType: 'image/jpeg' },
    });
    await room.worker.end(task.task_id, () => room.worker.finish(run));
    expect(await reached(room.guest, task.task_id, 'completed')).toMatchObject({
      has_watermark: true,
      ai_pipeline: LOOK,
    });
  });

  it('is not for download: with the tool locked nor with it', async () => {
    const task = await finished(room.guest, room.worker);
    await ask(room.guest, task, { ai_pipeline: LOOK, preview: true }).expect(202);
    await room.worker.end(task.task_id, (run) => room.worker.finish(run));
    await reached(room.guest, task.task_id, 'completed');
    const { body } = await room.guest.put(`/tasks/${task.task_id}/export`).expect(403);
    expect(body.error_code).toBe('pipeline.not_in_plan');

    const own = await finished(room.business, room.worker);
    await ask(room.business, own, { ai_pipeline: LOOK, preview: true }).expect(202);
    await room.worker.end(own.task_id, (run) => room.worker.finish(run));
    await until(async () => (await room.business.task(own.task_id)).result.outputs.length === 2, 'the preview');
    const { body: refusal } = await room.business.put(`/tasks/${own.task_id}/export`).expect(409);
    expect(refusal.error_code).toBe('outputs.preview_only');
  });
});
