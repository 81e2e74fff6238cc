import { describe, expect, it } from 'vitest';
import { Customer } from '../../test/support/billing/customer.js';
import { picture } from '../../test/support/pictures.js';
import { until } from '../../test/support/until.js';
import type { Visitor } from '../../test/support/visitor.js';
import { createFinishedTask, waitForStatus } from '../../test/support/workers/results.js';
import { useResultsFixture } from '../../test/support/workers/results-fixture.js';

const fixture = useResultsFixture();

const NOTHING = {
  input_url: null,
  input_medium_url: null,
  output_url: null,
  thumbnail_url: null,
  input_thumbnail_url: null,
  width: null,
  height: null,
};
interface Presented {
  readonly result: { readonly outputs: readonly { readonly display: object | null }[] };
}

const pathOf = (url: string) => new URL(url).pathname;
const statusOf = async (url: string) => (await fetch(url)).status;
const filesOf = async (taskId: string) => (await fixture.api.files()).filter((key) => key.includes(taskId));
const withInput = (visitor: Visitor, taskId: string) =>
  until(async () => {
    const task = await visitor.task(taskId);
    return task.display.input_url !== null && task;
  }, 'the display file of the original');
async function forgetDisplay(taskId: string): Promise<void> {
  await fixture.api.sql(`DELETE FROM renditions WHERE task_id = $1 AND rendition ->> 'use' = 'display'`, [taskId]);
  await fixture.api.sql(
    `UPDATE tasks SET outputs = (SELECT jsonb_agg(jsonb_set(o, '{image}', (o -> 'image') - 'display'))
       FROM jsonb_array_elements(outputs) o) WHERE id = $1`,
    [taskId],
  );
}

describe('display files of an original', () => {
  it.each([
    ['image/heic', picture.heic()],
    ['image/vnd.adobe.photoshop', picture.psd()],
    ['image/tiff', picture.tiff()],
    ['image/jpeg', picture.jpeg()],
  ])('are made from %s while it waits for processing', async (image_content_type, bytes) => {
    const { task_id } = await fixture.guest.process({ image_content_type }, bytes);
    const { display, status } = await withInput(fixture.guest, task_id);
    expect(status).toBe('processing');
    expect(display).toMatchObject({ output_url: null, width: 2048, height: 2048 });
    const urls: string[] = [display.input_url, display.input_medium_url, display.thumbnail_url];
    for (const url of urls) expect(await statusOf(url)).toBe(200);
    expect(new Set(urls.map(pathOf)).size).toBe(urls.length);
    expect(fixture.renders.displays).toMatchObject([
      { sourceKey: `inputs/${task_id}`, recipe: null, rendition: { use: 'display', watermark: false, maxSide: 2048 } },
    ]);
  });

  it('are null before processing, and when they cannot be made, which does not affect the result', async () => {
    fixture.renders.setFailing(true);
    const { task_id } = await fixture.guest.upload();
    expect((await fixture.guest.task(task_id)).display).toEqual(NOTHING);
    const task = await createFinishedTask(fixture.guest, fixture.worker);
    await until(() => fixture.renders.displays.length === 1, 'the order');
    const { display } = await fixture.guest.task(task.task_id);
    expect(display).toMatchObject({ input_url: null, width: 640, height: 480 });
    expect(await statusOf(display.thumbnail_url)).toBe(200);
    await fixture.guest.task(task.task_id);
    expect(fixture.renders.displays).toHaveLength(1);
  });

  it('are deleted with the media of a cancelled, invalid or deleted task', async () => {
    const deleted = await createFinishedTask(fixture.guest, fixture.worker);
    const invalid = await fixture.guest.process();
    const cancelled = await fixture.guest.process();
    for (const { task_id } of [cancelled, invalid, deleted]) await withInput(fixture.guest, task_id);
    await fixture.guest.post(`/tasks/${cancelled.task_id}/cancel`).expect(200);
    await fixture.worker.end(invalid.task_id, () => ({ kind: 'invalid', errorCode: 'uploads.undecodable' }));
    expect((await waitForStatus(fixture.guest, invalid.task_id, 'invalid')).display).toEqual(NOTHING);
    await fixture.guest.delete('/tasks/delete', { task_ids: [deleted.task_id] }).expect(204);
    for (const { task_id } of [cancelled, invalid, deleted]) {
      await until(async () => (await filesOf(task_id)).length === 0, 'the files to be deleted');
    }
  });

  it('are discarded when they are finished after the task was cancelled', async () => {
    const complete = fixture.renders.hold();
    const { task_id } = await fixture.guest.process();
    const order = await until(() => fixture.renders.displays[0], 'the order');
    await fixture.guest.post(`/tasks/${task_id}/cancel`).expect(200);
    complete();
    await fixture.renders.report(order, await fixture.renders.make(order));
    await fixture.worker.waitForReports();
    await until(async () => (await filesOf(task_id)).length === 0, 'the files to be deleted');
    expect((await fixture.guest.task(task_id)).display).toEqual(NOTHING);
  });
});

describe('display files of a result', () => {
  it('are made by its run, with the watermark of its file', async () => {
    for (const [visitor, hasWatermark] of [
      [fixture.guest, true],
      [fixture.business, false],
    ] as const) {
      const { task_id } = await visitor.process();
      const { run } = await fixture.worker.waitForJob(task_id);
      expect(run.display).toMatchObject({ use: 'display', watermark: hasWatermark, maxSide: 2048 });
      await fixture.worker.end(task_id, () => fixture.worker.finish(run));
      const { display, result } = await waitForStatus(visitor, task_id, 'completed');
      const [output] = result.outputs;
      expect(output).toMatchObject({ id: run.runId, has_watermark: hasWatermark });
      expect(output.display).toEqual({
        url: display.output_url,
        medium_url: null,
        thumbnail_url: display.thumbnail_url,
        width: 640,
        height: 480,
      });
      expect(pathOf(display.output_url)).toContain(`${run.runId}/display`);
      expect([await statusOf(display.output_url), await statusOf(display.thumbnail_url)]).toEqual([200, 200]);
    }
    expect(fixture.renders.displays.every(({ recipe }) => recipe === null)).toBe(true);
  });

  it('have at most 1280 pixels on the plan personal and in previews', async () => {
    const { visitor } = await subscriber();
    const task = await visitor.process();
    const { run } = await fixture.worker.waitForJob(task.task_id);
    expect(run.rendition).toMatchObject({ watermark: false, maxSide: 1280 });
    expect(run.display).toMatchObject({ watermark: false, maxSide: 1280 });
    await fixture.worker.end(task.task_id, () => fixture.worker.finish(run));
    const before = await waitForStatus(visitor, task.task_id, 'completed');
    const order = { client_task_id: task.task_id, ai_pipeline: { color_enhance: { model: 'teal' } }, preview: true };
    const path = `/tasks/bulk-upload/${task.bulk_upload_id}/reprocess`;
    await visitor.post(path, { input_reprocess_list: [order] }).expect(202);
    const preview = (await fixture.worker.waitForJob(task.task_id)).run;
    expect(preview.display).toMatchObject({ watermark: true, maxSide: 1280 });
    await fixture.worker.end(task.task_id, () => fixture.worker.finish(preview));
    const { display, result } = await waitForStatus(visitor, task.task_id, 'completed');
    // Its result represents the task, not a preview.
    expect(pathOf(display.output_url)).toBe(pathOf(before.display.output_url));
    expect(pathOf(result.outputs[0].display.url)).toContain(preview.runId);
  });

  it('are made at the next change of rights for tasks of older versions, once', async () => {
    const tasks = [
      await createFinishedTask(fixture.guest, fixture.worker),
      await createFinishedTask(fixture.guest, fixture.worker),
    ];
    await until(() => fixture.renders.displays.length === 2, 'the originals');
    for (const { task_id } of tasks) await forgetDisplay(task_id);
    await fixture.api.sql('UPDATE users SET downloads_due_at = now() WHERE id = $1', [
      (await fixture.guest.me()).web_user_id,
    ]);
    const { data } = await until(async () => {
      const { body } = await fixture.guest.get('/tasks').expect(200);
      return body.data.every(({ result }: Presented) => result.outputs[0]?.display) && body;
    }, 'the display files');
    for (const { display, result } of data) {
      expect([await statusOf(display.input_url), await statusOf(display.thumbnail_url)]).toEqual([200, 200]);
      expect(result.outputs[0].display).toMatchObject({ url: display.output_url, width: 2048 });
    }
    expect(fixture.renders.displays).toHaveLength(6);
    expect(fixture.renders.displays.slice(2).filter(({ rendition }) => rendition.watermark)).toHaveLength(2);
    await fixture.guest.get('/tasks').expect(200);
    expect(fixture.renders.displays).toHaveLength(6);
    expect(fixture.renders.orders).toEqual([]);
  });
});

async function subscriber(): Promise<Customer> {
  const customer = await Customer.member(fixture.api);
  await customer.subscribe('personal_weekly_usd');
  return customer;
}
