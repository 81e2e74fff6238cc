import { describe, expect, it } from 'vitest';
import { Customer } from '../../test/support/billing/customer.js';
import { setFree, waitForOrders } from '../../test/support/rights.js';
import { until } from '../../test/support/until.js';
import type { Visitor } from '../../test/support/visitor.js';
import { createFinishedTask, waitForFiles, waitForStatus } from '../../test/support/workers/results.js';
import { useResultsFixture } from '../../test/support/workers/results-fixture.js';

const fixture = useResultsFixture();

const LARGE = { width: 2000, height: 1500 };
const CLEAN = { watermark: false, maxSide: null };
const MARKED = { watermark: true, maxSide: null };

const setBusiness = (visitor: Visitor, isFree: boolean) => setFree(fixture.api, visitor, isFree);
const archiveOf = (visitor: Visitor, bulkUploadId: string) =>
  visitor
    .get(`/tasks/bulk-upload/${bulkUploadId}/archive`)
    .buffer(true)
    .parse((response, done) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => done(null, Buffer.concat(chunks)));
    });
const bytesOf = async (url: string) => Buffer.from(await (await fetch(url)).arrayBuffer());
const lastOrders = () => [fixture.renders.orders.at(-1)?.rendition, fixture.renders.displays.at(-1)?.rendition];

describe('a plan bought after trying', () => {
  it('gets the clean file of the same picture at once, in task, list, download and archive', async () => {
    const { task_id, bulk_upload_id } = await createFinishedTask(fixture.guest, fixture.worker);
    const before = await fixture.guest.task(task_id);
    expect(before.has_watermark).toBe(true);
    await setBusiness(fixture.guest, true);
    const after = await waitForFiles(fixture.guest, task_id);
    const [output] = after.result.outputs;
    expect(after).toMatchObject({ status: 'completed', has_watermark: false, output_url: output.url });
    expect(output).toMatchObject({ id: before.result.outputs[0].id, content_type: 'image/jpeg', has_watermark: false });
    expect(new URL(output.url).pathname).not.toBe(new URL(before.output_url).pathname);
    expect(new URL(after.display.output_url).pathname).not.toBe(new URL(before.display.output_url).pathname);
    expect(lastOrders()).toMatchObject([CLEAN, { watermark: false, maxSide: 2048 }]);
    const { body: list } = await fixture.guest.get('/tasks').expect(200);
    expect(new URL(list.data[0].output_url).pathname).toBe(new URL(output.url).pathname);
    const { body: archive } = await archiveOf(fixture.guest, bulk_upload_id).expect(200);
    expect(archive.includes(await bytesOf(output.url))).toBe(true);
    expect(archive.includes(await bytesOf(before.output_url))).toBe(false);
    const png = { output_content_type: 'image/png' };
    await fixture.guest.post(`/tasks/${task_id}/convert`, png).expect(202);
    await until(() => fixture.renders.orders.length === 2, 'the conversion');
    expect(lastOrders()[0]).toMatchObject({ ...CLEAN, contentType: 'image/png' });
  });

  it('gets a clean file of at most 1280 pixels on the plan personal', async () => {
    const customer = await Customer.member(fixture.api);
    const { visitor } = customer;
    const { task_id } = await visitor.process();
    await fixture.worker.end(task_id, (run) => fixture.worker.finish(run, undefined, LARGE));
    await waitForStatus(visitor, task_id, 'completed');
    await customer.subscribe('personal_weekly_usd');
    const task = await waitForFiles(visitor, task_id);
    expect(task).toMatchObject({ has_watermark: false, display: { width: 1280 } });
    expect(task.result.outputs[0]).toMatchObject({ width: 1280, has_watermark: false });
    expect(lastOrders()).toMatchObject([
      { watermark: false, maxSide: 1280 },
      { watermark: false, maxSide: 1280 },
    ]);
  });

  it('renders nothing for pictures that fit its limit', async () => {
    const { task_id } = await createFinishedTask(fixture.business, fixture.worker, {
      output_content_type: 'image/jpeg',
    });
    const customer = new Customer(fixture.api, fixture.business);
    await customer.subscribe('personal_weekly_usd');
    await setBusiness(fixture.business, false);
    await waitForOrders(fixture.api);
    expect(await fixture.business.task(task_id)).toMatchObject({ has_watermark: false, display: { width: 640 } });
    expect(fixture.renders.orders).toEqual([]);
  });
});

describe('a plan that ended', () => {
  it('leaves what the current plan allows, in a format of that plan', async () => {
    const { task_id, bulk_upload_id } = await createFinishedTask(fixture.business, fixture.worker);
    const before = await fixture.business.task(task_id);
    expect(before.result.outputs[0].content_type).toBe('image/png');
    await setBusiness(fixture.business, false);
    const after = await waitForFiles(fixture.business, task_id);
    expect(after).toMatchObject({ has_watermark: true });
    expect(after.result.outputs[0]).toMatchObject({ content_type: 'image/jpeg', has_watermark: true });
    expect(lastOrders()).toMatchObject([
      { ...MARKED, contentType: 'image/jpeg' },
      { watermark: true, maxSide: 2048 },
    ]);
    const shown = JSON.stringify(after);
    for (const url of [before.output_url, before.display.output_url, before.display.thumbnail_url]) {
      expect(shown).not.toContain(new URL(url).pathname);
    }
    const { body: archive } = await archiveOf(fixture.business, bulk_upload_id).expect(200);
    expect(archive.includes(await bytesOf(after.output_url))).toBe(true);
    expect(archive.includes(await bytesOf(before.output_url))).toBe(false);
    await fixture.business.post(`/tasks/${task_id}/convert`, { output_content_type: 'image/png' }).expect(403);
    await setBusiness(fixture.business, true);
    await waitForOrders(fixture.api);
    const again = await fixture.business.task(task_id);
    expect(new URL(again.output_url).pathname).toBe(new URL(before.output_url).pathname);
    expect(fixture.renders.orders).toHaveLength(1);
  });

  it('leaves downloaded pictures clean, in page, list and later results', async () => {
    const task = await createFinishedTask(fixture.business, fixture.worker);
    await fixture.business.put(`/tasks/${task.task_id}/export`).expect(200);
    await setBusiness(fixture.business, false);
    await waitForOrders(fixture.api);
    expect(await fixture.business.task(task.task_id)).toMatchObject({ status: 'exported', has_watermark: false });
    const order = { client_task_id: task.task_id, ai_pipeline: {}, output_content_type: 'image/jpeg' };
    await fixture.business
      .post(`/tasks/bulk-upload/${task.bulk_upload_id}/reprocess`, { input_reprocess_list: [order] })
      .expect(202);
    await fixture.worker.end(task.task_id, (run) => {
      expect(run.display).toMatchObject({ watermark: false, maxSide: 2048 });
      return fixture.worker.finish(run);
    });
    const { result } = await waitForStatus(fixture.business, task.task_id, 'exported');
    expect(result.outputs.map((output: { has_watermark: boolean }) => output.has_watermark)).toEqual([false, false]);
    expect(fixture.renders.orders).toEqual([]);
  });
});

describe('until a file for the current plan is encoded', () => {
  it('a better plan shows the earlier file, a smaller one none', async () => {
    const bought = await createFinishedTask(fixture.guest, fixture.worker);
    const lost = await createFinishedTask(fixture.business, fixture.worker);
    const before = await fixture.guest.task(bought.task_id);
    const complete = fixture.renders.hold();
    await setBusiness(fixture.guest, true);
    await setBusiness(fixture.business, false);
    const [better, smaller] = await Promise.all([
      fixture.guest.task(bought.task_id),
      fixture.business.task(lost.task_id),
    ]);
    expect(better).toMatchObject({ has_watermark: true });
    expect(new URL(better.output_url).pathname).toBe(new URL(before.output_url).pathname);
    expect(smaller).toMatchObject({ has_watermark: true, output_url: null });
    expect(smaller.result.outputs[0]).toMatchObject({ url: null, display: null, content_type: 'image/jpeg' });
    complete();
    await until(async () => !(await fixture.guest.task(bought.task_id)).has_watermark, 'the clean file');
    await until(async () => (await fixture.business.task(lost.task_id)).output_url, 'the watermarked file');
    expect(fixture.renders.orders).toHaveLength(2);
  });

  it('its watermark order contains the faces, in fractions of the picture', async () => {
    const { task_id } = await createFinishedTask(fixture.business, fixture.worker);
    await setBusiness(fixture.business, false);
    await until(async () => (await fixture.business.task(task_id)).display.output_url, 'the watermarked file');
    // The original's display file is rendered at the same time.
    await until(() => fixture.renders.displays.length >= 2, 'both display files');
    const marked = fixture.renders.displays.filter(({ rendition }) => rendition.watermark);
    // The fixture's face, in a result of 640 x 480 pixels.
    const face = { x: 1 / 640, y: 2 / 480, width: 3 / 640, height: 4 / 480 };
    expect(marked.map(({ faces }) => faces)).toEqual([[face]]);
    const clean = fixture.renders.displays.filter(({ rendition }) => !rendition.watermark);
    expect(clean.map(({ faces }) => faces)).toEqual([undefined]);
  });

  it('the archive is refused instead of holding another file', async () => {
    const { bulk_upload_id } = await createFinishedTask(fixture.guest, fixture.worker);
    await setBusiness(fixture.guest, true);
    fixture.renders.setFailing(true);
    const { headers } = await archiveOf(fixture.guest, bulk_upload_id).expect(503);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  });
});
