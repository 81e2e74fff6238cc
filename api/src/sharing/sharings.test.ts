import { writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { Customer } from '../../test/support/billing/customer.js';
import { setFree } from '../../test/support/rights.js';
import { SIDES, share, useSharings } from '../../test/support/sharings-fixture.js';
import { until } from '../../test/support/until.js';
import { newEmail, Visitor } from '../../test/support/visitor.js';
import { createFinishedTask, waitForStatus } from '../../test/support/workers/results.js';

const { fixture, open, file, filesOf, shared, preview, expectClosed } = useSharings();

const DAY_MS = 86_400_000;

describe('a link', () => {
  it('has an unguessable id and ends after 14 days, the same for every request', async () => {
    const { taskId, id, body } = await shared(fixture.guest);
    expect(Buffer.from(id, 'base64url')).toHaveLength(16);
    expect(body).toEqual({ sharing_id: id, url: `${new URL(body.url).origin}/s/${id}`, expires_at: body.expires_at });
    expect(Math.abs(Date.parse(body.expires_at) - Date.now() - 14 * DAY_MS)).toBeLessThan(DAY_MS / 24);
    expect((await share(fixture.guest, taskId).expect(200)).body).toEqual(body);
    expect((await fixture.guest.task(taskId)).sharing).toEqual(body);
    const { body: list } = await fixture.guest.get('/tasks').expect(200);
    expect(list.data[0].sharing).toEqual(body);
    const other = await shared(fixture.guest);
    expect(other.id).not.toBe(id);
  });

  it('shows both sides to anyone, and nothing of the owner', async () => {
    const { id, taskId, body } = await shared(fixture.guest);
    const sharing = await preview(id);
    const { origin } = new URL(body.url);
    expect(sharing).toEqual({
      sharing_id: id,
      media_type: 'image',
      input_url: `${origin}/media/shares/${id}/input`,
      output_url: `${origin}/media/shares/${id}/output`,
      poster_url: null,
      preview_url: `${origin}/media/shares/${id}/preview`,
      has_watermark: true,
      width: 640,
      height: 480,
      frame_rate: null,
      expires_at: body.expires_at,
    });
    for (const name of [...SIDES, 'preview']) {
      const { headers, body: bytes } = await file(id, name).expect(200);
      expect(bytes.subarray(0, 2).toString('hex')).toBe('ffd8');
      expect(headers).toMatchObject({
        'content-type': 'image/jpeg',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'x-robots-tag': 'noindex, noarchive',
      });
      expect(headers['content-disposition']).toMatch(/^inline; filename="?clearframe[\w-]*\.jpg"?$/);
      expect(JSON.stringify(headers)).not.toMatch(new RegExp(`grandma|${taskId}`));
    }
    const download = await file(id, 'output').query({ download: '1' }).expect(200);
    expect(download.headers['content-disposition']).toMatch(/^attachment; filename="?clearframe\.jpg"?$/);
    const { web_user_id } = await fixture.guest.me();
    expect(JSON.stringify(sharing)).not.toMatch(new RegExp(`grandma|${taskId}|${web_user_id}`));
  });

  it('shows display files, never originals or downloads', async () => {
    const { id } = await shared(fixture.business);
    const { beforeKey, afterKey } = await until(() => fixture.renders.previews[0], 'the order');
    for (const [name, key] of [
      ['input', beforeKey],
      ['output', afterKey],
    ] as const) {
      expect(key).toContain('/display.');
      const { length } = (await file(id, name).expect(200)).body;
      const bytes = Buffer.alloc(length, name);
      await writeFile(fixture.api.pathOf(key), bytes);
      expect((await file(id, name).expect(200)).body.equals(bytes)).toBe(true);
    }
  });

  it('keeps the media as long as it lives, also for guests', async () => {
    const { taskId, body } = await shared(fixture.guest);
    const { expires_at } = await fixture.guest.task(taskId);
    expect(Date.parse(expires_at)).toBeGreaterThan(Date.parse(body.expires_at));
    const longer = await createFinishedTask(fixture.business, fixture.worker);
    const before = (await fixture.business.task(longer.task_id)).expires_at;
    await share(fixture.business, longer.task_id).expect(201);
    expect((await fixture.business.task(longer.task_id)).expires_at).toBe(before);
  });

  it('follows the plan of its owner today, with its preview', async () => {
    const { id, taskId } = await shared(fixture.guest);
    expect((await preview(id)).has_watermark).toBe(true);
    const first = fixture.renders.previews[0];
    await setFree(fixture.api, fixture.guest, true);
    const clean = await until(async () => {
      const { body } = await open(id).expect(200);
      return !body.has_watermark && body.preview_url && body;
    }, 'the clean preview');
    expect(clean).toMatchObject({ has_watermark: false, output_url: expect.stringContaining(`/${id}/output`) });
    expect(fixture.renders.previews).toHaveLength(2);
    expect(fixture.renders.previews[1]?.afterKey).not.toBe(first?.afterKey);
    expect((await filesOf(taskId)).filter((key) => key.endsWith('share-preview.jpg'))).toHaveLength(1);
    await setFree(fixture.api, fixture.guest, false);
    fixture.renders.setFailing(true);
    expect((await open(id).expect(200)).body).toMatchObject({ has_watermark: true, preview_url: null });
    await file(id, 'preview').expect(404);
  });

  it('shows at most 1280 clean pixels of the plan personal', async () => {
    const customer = await Customer.member(fixture.api);
    await customer.subscribe('personal_weekly_usd');
    const { task_id } = await customer.visitor.process();
    await fixture.worker.end(task_id, (run) =>
      fixture.worker.finish(run, undefined, { width: run.display.maxSide ?? 0, height: 960 }),
    );
    await waitForStatus(customer.visitor, task_id, 'completed');
    const { body } = await share(customer.visitor, task_id).expect(201);
    expect((await open(body.sharing_id).expect(200)).body).toMatchObject({ has_watermark: false, width: 1280 });
  });

  it('shows the newest result that is no preview', async () => {
    const { id, taskId } = await shared(fixture.guest);
    const { bulk_upload_id, result } = await fixture.guest.task(taskId);
    const reprocess = async (preview: boolean) => {
      const order = { client_task_id: taskId, ai_pipeline: {}, preview };
      await fixture.guest
        .post(`/tasks/bulk-upload/${bulk_upload_id}/reprocess`, { input_reprocess_list: [order] })
        .expect(202);
      const { run } = await fixture.worker.waitForJob(taskId);
      await open(id).expect(200);
      await fixture.worker.end(taskId, () =>
        fixture.worker.finish(run, undefined, { width: preview ? 99 : 333, height: 222 }),
      );
      await waitForStatus(fixture.guest, taskId, 'completed');
    };
    await reprocess(true);
    expect((await open(id).expect(200)).body.width).toBe(640);
    await reprocess(false);
    expect((await open(id).expect(200)).body.width).toBe(333);
    expect((await fixture.guest.task(taskId)).result.outputs).toHaveLength(result.outputs.length + 2);
  });

  it('works without a preview when none can be made', async () => {
    const { task_id } = await createFinishedTask(fixture.guest, fixture.worker);
    fixture.renders.setFailing(true);
    const { body } = await share(fixture.guest, task_id).expect(201);
    expect((await open(body.sharing_id).expect(200)).body.preview_url).toBeNull();
    await until(() => fixture.renders.previews.length > 0, 'the order');
    expect((await open(body.sharing_id).expect(200)).body.preview_url).toBeNull();
    expect(fixture.renders.previews).toHaveLength(1);
  });

  it('moves to the account with the task', async () => {
    const { id, taskId } = await shared(fixture.guest);
    const member = await Visitor.login(fixture.api.http, { email: newEmail() }, fixture.guest);
    await open(id).expect(200);
    expect((await member.task(taskId)).sharing.sharing_id).toBe(id);
    await member.delete(`/sharings/${id}`).expect(204);
    await expectClosed(id, 404);
  });
});

it('limits requests for links per network', async () => {
  const { headers } = await open('A'.repeat(22));
  expect(headers['ratelimit-policy']).toMatch(/^"?reads/);
  expect((await file('A'.repeat(22), 'input')).headers['ratelimit-policy']).toBe(headers['ratelimit-policy']);
});
