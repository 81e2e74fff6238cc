import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { picture } from '../../test/support/pictures.js';
import { until } from '../../test/support/until.js';
import type { Visitor } from '../../test/support/visitor.js';
import { createFinishedTask } from '../../test/support/workers/results.js';
import { useResultsFixture } from '../../test/support/workers/results-fixture.js';

const fixture = useResultsFixture();

const convert = (visitor: Visitor, taskId: string, body: object) => visitor.post(`/tasks/${taskId}/convert`, body);
const inputsOf = (bulkUploadId: string) => `/tasks/bulk-upload/${bulkUploadId}/convert-input`;
const convertedInput = (visitor: Visitor, taskId: string) =>
  until(async () => (await visitor.task(taskId)).input.converted_images[0], 'the original as JPEG');

describe('converting a result', () => {
  it('responds with 202 until the file exists, then 200', async () => {
    const { task_id } = await createFinishedTask(fixture.guest, fixture.worker);
    const request = { output_content_type: 'image/jpeg', jpeg_quality: 100 };
    const { body: before } = await convert(fixture.guest, task_id, request).expect(202);
    expect(before.result.outputs[0].converted_images).toEqual([]);
    const { body } = await until(async () => {
      const response = await convert(fixture.guest, task_id, request);
      return response.status === 200 ? response : null;
    }, 'the conversion');
    const [converted] = body.result.outputs[0].converted_images;
    expect(converted).toMatchObject({ image_content_type: 'image/jpeg' });
    expect((await fetch(converted.output_uri)).status).toBe(200);
    expect(body).toMatchObject({ status: 'completed', has_watermark: true });
  });

  it('converts only to formats of the user’s plan', async () => {
    const { task_id } = await createFinishedTask(fixture.guest, fixture.worker);
    await convert(fixture.guest, task_id, { output_content_type: 'image/jpeg', jpeg_quality: 100 }).expect(202);
    const own = await createFinishedTask(fixture.business, fixture.worker);
    await convert(fixture.business, own.task_id, { output_content_type: 'image/jpeg' }).expect(202);
    await until(() => fixture.renders.orders.length === 2, 'both orders');
    expect(fixture.renders.orders.map(({ rendition }) => rendition.watermark).sort()).toEqual([false, true]);
  });

  it('does nothing when the result has the requested format', async () => {
    const { task_id } = await createFinishedTask(fixture.guest, fixture.worker);
    const { body } = await convert(fixture.guest, task_id, {
      output_content_type: 'image/jpeg',
      jpeg_quality: 90,
    }).expect(200);
    expect(body.result.outputs[0].converted_images).toHaveLength(1);
    expect(fixture.renders.orders).toEqual([]);
  });

  it('makes a JPEG of a TIFF without a request', async () => {
    const { task_id } = await createFinishedTask(fixture.business, fixture.worker, {
      output_content_type: 'image/tiff',
    });
    const [converted] = await until(async () => {
      const { converted_images } = (await fixture.business.task(task_id)).result.outputs[0];
      return converted_images.length > 0 ? converted_images : null;
    }, 'the JPEG of the TIFF');
    expect(converted.image_content_type).toBe('image/jpeg');
  });

  it.each([
    ['an unknown format', { output_content_type: 'image/gif' }, 422, 'outputs.format_not_available'],
    ['no format', {}, 422, 'request.invalid'],
    ['another quality', { output_content_type: 'image/jpeg', jpeg_quality: 80 }, 422, 'request.invalid'],
    ['a format of a better plan', { output_content_type: 'image/tiff' }, 403, 'outputs.format_not_in_plan'],
    ['layers without a plan', { output_content_type: 'image/vnd.adobe.photoshop' }, 403, 'outputs.format_not_in_plan'],
  ])('rejects %s', async (_what, request, status, code) => {
    const { task_id } = await createFinishedTask(fixture.guest, fixture.worker);
    const { body } = await convert(fixture.guest, task_id, request).expect(status);
    expect(body.error_code).toBe(code);
  });

  it('rejects other users, empty requests and tasks without a result', async () => {
    const { task_id } = await createFinishedTask(fixture.business, fixture.worker);
    const request = { output_content_type: 'image/jpeg' };
    await convert(fixture.guest, task_id, request).expect(404);
    await convert(fixture.guest, randomUUID(), request).expect(404);
    await fixture.api.http.post(`/api/v1/web/tasks/${task_id}/convert`).send(request).expect(401);
    const waiting = await fixture.guest.process();
    await convert(fixture.guest, waiting.task_id, request).expect(409);
  });
});

describe('converting originals', () => {
  it('converts originals that browsers can’t show', async () => {
    const { task_id } = await createFinishedTask(
      fixture.guest,
      fixture.worker,
      { image_content_type: 'image/heic' },
      { bytes: picture.heic() },
    );
    expect(await convertedInput(fixture.guest, task_id)).toMatchObject({ image_content_type: 'image/jpeg' });
    expect(fixture.renders.orders).toMatchObject([
      { sourceKey: `inputs/${task_id}`, recipe: null, rendition: { maxSide: 2048 } },
    ]);
  });

  it('is possible while the task is processing', async () => {
    const { task_id, bulk_upload_id } = await fixture.guest.process(
      { image_content_type: 'image/tiff' },
      picture.tiff(),
    );
    const { body } = await fixture.guest.post(inputsOf(bulk_upload_id), {}).expect(202);
    expect(body.bulk_upload_id).toBe(bulk_upload_id);
    await convertedInput(fixture.guest, task_id);
    await fixture.guest.post(inputsOf(bulk_upload_id), { task_ids: [task_id] }).expect(202);
    expect(fixture.renders.orders).toHaveLength(1);
  });

  it('does not convert originals that browsers show', async () => {
    const { bulk_upload_id } = await createFinishedTask(fixture.guest, fixture.worker);
    await fixture.guest.post(inputsOf(bulk_upload_id), {}).expect(202);
    expect(fixture.renders.orders).toEqual([]);
  });

  it('rejects other users, tasks of other uploads and tasks without a file', async () => {
    const { task_id, bulk_upload_id } = await fixture.guest.announce();
    await fixture.business.post(inputsOf(bulk_upload_id), {}).expect(404);
    await fixture.guest.post(inputsOf(bulk_upload_id), { task_ids: [randomUUID()] }).expect(404);
    await fixture.guest.post(inputsOf(bulk_upload_id), { task_ids: ['x'] }).expect(422);
    await fixture.guest.post(inputsOf(bulk_upload_id), { task_ids: [task_id] }).expect(409);
    await fixture.api.http
      .post(`/api/v1/web${inputsOf(bulk_upload_id)}`)
      .send({})
      .expect(401);
  });
});

describe('the change map of a result', () => {
  const changesOf = (visitor: Visitor, taskId: string, body: object = {}) =>
    visitor.post(`/tasks/${taskId}/changes`, body);

  it('is made once from result and original, costs nothing, and is no converted image', async () => {
    const { task_id } = await createFinishedTask(fixture.guest, fixture.worker, { file_name: 'beach.jpg' });
    for (let nth = 0; nth < 2; nth++) {
      const { headers, body } = await changesOf(fixture.guest, task_id).buffer(true).expect(200);
      expect(headers['content-type']).toBe('image/png');
      expect(headers['content-disposition']).toContain('beach-changes.png');
      expect(body.length).toBe(Number(headers['content-length']));
    }
    const orders = fixture.renders.orders.filter(({ rendition }) => rendition.use === 'changes');
    expect(orders).toEqual([
      expect.objectContaining({
        originalKey: `inputs/${task_id}`,
        rendition: expect.objectContaining({ contentType: 'image/png', watermark: false, maxSide: null }),
      }),
    ]);
    const { body: task } = await fixture.guest.get(`/tasks/${task_id}`).expect(200);
    expect([task.status, task.result.outputs[0].converted_images]).toEqual(['completed', []]);
  });

  it('is refused of other tasks, unknown results and unfinished pictures', async () => {
    const { task_id } = await createFinishedTask(fixture.business, fixture.worker);
    await changesOf(fixture.guest, task_id).expect(404);
    await changesOf(fixture.business, task_id, { output_id: randomUUID() }).expect(404);
    const waiting = await fixture.guest.announce();
    await changesOf(fixture.guest, waiting.task_id).expect(409);
  });
});
