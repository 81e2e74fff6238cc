import { BASE_PATH } from '@clearframe/contract';
import { beforeEach, describe, expect, it } from 'vitest';
import { advance, price } from '../../test/support/billing/customer.js';
import { KeyClient, refusalOf } from '../../test/support/key-client.js';
import { picture } from '../../test/support/pictures.js';
import { until } from '../../test/support/until.js';
import { put, type Visitor } from '../../test/support/visitor.js';
import { waitForStatus } from '../../test/support/workers/results.js';
import { useResultsFixture } from '../../test/support/workers/results-fixture.js';

const PICTURES_PER_DAY = 100;
const fixture = useResultsFixture();
let member: Visitor;
let key: Awaited<ReturnType<typeof KeyClient.of>>;
beforeEach(async () => {
  member = await fixture.api.member();
  key = await KeyClient.of(fixture.api, member, { is_test: true });
});

const idOf = async (visitor: Visitor): Promise<string> => (await visitor.me()).web_user_id;
const enhance = (client: KeyClient, query = '') =>
  fixture.api.http
    .post(`${BASE_PATH}/enhance${query}`)
    .set({ ...client.headers, 'content-type': 'image/jpeg' })
    .send(picture.jpeg());
const started = async (client: KeyClient, query = ''): Promise<string> =>
  (await enhance(client, query).expect(202)).body.task_id;
async function finished(client: KeyClient, query = ''): Promise<string> {
  const id = await started(client, query);
  await fixture.worker.end(id, (run) => fixture.worker.finish(run));
  await waitForStatus(member, id, 'completed');
  return id;
}
const usedToday = async (): Promise<number> => {
  const [day] = await fixture.api.sql('SELECT used FROM test_days WHERE user_id = $1', [await idOf(member)]);
  return day?.used ?? 0;
};
const use = async (used: number) =>
  fixture.api.sql(
    `INSERT INTO test_days VALUES ($1, (now() AT TIME ZONE 'UTC')::date, $2)
     ON CONFLICT (user_id, day) DO UPDATE SET used = $2`,
    [await idOf(member), used],
  );
const usesOf = async (visitor: Visitor) =>
  fixture.api.sql('SELECT source FROM export_uses WHERE user_id = $1', [await idOf(visitor)]);

describe('a test key', () => {
  it('is for every account with a login, without a plan', async () => {
    expect(key.key).toMatch(/^cfk_test_[\w-]{43}$/);
    const { body } = await member.get('/plugin-keys').expect(200);
    expect(body.data).toMatchObject([
      { id: key.keyId, is_test: true, scopes: ['media:read', 'media:write'], prefix: key.key.slice(0, 17) },
    ]);
    const guest = await fixture.api.guest();
    expect(await refusalOf(guest.post('/plugin-keys', { is_test: true }))).toEqual([403, 'billing.login_required']);
    expect(await refusalOf(member.post('/plugin-keys', { is_test: false }))).toEqual([403, 'plugin_keys.not_in_plan']);
    expect(await refusalOf(member.post('/plugin-keys', { is_test: 'no' }))).toEqual([422, 'request.invalid']);
    expect((await key.get('/users/@me').expect(200)).body.role).toBe('base');
  });

  it('makes results with every tool and format, which keep the watermark whatever is bought', async () => {
    const pipeline = encodeURIComponent(JSON.stringify({ color_enhance: { model: 'golden' } }));
    const id = await finished(key, `?format=png&pipeline=${pipeline}`);
    const { body } = await key.get(`/tasks/${id}`).expect(200);
    expect(body).toMatchObject({ is_test: true, has_watermark: true, output_content_type: 'image/png' });
    expect(await member.task(id)).toMatchObject({ is_test: true, has_watermark: true, output_url: expect.any(String) });
    await fixture.api.sql('UPDATE users SET is_free = true WHERE id = $1', [await idOf(member)]);
    expect(await member.task(id)).toMatchObject({ is_test: true, has_watermark: true, output_url: expect.any(String) });
  });

  it('makes layers with the watermark only, also for an owner with a plan', async () => {
    const id = await started(key, '?format=psd');
    const orders: unknown[] = [];
    await fixture.worker.end(id, (run) => {
      orders.push(run.rendition);
      return fixture.worker.finish(run);
    });
    await waitForStatus(member, id, 'completed');
    const psd = { output_content_type: 'image/vnd.adobe.photoshop' };
    const flat = await finished(key);
    expect(await refusalOf(member.put(`/tasks/${flat}/export`, psd))).toEqual([403, 'outputs.format_not_in_plan']);
    await fixture.api.sql('UPDATE users SET is_free = true WHERE id = $1', [await idOf(member)]);
    await member.put(`/tasks/${flat}/export`, psd).expect(200);
    const layered = fixture.renders.orders.filter(({ originalKey }) => originalKey === `inputs/${flat}`);
    expect(layered).toHaveLength(1);
    for (const rendition of [...orders, layered[0]?.rendition]) {
      expect(rendition).toMatchObject({ contentType: psd.output_content_type, watermark: true });
    }
  });

  it('takes nothing from downloads, and its pictures cannot be paid for', async () => {
    const id = await finished(key);
    const { body } = await key.put(`/tasks/${id}/export`, {}).expect(200);
    expect(body).toMatchObject({ has_watermark: true, is_exported: false, status: 'completed' });
    await member.put(`/tasks/${id}/export`, {}).expect(200);
    expect(await usesOf(member)).toEqual([]);
    const checkout = { price_id: price('single_export_usd'), unlocked_exports: 1, client_task_id: id };
    expect(await refusalOf(member.post('/checkouts', checkout))).toEqual([409, 'exports.test_picture']);
  });

  it('reaches the pictures of test keys only, and live keys the others', async () => {
    const { business } = fixture;
    const live = await KeyClient.of(fixture.api, business);
    const test = await KeyClient.of(fixture.api, business, { is_test: true });
    const [real, tried] = [await started(live), await started(test)];
    const listed = async (client: KeyClient | Visitor) =>
      (await client.get('/tasks').expect(200)).body.data.map((task: { task_id: string }) => task.task_id);
    expect([await listed(live), await listed(test), await listed(business)]).toEqual([[real], [tried], [tried, real]]);
    for (const [client, other] of [
      [live, tried],
      [test, real],
    ] as const) {
      const { bulk_upload_id: upload } = await business.task(other);
      const task = [404, 'tasks.not_found'];
      expect(await refusalOf(client.get(`/tasks/${other}`))).toEqual(task);
      expect(await refusalOf(client.post(`/tasks/${other}/cancel`))).toEqual(task);
      expect(await refusalOf(client.post(`/tasks/${other}/share`))).toEqual(task);
      expect(await refusalOf(client.get(`/tasks/archive?task_ids=${other}`))).toEqual(task);
      expect(await refusalOf(client.get(`/tasks/bulk-upload/${upload}`))).toEqual([404, 'bulk_uploads.not_found']);
      const { body } = await client.delete('/tasks/delete', { task_ids: [other] }).expect(200);
      expect(body).toEqual({ not_found: [other] });
    }
    expect((await listed(business)).length).toBe(2);
  });

  it('is not for videos', async () => {
    const video = { video_content_type: 'video/mp4', video_metadata: { size: 1000 } };
    expect(await refusalOf(key.post('/video-tasks', video))).toEqual([403, 'plugin_keys.live_required']);
  });
});

describe('the daily pictures of test keys', () => {
  it('are counted for the account, whichever of its keys is used', async () => {
    await use(PICTURES_PER_DAY - 1);
    await started(key);
    const other = await KeyClient.of(fixture.api, member, { is_test: true });
    const refused = await enhance(other);
    expect(refused.status).toBe(429);
    expect(refused.body).toMatchObject({
      error_code: 'plugin_keys.test_exhausted',
      details: { limit: PICTURES_PER_DAY, resets_at: expect.stringMatching(/T00:00:00.000Z$/) },
    });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(await usedToday()).toBe(PICTURES_PER_DAY);
    expect((await member.get('/tasks').expect(200)).body.data).toHaveLength(1);
  });

  it('are not exceeded by requests at once', async () => {
    await use(PICTURES_PER_DAY - 2);
    const statuses = (await Promise.all([1, 2, 3, 4].map(() => enhance(key)))).map(({ status }) => status);
    expect(statuses.sort()).toEqual([202, 202, 429, 429]);
    expect(await usedToday()).toBe(PICTURES_PER_DAY);
  });

  it('are given back for a picture that fails, and for one cancelled before a worker begins it', async () => {
    const failed = await started(key);
    await fixture.worker.end(failed, () => ({ kind: 'failed', errorCode: 'tasks.failed' }));
    await waitForStatus(member, failed, 'failed');
    expect(await usedToday()).toBe(0);
    await fixture.worker.stop();
    const cancelled = await started(key);
    expect(await usedToday()).toBe(1);
    await key.post(`/tasks/${cancelled}/cancel`).expect(200);
    expect(await usedToday()).toBe(0);
    expect(await fixture.api.sql('SELECT FROM key_runs WHERE key_id = $1', [key.keyId])).toEqual([]);
  });

  it('count for pictures that the owner enhances again without a key', async () => {
    const id = await finished(key);
    const { bulk_upload_id } = await member.task(id);
    const again = { input_reprocess_list: [{ client_task_id: id }] };
    await member.post(`/tasks/bulk-upload/${bulk_upload_id}/reprocess`, again).expect(202);
    expect(await usedToday()).toBe(2);
  });
});

describe('a key revoked in the middle of a batch', () => {
  it('finishes what workers have, and starts nothing more', async () => {
    const inputs = Array.from({ length: 8 }, () => ({ image_content_type: 'image/jpeg' }));
    const { body: upload } = await key.post('/tasks/bulk-upload', { input_task_list: inputs }).expect(201);
    const [late, ...sent] = upload.task_list;
    for (const target of sent) await put(target, picture.jpeg());
    const process = (tasks: { task_id: string }[]) =>
      key.post(`/tasks/bulk-upload/${upload.bulk_upload_id}/process`, { task_ids: tasks.map((one) => one.task_id) });
    await process(sent).expect(202);
    const runs = async () =>
      fixture.api.sql('SELECT subject_id, status FROM runs WHERE queue = $1 AND user_id = $2', [
        'images',
        await idOf(member),
      ]);
    await until(async () => (await runs()).some(({ status }) => status === 'dispatched'), 'a run to be dispatched');
    await member.delete(`/plugin-keys/${key.keyId}`).expect(204);
    await put(late, picture.jpeg());
    expect(await refusalOf(process([late]))).toEqual([401, 'users.not_authorized']);
    const ended = await runs();
    const taken = ended.filter(({ status }) => status === 'dispatched');
    const cancelled = ended.filter(({ status }) => status === 'cancelled');
    expect([taken.length > 0, cancelled.length > 0, taken.length + cancelled.length]).toEqual([true, true, 7]);
    for (const { subject_id: id } of taken) {
      await fixture.worker.end(id, (run) => fixture.worker.finish(run));
      await waitForStatus(member, id, 'completed');
    }
    for (const { subject_id: id } of cancelled) expect(await member.task(id)).toMatchObject({ status: 'cancelled' });
    expect(await usedToday()).toBe(taken.length);
  });
});

describe('a new day', () => {
  it('has pictures for test keys again', async () => {
    await use(PICTURES_PER_DAY);
    expect(await refusalOf(enhance(key))).toEqual([429, 'plugin_keys.test_exhausted']);
    await advance(fixture.api, { days: 1 });
    await started(key);
  });
});
