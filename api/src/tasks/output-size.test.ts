import { BASE_PATH } from '@clearframe/contract';
import { describe, expect, it } from 'vitest';
import { Customer } from '../../test/support/billing/customer.js';
import { KeyClient } from '../../test/support/key-client.js';
import { picture } from '../../test/support/pictures.js';
import { ask } from '../../test/support/reprocess-requests.js';
import { until } from '../../test/support/until.js';
import { put, type Visitor, type WireTarget } from '../../test/support/visitor.js';
import { createFinishedTask, waitForStatus } from '../../test/support/workers/results.js';
import { useResultsFixture } from '../../test/support/workers/results-fixture.js';

const fixture = useResultsFixture();
const FACES = { face_enhance: { model: 'base' } };
const ORIGINAL = { ...FACES, output_size: 'original' };
const REFUSED = { error_code: 'pipeline.not_in_plan', details: { tool: 'output_size' } };

const create = (visitor: Visitor, aiPipeline: object) =>
  visitor.post('/tasks/bulk-upload', { image_content_type: 'image/jpeg', ai_pipeline: aiPipeline });
const save = (visitor: Visitor, aiPipeline: object) =>
  visitor.put('/users/@me/preferences/override', { preferences: { default_ai_pipeline: aiPipeline } });

async function personal(): Promise<Visitor> {
  const customer = await Customer.member(fixture.api);
  await customer.subscribe('personal_weekly_usd');
  return customer.visitor;
}

/** Sets the flag `removeCap`, and waits until requests see it. */
async function setUncapped(isOn: boolean): Promise<void> {
  const { api } = fixture;
  await api.sql(`DELETE FROM flag_overrides`);
  if (isOn) await api.sql(`INSERT INTO flag_overrides VALUES ('removeCap', 'true', now())`);
  const device = { local_storage_id: 'device-1', device_type: 'desktop', language: 'en' };
  await until(async () => {
    const { body } = await api.http.post('/api/v1/web/settings').send(device).expect(200);
    return body.remove_cap === isOn ? body : null;
  }, 'the flag');
}

const ordered = async (taskId: string) => (await fixture.worker.waitForJob(taskId)).run.aiPipeline;

describe('the size of the original', () => {
  it('is refused without the plan, and starts nothing', async () => {
    const { guest, api } = fixture;
    for (const visitor of [guest, await api.member(), await personal()]) {
      expect((await create(visitor, ORIGINAL).expect(403)).body).toMatchObject(REFUSED);
      expect((await save(visitor, ORIGINAL).expect(403)).body).toMatchObject(REFUSED);
    }
    const task = await createFinishedTask(guest, fixture.worker);
    expect((await ask(guest, task, { ai_pipeline: ORIGINAL }).expect(403)).body).toMatchObject(REFUSED);
    expect((await guest.task(task.task_id)).status).toBe('completed');
  });

  it('is part of Business', async () => {
    const { business, worker } = fixture;
    await save(business, ORIGINAL).expect(200);
    const task = await business.process();
    expect(await ordered(task.task_id)).toEqual({ faceEnhance: { model: 'base' }, outputSize: 'original' });
    await worker.end(task.task_id, (run) => worker.finish(run));
    await waitForStatus(business, task.task_id, 'completed');
    expect((await create(business, { ...FACES, output_size: 'huge' }).expect(422)).body.error_code).toBe(
      'request.invalid',
    );
  });

  it('is ordered for each picture of a batch, whose archive and share have it', async () => {
    const { business, worker } = fixture;
    const { body: batch } = await business
      .post('/tasks/bulk-upload', {
        input_task_list: [1, 2].map(() => ({ image_content_type: 'image/jpeg', ai_pipeline: ORIGINAL })),
      })
      .expect(201);
    const file = picture.png(90_000);
    for (const target of batch.task_list) await put(target, picture.jpeg());
    await business.post(`/tasks/bulk-upload/${batch.bulk_upload_id}/process`).expect(202);
    const targets: WireTarget[] = batch.task_list;
    // Large results run one after another, in any order.
    await Promise.all(
      targets.map(async ({ task_id }) => {
        expect(await ordered(task_id)).toEqual({ faceEnhance: { model: 'base' }, outputSize: 'original' });
        await worker.end(task_id, (run) => worker.finish(run, file, { width: 6000, height: 4000 }));
        const task = await waitForStatus(business, task_id, 'completed');
        expect(task.result.outputs[0]).toMatchObject({ width: 6000, height: 4000, recipe: { ai_pipeline: ORIGINAL } });
      }),
    );
    const { body: zip } = await business
      .get(`/tasks/bulk-upload/${batch.bulk_upload_id}/archive`)
      .buffer(true)
      .parse((response, done) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk)).on('end', () => done(null, Buffer.concat(chunks)));
      })
      .expect(200);
    const at = zip.indexOf(file);
    expect([at > 0, zip.indexOf(file, at + file.length) > at]).toEqual([true, true]);
    const { body: shared } = await business.post(`/tasks/${targets[0]?.task_id}/share`).expect(201);
    const { body: seen } = await business.get(`/sharings/${shared.sharing_id}`).expect(200);
    expect(seen).toMatchObject({ width: 6000, height: 4000 });
  });

  it('is ordered by a key in one request', async () => {
    const { api, business } = fixture;
    const client = await KeyClient.of(api, business);
    const { body } = await api.http
      .post(`${BASE_PATH}/enhance?pipeline=${encodeURIComponent(JSON.stringify(ORIGINAL))}`)
      .set({ ...client.headers, 'content-type': 'image/jpeg' })
      .send(picture.jpeg())
      .expect(202);
    expect(await ordered(body.task_id)).toEqual({ faceEnhance: { model: 'base' }, outputSize: 'original' });
  });

  it('is no part of a preview, which is small', async () => {
    const task = await createFinishedTask(fixture.guest, fixture.worker);
    await ask(fixture.guest, task, { ai_pipeline: ORIGINAL, preview: true }).expect(202);
    expect(await ordered(task.task_id)).toEqual({ faceEnhance: { model: 'base' } });
  });

  it("is everyone's default while caps are removed, and is dropped afterwards", async () => {
    const { guest, worker } = fixture;
    await setUncapped(true);
    const task = await createFinishedTask(guest, worker, { ai_pipeline: FACES });
    expect((await guest.task(task.task_id)).ai_pipeline).toEqual(ORIGINAL);
    const small = await guest.process({ ai_pipeline: { ...FACES, output_size: 'standard' } });
    expect(await ordered(small.task_id)).toMatchObject({ outputSize: 'standard' });
    await worker.end(small.task_id, (run) => worker.finish(run));
    await setUncapped(false);
    await ask(guest, task, { ai_pipeline: undefined }).expect(202);
    expect(await ordered(task.task_id)).toEqual({ faceEnhance: { model: 'base' } });
  });
});
