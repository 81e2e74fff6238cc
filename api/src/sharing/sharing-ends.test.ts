import { objectKeys, renderSharePreview } from '@clearframe/contract';
import { ObjectStore } from '@clearframe/runtime/storage';
import { describe, expect, it, vi } from 'vitest';
import { runScheduled } from '../../test/support/scheduled.js';
import { share, useSharings } from '../../test/support/sharings-fixture.js';
import { until } from '../../test/support/until.js';
import { createFinishedTask } from '../../test/support/workers/results.js';

const { fixture, open, filesOf, shared, preview, expectClosed } = useSharings();

const expire = (id: string) =>
  fixture.api.sql(`UPDATE sharings SET expires_at = now() - interval '1 minute' WHERE id = $1`, [id]);

/** A run in progress may store its file after the deletion; its report has it deleted. */
const filesGone = (taskId: string) => until(async () => (await filesOf(taskId)).length === 0, 'no file to be left');

describe('a link ends', () => {
  it('when it is revoked: its page and files at once, its preview is deleted', async () => {
    const { id, taskId } = await shared(fixture.guest);
    await preview(id);
    const { pathname } = new URL((await open(id)).body.output_url);
    await fixture.guest.delete(`/sharings/${id}`).expect(204);
    await expectClosed(id, 404);
    await fixture.api.http.get(pathname).expect(404);
    await fixture.guest.delete(`/sharings/${id}`).expect(404);
    const task = await fixture.guest.task(taskId);
    expect(task).toMatchObject({ status: 'completed', sharing: null });
    expect((await filesOf(taskId)).some((key) => key.endsWith('share-preview.jpg'))).toBe(false);
    expect((await share(fixture.guest, taskId).expect(201)).body.sharing_id).not.toBe(id);
  });

  it('without leaving a preview that is finished later', async () => {
    const { task_id } = await createFinishedTask(fixture.guest, fixture.worker);
    const complete = fixture.renders.hold();
    const { body } = await share(fixture.guest, task_id).expect(201);
    const order = await until(() => fixture.renders.previews[0], 'the order');
    await fixture.guest.delete(`/sharings/${body.sharing_id}`).expect(204);
    complete();
    await fixture.renders.report(order, await fixture.renders.makePreview(order), renderSharePreview.name);
    await fixture.worker.waitForReports();
    await until(async () => !(await filesOf(task_id)).some((key) => key.includes(order.runId)), 'it to be deleted');
  });

  it('when it expires, which is remembered after the media are deleted', async () => {
    const { id, taskId } = await shared(fixture.guest);
    await preview(id);
    await expire(id);
    await expectClosed(id, 410);
    expect((await fixture.guest.task(taskId)).sharing).toBeNull();
    await runScheduled(fixture.api, 'retention.sharings');
    expect((await filesOf(taskId)).some((key) => key.endsWith('share-preview.jpg'))).toBe(false);
    const next = await share(fixture.guest, taskId).expect(201);
    expect(next.body.sharing_id).not.toBe(id);
    await fixture.guest.delete('/tasks/delete', { task_ids: [taskId] }).expect(204);
    await expectClosed(id, 410);
    await expectClosed(next.body.sharing_id, 404);
    await fixture.api.sql(`UPDATE sharings SET expires_at = now() - interval '91 days' WHERE id = $1`, [id]);
    await runScheduled(fixture.api, 'retention.expired-sharings');
    await expectClosed(id, 404);
  });

  it('when the picture is deleted', async () => {
    const { id, taskId } = await shared(fixture.guest);
    await preview(id);
    await fixture.guest.delete('/tasks/delete', { task_ids: [taskId] }).expect(204);
    await expectClosed(id, 404);
    await filesGone(taskId);
  });

  it('without leaving a preview that is finished while retention deletes the task', async () => {
    const { task_id } = await createFinishedTask(fixture.guest, fixture.worker);
    const complete = fixture.renders.hold();
    await share(fixture.guest, task_id).expect(201);
    const order = await until(() => fixture.renders.previews[0], 'the order');
    const store = fixture.api.app.get(ObjectStore);
    const erase = store.delete.bind(store);
    const spy = vi.spyOn(store, 'delete').mockImplementation(async (key) => {
      await erase(key);
      if (key !== objectKeys.results(task_id)) return;
      await fixture.renders.report(order, await fixture.renders.makePreview(order), renderSharePreview.name);
      await fixture.worker.waitForReports();
    });
    await fixture.api.sql(`UPDATE tasks SET expires_at = now() - interval '1 hour' WHERE id = $1`, [task_id]);
    await runScheduled(fixture.api, 'retention.tasks');
    spy.mockRestore();
    await filesGone(task_id);
    complete();
  });

  it('when the account is erased, which leaves no bytes', async () => {
    const member = await fixture.api.member();
    const { id, taskId } = await shared(member);
    await preview(id);
    const { body: data } = await member.get('/users/@me/export').expect(200);
    expect(data.sharings).toMatchObject([{ task_id: taskId, url: expect.stringContaining(`/s/${id}`) }]);
    await member.delete('/users/@me').expect(204);
    await expectClosed(id, 404);
    expect(await fixture.api.sql('SELECT FROM sharings WHERE id = $1', [id])).toEqual([]);
    await filesGone(taskId);
  });
});
