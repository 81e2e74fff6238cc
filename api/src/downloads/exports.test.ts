import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { until } from '../../test/support/until.js';
import { identityToken, newEmail, Visitor } from '../../test/support/visitor.js';
import { createFinishedTask, waitForStatus } from '../../test/support/workers/results.js';
import { useResultsFixture } from '../../test/support/workers/results-fixture.js';

const fixture = useResultsFixture();

const path = (taskId: string) => `/tasks/${taskId}/export`;

describe('downloading a result', () => {
  it('returns an existing file to a business without rendering again', async () => {
    const { task_id } = await createFinishedTask(fixture.business, fixture.worker);
    const { body } = await fixture.business.put(path(task_id)).expect(200);
    expect(body).toMatchObject({ status: 'exported', has_watermark: false, output_url: body.result.outputs[0].url });
    expect(body.result.outputs[0].content_type).toBe('image/png');
    expect(fixture.renders.orders).toEqual([]);
  });

  it('renders other formats from the master, each once', async () => {
    const { task_id } = await createFinishedTask(fixture.business, fixture.worker);
    for (const format of ['image/jpeg', 'image/tiff', 'image/jpeg']) {
      const { body } = await fixture.business.put(path(task_id), { output_content_type: format }).expect(200);
      expect(body.result.outputs[0].content_type).toBe(format);
      expect((await fetch(body.output_url)).status).toBe(200);
    }
    const made = () => fixture.renders.orders.map(({ rendition }) => rendition.contentType);
    expect(made().filter((type) => type === 'image/tiff')).toHaveLength(1);
    expect(made().filter((type) => type === 'image/jpeg')).toHaveLength(1);
    expect(fixture.renders.orders[0]).toMatchObject({ rendition: { watermark: false, maxSide: null } });
    expect(fixture.renders.orders[0]?.sourceKey).toContain('master');
  });

  it.each([
    ['image/vnd.adobe.photoshop', '.psd'],
    ['image/tiff;application=photoshop', '.tif'],
  ])(
    'renders the layers of %s from the master and the original, and one picture for pages',
    async (contentType, extension) => {
      const { task_id } = await createFinishedTask(fixture.business, fixture.worker);
      const { body } = await fixture.business.put(path(task_id), { output_content_type: contentType }).expect(200);
      expect(body.result.outputs[0]).toMatchObject({ content_type: contentType, has_watermark: false });
      const { headers } = await fetch(body.output_url);
      expect(headers.get('content-disposition')).toContain(extension);
      expect(headers.get('content-type')).toBe(contentType);
      await until(() => fixture.renders.orders.length > 1, 'the JPEG');
      const [layers, flat] = fixture.renders.orders;
      expect(layers?.sourceKey).toContain('master');
      expect(layers).toMatchObject({
        originalKey: `inputs/${task_id}`,
        rendition: { contentType, watermark: false, maxSide: null },
      });
      expect(flat?.rendition.contentType).toBe('image/jpeg');
      expect(flat).not.toHaveProperty('originalKey');
    },
  );

  it('renders each quality', async () => {
    const { task_id } = await createFinishedTask(fixture.business, fixture.worker);
    for (const jpeg_quality of [90, 100]) {
      await fixture.business.put(path(task_id), { output_content_type: 'image/jpeg', jpeg_quality }).expect(200);
    }
    expect(fixture.renders.orders.map(({ rendition }) => rendition.jpegQuality)).toEqual([90, 100]);
  });

  it('renders one file for two hundred concurrent requests', async () => {
    const { task_id } = await createFinishedTask(fixture.business, fixture.worker);
    const complete = fixture.renders.hold();
    const pendingRequest = Array.from({ length: 200 }, () =>
      fixture.business.put(path(task_id), { output_content_type: 'image/jpeg' }).then(({ status }) => status),
    );
    await until(() => fixture.renders.orders.length > 0, 'the order');
    complete();
    expect(new Set(await Promise.all(pendingRequest))).toEqual(new Set([200]));
    expect(fixture.renders.orders).toHaveLength(1);
  });

  it('responds with 503 and Retry-After when rendering fails, and renders at the next request', async () => {
    const { task_id } = await createFinishedTask(fixture.business, fixture.worker);
    fixture.renders.setFailing(true);
    const { body, headers } = await fixture.business
      .put(path(task_id), { output_content_type: 'image/tiff' })
      .expect(503);
    expect(body.error_code).toBe('service.unavailable');
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    expect(await fixture.business.task(task_id)).toMatchObject({ status: 'completed' });
    fixture.renders.setFailing(false);
    await fixture.business.put(path(task_id), { output_content_type: 'image/tiff' }).expect(200);
  });

  it('finds the file when the queue has lost the job', async () => {
    const { task_id } = await createFinishedTask(fixture.business, fixture.worker);
    const complete = fixture.renders.hold();
    const pendingRequest = fixture.business
      .put(path(task_id), { output_content_type: 'image/tiff' })
      .then(({ status }) => status);
    const [order] = await until(() => (fixture.renders.orders.length > 0 ? fixture.renders.orders : null), 'the order');
    if (order) await fixture.renders.report(order, await fixture.renders.make(order));
    complete();
    expect(await pendingRequest).toBe(200);
  });

  it('stays paid when its guest logs in concurrently', async () => {
    const { task_id } = await createFinishedTask(fixture.guest, fixture.worker);
    await fixture.api.sql('UPDATE tasks SET exported_at = now() WHERE id = $1', [task_id]);
    const complete = fixture.renders.hold();
    const pendingRequest = fixture.guest.put(path(task_id)).then(({ status }) => status);
    await until(() => fixture.renders.orders.length > 0, 'the order');
    const email = newEmail();
    const member = await Visitor.login(fixture.api.http, { email }, fixture.guest);
    complete();
    await pendingRequest;
    const task = await waitForStatus(member, task_id, 'exported');
    expect(task.has_watermark).toBe(false);
    expect(await identityToken(fixture.api.http, { email })).toBeTruthy();
  });
});

it('an untouched result is clean and in full size for everyone, and so are its downloads', async () => {
  const { task_id } = await createFinishedTask(fixture.guest, fixture.worker, {}, { recipe: { isUntouched: true } });
  const task = await fixture.guest.task(task_id);
  expect(task).toMatchObject({ has_watermark: false, result: { outputs: [{ is_untouched: true, width: 640 }] } });
  const { body } = await fixture.guest.put(path(task_id)).expect(200);
  expect(body).toMatchObject({ status: 'completed', is_exported: false, output_url: expect.any(String) });
  const better = { output_content_type: 'image/jpeg', jpeg_quality: 100 };
  const { body: second } = await fixture.guest.put(path(task_id), better).expect(200);
  expect(second).toMatchObject({ is_exported: false, has_watermark: false });
  expect(second.output_url).not.toBe(body.output_url);
  expect(fixture.renders.orders.map(({ rendition }) => rendition.jpegQuality)).toEqual([100]);
});

describe('a rejected download', () => {
  it('when no downloads are left', async () => {
    const { task_id } = await createFinishedTask(fixture.guest, fixture.worker);
    const { body } = await fixture.guest.put(path(task_id)).expect(402);
    expect(body.error_code).toBe('exports.insufficient');
    expect(await fixture.guest.task(task_id)).toMatchObject({ status: 'completed', has_watermark: true });
    expect(fixture.renders.orders).toEqual([]);
  });

  it('without a token', () =>
    fixture.api.http
      .put(`/api/v1/web${path(randomUUID())}`)
      .send({})
      .expect(401));

  it.each([randomUUID(), 'nonsense'])('for an unknown task (%s)', async (id) => {
    const { body } = await fixture.business.put(path(id)).expect(404);
    expect(body.error_code).toBe('tasks.not_found');
  });

  it('for another user’s task', async () => {
    const { task_id } = await createFinishedTask(await fixture.api.business(), fixture.worker);
    await fixture.business.put(path(task_id)).expect(404);
  });

  it('before there is a result', async () => {
    const { task_id } = await fixture.business.process();
    const { body } = await fixture.business.put(path(task_id)).expect(409);
    expect(body).toMatchObject({ error_code: 'tasks.wrong_state', details: { status: 'processing' } });
  });

  it('for an unknown format', async () => {
    const { task_id } = await createFinishedTask(fixture.business, fixture.worker);
    const { body } = await fixture.business.put(path(task_id), { output_content_type: 'image/bmp' }).expect(422);
    expect(body).toMatchObject({
      error_code: 'outputs.format_not_available',
      error_description: 'Output format not available: image/bmp',
    });
    await fixture.business.put(path(task_id), { output_content_type: 'image/jpeg', jpeg_quality: 80 }).expect(422);
  });

  it('for a format of a higher plan', async () => {
    const { task_id } = await createFinishedTask(fixture.guest, fixture.worker);
    const { body } = await fixture.guest.put(path(task_id), { output_content_type: 'image/png' }).expect(403);
    expect(body.error_code).toBe('outputs.format_not_in_plan');
  });

  it('with a body that is not JSON', async () => {
    const { task_id } = await createFinishedTask(fixture.business, fixture.worker);
    await fixture.api.http
      .put(`/api/v1/web${path(task_id)}`)
      .auth(fixture.business.token, { type: 'bearer' })
      .set('content-type', 'application/json')
      .send('{')
      .expect(400);
  });
});
