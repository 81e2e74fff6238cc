import { BASE_PATH } from '@clearframe/contract';
import { describe, expect, it } from 'vitest';
import { Customer } from '../../test/support/billing/customer.js';
import { setFree, waitForOrders } from '../../test/support/rights.js';
import { runScheduled } from '../../test/support/scheduled.js';
import { until } from '../../test/support/until.js';
import { newEmail, Visitor } from '../../test/support/visitor.js';
import { createFinishedTask, waitForFiles } from '../../test/support/workers/results.js';
import { useResultsFixture } from '../../test/support/workers/results-fixture.js';
import { hashOf, newCode } from '../gift-codes/gift-codes.service.js';

const fixture = useResultsFixture();

const rowsOf = (table: 'renditions' | 'runs') =>
  fixture.api.sql<{ id: string }>(`SELECT id FROM ${table} ORDER BY created_at, id`);
const filesOf = (taskId: string) =>
  fixture.api.sql<{ rendition_key: string; status: string }>(
    `SELECT rendition_key, status FROM renditions WHERE task_id = $1 AND output_run_id IS NOT NULL ORDER BY rendition_key`,
    [taskId],
  );
const idOf = async (visitor: Visitor): Promise<string> => (await visitor.me()).web_user_id;
const dueAt = async (visitor: Visitor): Promise<Date | null> => {
  const rows = await fixture.api.sql<{ due: Date | null }>('SELECT downloads_due_at AS due FROM users WHERE id = $1', [
    await idOf(visitor),
  ]);
  return rows[0]?.due ?? null;
};

describe('a change of rights', () => {
  it('is what orders files: no read does, nor waits for them', async () => {
    const { task_id, bulk_upload_id } = await createFinishedTask(fixture.guest, fixture.worker);
    const { body: shared } = await fixture.guest.post(`/tasks/${task_id}/share`).expect(201);
    await until(() => fixture.renders.previews.length > 0, 'the preview');
    await until(async () => (await fixture.guest.task(task_id)).display.input_url, 'the display file');
    // In one transaction, so that nothing is ordered in between.
    const id = await idOf(fixture.guest);
    await fixture.api.sql(
      `UPDATE users SET is_free = true WHERE id = '${id}'; UPDATE users SET downloads_due_at = NULL WHERE id = '${id}'`,
    );
    const before = [await rowsOf('renditions'), await rowsOf('runs')];
    const task = await fixture.guest.task(task_id);
    expect(task).toMatchObject({ has_watermark: true, result: { outputs: [{ is_encoding: true }] } });
    await fixture.guest.get('/tasks').expect(200);
    await fixture.guest.get(`/tasks/bulk-upload/${bulk_upload_id}`).expect(200);
    await fixture.guest.get(`/tasks/bulk-upload/${bulk_upload_id}/archive`).expect(503);
    await fixture.guest.get(`/tasks/archive?task_ids=${task_id}`).expect(503);
    await fixture.api.http.get(`${BASE_PATH}/sharings/${shared.sharing_id}`).expect(200);
    expect([await rowsOf('renditions'), await rowsOf('runs')]).toEqual(before);
    await fixture.api.sql('UPDATE users SET downloads_due_at = now() WHERE id = $1', [id]);
    expect(await waitForFiles(fixture.guest, task_id)).toMatchObject({ has_watermark: false });
  });

  it('orders exactly the missing files, once for events that arrive twice and for changes at the same time', async () => {
    const { task_id } = await createFinishedTask(fixture.guest, fixture.worker);
    const complete = fixture.renders.hold();
    await Promise.all([setFree(fixture.api, fixture.guest, true), setFree(fixture.api, fixture.guest, true)]);
    const id = await idOf(fixture.guest);
    const again = () => fixture.api.sql('UPDATE users SET downloads_due_at = clock_timestamp() WHERE id = $1', [id]);
    await Promise.all([
      runScheduled(fixture.api, 'downloads.order'),
      again(),
      runScheduled(fixture.api, 'downloads.order'),
      again(),
      runScheduled(fixture.api, 'downloads.order'),
    ]);
    await waitForOrders(fixture.api);
    complete();
    await waitForFiles(fixture.guest, task_id);
    await setFree(fixture.api, fixture.guest, false);
    await setFree(fixture.api, fixture.guest, true);
    await waitForOrders(fixture.api);
    expect(await filesOf(task_id)).toMatchObject([
      { rendition_key: expect.stringMatching(/:2048:false:display$/), status: 'ready' },
      { rendition_key: expect.stringMatching(/:full:false$/), status: 'ready' },
    ]);
    expect(fixture.renders.orders).toHaveLength(1);
  });

  it('is not lost when the process ends before it has ordered', async () => {
    const { task_id } = await createFinishedTask(fixture.guest, fixture.worker);
    const id = await idOf(fixture.guest);
    // A process that has died holds the claim until its lease ends.
    await fixture.api.sql(
      `INSERT INTO work_attempts (kind, subject, attempts, next_attempt_at, created_at)
       VALUES ('downloads.order', $1, 1, now() + interval '2 seconds', now())`,
      [id],
    );
    await setFree(fixture.api, fixture.guest, true);
    expect(await filesOf(task_id)).toEqual([]);
    expect(await waitForFiles(fixture.guest, task_id)).toMatchObject({ has_watermark: false });
  });

  it('during a run gets its file when the run ends', async () => {
    const { task_id } = await fixture.guest.process();
    const { run } = await fixture.worker.waitForJob(task_id);
    expect(run.rendition.watermark).toBe(true);
    await setFree(fixture.api, fixture.guest, true);
    await waitForOrders(fixture.api);
    await fixture.worker.end(task_id, () => fixture.worker.finish(run));
    await until(async () => (await fixture.guest.task(task_id)).status === 'completed', 'the result');
    expect(await waitForFiles(fixture.guest, task_id)).toMatchObject({ has_watermark: false });
  });

  it('is a login too, which moves pictures to a subscriber', async () => {
    const email = newEmail();
    const member = await fixture.api.member({ email });
    await setFree(fixture.api, member, true);
    await waitForOrders(fixture.api);
    const { task_id } = await createFinishedTask(fixture.guest, fixture.worker);
    const moved = await Visitor.login(fixture.api.http, { email }, fixture.guest);
    expect(await waitForFiles(moved, task_id)).toMatchObject({ has_watermark: false });
  });

  it('is a gift code too, and its end', async () => {
    const { task_id } = await createFinishedTask(fixture.guest, fixture.worker);
    const code = newCode();
    await fixture.api.sql(`INSERT INTO gift_codes VALUES (gen_random_uuid(), $1, $2, 7, NULL, 1, 0, NULL, now())`, [
      hashOf(code),
      code.slice(0, 9),
    ]);
    const { body } = await fixture.guest.post('/gift-codes/redeem', { code }).expect(200);
    expect(await waitForFiles(fixture.guest, task_id)).toMatchObject({ has_watermark: false });
    await waitForOrders(fixture.api);
    expect((await dueAt(fixture.guest))?.toISOString()).toBe(body.gift_code.expiry_at);
    const second = await createFinishedTask(fixture.guest, fixture.worker, { output_content_type: 'image/jpeg' });
    expect(await fixture.guest.task(second.task_id)).toMatchObject({ has_watermark: false });
    await fixture.api.sql(`UPDATE gift_redemptions SET expires_at = now() + interval '2 seconds' WHERE user_id = $1`, [
      await idOf(fixture.guest),
    ]);
    await until(async () => (await fixture.guest.task(second.task_id)).has_watermark, 'the end of the gift');
    const { output_url } = await waitForFiles(fixture.guest, second.task_id);
    expect(output_url).not.toBeNull();
  });

  it('of a subscriber is due again at the end of the paid period', async () => {
    const customer = await Customer.member(fixture.api);
    await customer.subscribe('personal_weekly_usd');
    await waitForOrders(fixture.api);
    const [subscription] = await fixture.api.sql<{ current_period_end: Date }>(
      'SELECT current_period_end FROM subscriptions WHERE user_id = $1',
      [await customer.userId()],
    );
    expect(await dueAt(customer.visitor)).toEqual(subscription?.current_period_end);
  });
});

describe('the first download', () => {
  it('makes the display file and earlier results clean', async () => {
    const customer = await Customer.guest(fixture.api);
    const { task_id, bulk_upload_id } = await createFinishedTask(customer.visitor, fixture.worker);
    const order = { client_task_id: task_id, ai_pipeline: { face_enhance: { model: 'base' } } };
    await customer.visitor
      .post(`/tasks/bulk-upload/${bulk_upload_id}/reprocess`, { input_reprocess_list: [order] })
      .expect(202);
    await fixture.worker.end(task_id, (run) => fixture.worker.finish(run));
    await until(async () => (await customer.visitor.task(task_id)).result.outputs.length === 2, 'the second result');
    await customer.buy('single_export_usd', 1, task_id);
    await customer.visitor.put(`/tasks/${task_id}/export`).expect(200);
    const { result } = await waitForFiles(customer.visitor, task_id);
    expect(result.outputs).toMatchObject([{ has_watermark: false }, { has_watermark: false }]);
    const displays = fixture.renders.displays.filter(({ recipe }) => recipe !== null);
    expect(displays.map(({ rendition }) => rendition.watermark)).toEqual([false, false]);
  });
});

it('a file that failed is ordered again after five minutes', async () => {
  const { task_id } = await createFinishedTask(fixture.guest, fixture.worker);
  fixture.renders.setFailing(true);
  await setFree(fixture.api, fixture.guest, true);
  const failed = async () => (await filesOf(task_id)).filter(({ status }) => status === 'failed').length;
  await until(async () => (await failed()) === 2, 'the failures');
  await waitForOrders(fixture.api);
  expect((await fixture.guest.task(task_id)).result.outputs[0].is_encoding).toBe(false);
  const due = await dueAt(fixture.guest);
  expect(Math.abs((due?.getTime() ?? 0) - Date.now() - 5 * 60_000)).toBeLessThan(60_000);
  fixture.renders.setFailing(false);
  await fixture.api.sql(`UPDATE renditions SET created_at = created_at - interval '5 minutes' WHERE task_id = $1`, [
    task_id,
  ]);
  await fixture.api.sql('UPDATE users SET downloads_due_at = now() WHERE id = $1', [await idOf(fixture.guest)]);
  expect(await waitForFiles(fixture.guest, task_id)).toMatchObject({ has_watermark: false });
  expect(await failed()).toBe(2);
});
