import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { picture } from '../../test/support/pictures.js';
import { ask, FACES, LOOK, pathOf } from '../../test/support/reprocess-requests.js';
import { type Announced, put, type Visitor, type WireTarget } from '../../test/support/visitor.js';
import { createFinishedTask, waitForStatus } from '../../test/support/workers/results.js';
import { useResultsFixture } from '../../test/support/workers/results-fixture.js';

const fixture = useResultsFixture();

async function previewed(visitor: Visitor, task: Announced): Promise<void> {
  await ask(visitor, task, { ai_pipeline: LOOK, preview: true }).expect(202);
  await fixture.worker.end(task.task_id, (run) => fixture.worker.finish(run));
  await waitForStatus(visitor, task.task_id, 'completed');
}

describe('reprocessing a picture', () => {
  it('starts from the original and lists the new result first', async () => {
    const task = await createFinishedTask(fixture.business, fixture.worker);
    const { body } = await ask(fixture.business, task, { ai_pipeline: LOOK }).expect(202);
    expect(body.task_list[0]).toMatchObject({ status: 'reprocessing', ai_pipeline: LOOK });
    expect((await fixture.worker.waitForJob(task.task_id)).run.inputKey).toBe(`inputs/${task.task_id}`);
    await fixture.worker.end(task.task_id, (run) => fixture.worker.finish(run));
    const { result } = await waitForStatus(fixture.business, task.task_id, 'completed');
    expect(result.outputs.map((output: { ai_pipeline: object }) => output.ai_pipeline)).toEqual([
      LOOK,
      { face_enhance: { model: 'base' }, background_enhance: { model: 'base' } },
    ]);
  });

  it('keeps the quality of the task unless it names another', async () => {
    const { business, worker } = fixture;
    const task = await business.process({ output_content_type: 'image/jpeg', jpeg_quality: 100 });
    await worker.end(task.task_id, (run) => worker.finish(run));
    for (const [order, jpegQuality] of [
      [{}, 100],
      [{ jpeg_quality: null }, 100],
      [{ jpeg_quality: 90 }, 90],
    ] as const) {
      await waitForStatus(business, task.task_id, 'completed');
      await ask(business, task, order).expect(202);
      const { run } = await worker.waitForJob(task.task_id);
      expect(run.rendition).toMatchObject({ contentType: 'image/jpeg', jpegQuality });
      await worker.end(task.task_id, (started) => worker.finish(started));
    }
  });

  it('does not wait behind networks when the restored pixels it needs are kept', async () => {
    const { business, worker } = fixture;
    const task = await business.process();
    const part = (variant: string) => ({ variant, key: `results/${task.task_id}/kept-${variant.length}.bin` });
    const kept = [part('background/base/1500x1000'), part('faces/base/1500x1000')];
    await worker.end(task.task_id, async (run) => {
      const outcome = await worker.finish(run, picture.jpeg(), { width: 1500, height: 1000 });
      return outcome.kind === 'completed' ? { ...outcome, result: { ...outcome.result, kept } } : outcome;
    });
    await waitForStatus(business, task.task_id, 'completed');
    const BOTH = { face_enhance: { model: 'base', strength: 0.4 }, background_enhance: { model: 'base' } };
    for (const [ai_pipeline, queue] of [
      [{ ...BOTH, ...LOOK }, 'colors'],
      [{ face_enhance: BOTH.face_enhance }, 'colors'],
      [{ ...BOTH, face_enhance: { model: 'v2' } }, 'images'],
      [{ ...BOTH, upscale: { factor: 2 } }, 'images'],
      [{ ...BOTH, output_size: 'original' }, 'colors'],
      [{ ...BOTH, output_size: 'original', upscale: { factor: 4 } }, 'large'],
    ] as const) {
      await ask(business, task, { ai_pipeline }).expect(202);
      const { job, run } = await worker.waitForJob(task.task_id);
      expect([job.queueName, run.kept]).toEqual([queue, kept]);
      await worker.end(task.task_id, () => ({ kind: 'cancelled' }));
      await waitForStatus(business, task.task_id, 'completed');
    }
  });

  it.each(['failed', 'invalid', 'cancelled'] as const)(
    'reverts to the earlier state when the run is %s',
    async (kind) => {
      const task = await createFinishedTask(fixture.business, fixture.worker);
      await ask(fixture.business, task, { ai_pipeline: LOOK }).expect(202);
      await fixture.worker.end(task.task_id, () => {
        if (kind === 'failed') return { kind, errorCode: 'tasks.failed' };
        return kind === 'invalid' ? { kind, errorCode: 'uploads.undecodable' } : { kind };
      });
      const after = await waitForStatus(fixture.business, task.task_id, 'completed');
      expect(after.result.outputs).toHaveLength(1);
      expect(after.ai_pipeline).toEqual({ face_enhance: { model: 'base' }, background_enhance: { model: 'base' } });
      expect((await fetch(after.input_url)).status).toBe(200);
      await ask(fixture.business, task).expect(202);
    },
  );

  it('reverts to the earlier state when its owner cancels it', async () => {
    const task = await createFinishedTask(fixture.business, fixture.worker);
    await ask(fixture.business, task).expect(202);
    const { body } = await fixture.business.post(`/tasks/${task.task_id}/cancel`).expect(200);
    expect(body).toMatchObject({ status: 'completed' });
    expect((await fetch(body.output_url)).status).toBe(200);
    expect((await fetch(body.input_url)).status).toBe(200);
  });

  it('earlier results can be downloaded in every format, previews can’t', async () => {
    const task = await createFinishedTask(fixture.business, fixture.worker);
    await ask(fixture.business, task, { ai_pipeline: LOOK }).expect(202);
    await fixture.worker.end(task.task_id, (run) => fixture.worker.finish(run));
    await waitForStatus(fixture.business, task.task_id, 'completed');
    await previewed(fixture.business, task);
    const [preview, newest, first] = (await fixture.business.task(task.task_id)).result.outputs;
    const download = (output_id: string) =>
      fixture.business.put(`/tasks/${task.task_id}/export`, { output_id, output_content_type: 'image/tiff' });
    const { body } = await download(first.id).expect(200);
    const [firstAfter, , newestAfter] = body.result.outputs;
    expect([firstAfter.id, firstAfter.has_watermark]).toEqual([first.id, false]);
    expect(firstAfter.content_type).toBe('image/tiff');
    expect(pathOf(newestAfter.url)).toBe(pathOf(newest.url));
    expect((await download(preview.id).expect(409)).body.error_code).toBe('outputs.preview_only');
    expect((await download(randomUUID()).expect(404)).body.error_code).toBe('tasks.not_found');
  });

  it('keeps the earlier result downloadable', async () => {
    const task = await createFinishedTask(fixture.business, fixture.worker);
    await ask(fixture.business, task, { ai_pipeline: LOOK }).expect(202);
    const { body } = await fixture.business
      .put(`/tasks/${task.task_id}/export`, { output_content_type: 'image/tiff' })
      .expect(200);
    expect(body).toMatchObject({ status: 'reprocessing', result: { outputs: [{ content_type: 'image/tiff' }] } });
    await fixture.worker.end(task.task_id, (run) => fixture.worker.finish(run));
    const { result } = await waitForStatus(fixture.business, task.task_id, 'exported');
    expect(result.outputs).toHaveLength(2);
  });

  it('retries a failed picture', async () => {
    const task = await fixture.business.process();
    await fixture.worker.end(task.task_id, () => ({ kind: 'failed', errorCode: 'tasks.failed' }));
    await waitForStatus(fixture.business, task.task_id, 'failed');
    await ask(fixture.business, task).expect(202);
    await fixture.worker.end(task.task_id, (run) => fixture.worker.finish(run));
    expect(await waitForStatus(fixture.business, task.task_id, 'completed')).toMatchObject({ error_code: null });
  });

  it('of several pictures runs for each: one failing leaves the others, and every earlier result', async () => {
    const list = new Array(3).fill({ image_content_type: 'image/jpeg' });
    const { body } = await fixture.business.post('/tasks/bulk-upload', { input_task_list: list }).expect(201);
    const { bulk_upload_id } = body;
    const ids: string[] = body.task_list.map(({ task_id }: WireTarget) => task_id);
    for (const target of body.task_list) await put(target, picture.jpeg());
    await fixture.business.post(`/tasks/bulk-upload/${bulk_upload_id}/process`).expect(202);
    for (const id of ids) {
      await fixture.worker.end(id, (run) => fixture.worker.finish(run));
      await waitForStatus(fixture.business, id, 'completed');
    }
    const [failing = '', changed = '', kept = ''] = ids;
    const input_reprocess_list = [failing, changed].map((client_task_id) => ({ client_task_id, ai_pipeline: LOOK }));
    const { body: started } = await fixture.business
      .post(`/tasks/bulk-upload/${bulk_upload_id}/reprocess`, { input_reprocess_list })
      .expect(202);
    expect(started.status).toBe('reprocessing');
    expect(started.task_list.map(({ status }: { status: string }) => status)).toEqual([
      'reprocessing',
      'reprocessing',
      'completed',
    ]);
    await fixture.worker.end(failing, () => ({ kind: 'failed', errorCode: 'tasks.failed' }));
    await fixture.worker.end(changed, (run) => fixture.worker.finish(run));
    const outputsOf = async (id: string) => (await waitForStatus(fixture.business, id, 'completed')).result.outputs;
    expect(await outputsOf(failing)).toHaveLength(1);
    expect(await outputsOf(changed)).toMatchObject([{ ai_pipeline: LOOK }, {}]);
    expect(await outputsOf(kept)).toHaveLength(1);
    const { body: ended } = await fixture.business.get(`/tasks/bulk-upload/${bulk_upload_id}`).expect(200);
    expect(ended.status).toBe('completed');
  });

  it('stays free and clean once it is paid for', async () => {
    const task = await createFinishedTask(fixture.guest, fixture.worker);
    await fixture.api.sql("UPDATE tasks SET exported_at = now(), status = 'exported' WHERE id = $1", [task.task_id]);
    const { body } = await ask(fixture.guest, task).expect(202);
    expect(body.task_list[0]).toMatchObject({ status: 'reprocessing', is_exported: true });
    await fixture.worker.end(task.task_id, (run) => fixture.worker.finish(run));
    expect(await waitForStatus(fixture.guest, task.task_id, 'exported')).toMatchObject({ has_watermark: false });
    await fixture.guest.put(`/tasks/${task.task_id}/export`).expect(200);
  });

  it.each(['tools of a better plan', 'two named at once', 'unknown tools'])('rejects %s', async (what) => {
    const task = await createFinishedTask(fixture.guest, fixture.worker);
    const wrong = { 'tools of a better plan': LOOK, 'unknown tools': { smile: {} }, 'two named at once': FACES }[what];
    const list = [{ client_task_id: task.task_id, ai_pipeline: wrong, output_content_type: 'image/jpeg' }];
    const path = `/tasks/bulk-upload/${task.bulk_upload_id}/reprocess`;
    const input_reprocess_list = what === 'two named at once' ? [...list, ...list] : list;
    await fixture.guest.post(path, { input_reprocess_list }).expect(what === 'tools of a better plan' ? 403 : 422);
    expect(await fixture.guest.task(task.task_id)).toMatchObject({ status: 'completed' });
  });

  it('rejects running tasks, other users and unknown tasks', async () => {
    const task = await createFinishedTask(fixture.business, fixture.worker);
    await ask(fixture.business, task).expect(202);
    const { body } = await ask(fixture.business, task).expect(409);
    expect(body.error_code).toBe('tasks.wrong_state');
    await ask(fixture.guest, task).expect(404);
    await ask(fixture.business, { ...task, task_id: randomUUID() }).expect(404);
    await ask(fixture.business, task, { output_content_type: 'image/bmp' }).expect(409);
    await fixture.api.http.post(`/api/v1/web/tasks/bulk-upload/${task.bulk_upload_id}/reprocess`).send({}).expect(401);
  });

  it('starts once for two concurrent requests', async () => {
    const task = await createFinishedTask(fixture.business, fixture.worker);
    const responses = await Promise.all([ask(fixture.business, task), ask(fixture.business, task)]);
    expect(responses.map(({ status }) => status).sort()).toEqual([202, 409]);
  });
});
