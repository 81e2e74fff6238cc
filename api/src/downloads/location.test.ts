import { describe, expect, it } from 'vitest';
import { picture } from '../../test/support/pictures.js';
import { until } from '../../test/support/until.js';
import { put, type Visitor, type WireTarget } from '../../test/support/visitor.js';
import { createFinishedTask, waitForStatus } from '../../test/support/workers/results.js';
import { useResultsFixture } from '../../test/support/workers/results-fixture.js';

const fixture = useResultsFixture();

const prefer = (visitor: Visitor, keep_location: unknown) =>
  visitor.put('/users/@me/preferences/override', { preferences: { keep_location } });
const reprocess = (visitor: Visitor, task: { bulk_upload_id: string; task_id: string }, order: object) =>
  visitor.post(`/tasks/bulk-upload/${task.bulk_upload_id}/reprocess`, {
    input_reprocess_list: [{ client_task_id: task.task_id, ai_pipeline: {}, ...order }],
  });
const runOf = async (taskId: string) => (await fixture.worker.waitForJob(taskId)).run;

describe('the location of a picture', () => {
  it('is removed unless its upload asks to keep it', async () => {
    for (const [input, keepLocation] of [
      [{}, false],
      [{ keep_location: true }, true],
    ] as const) {
      const { task_id } = await fixture.guest.process(input);
      expect((await fixture.guest.task(task_id)).keep_location).toBe(keepLocation);
      expect((await runOf(task_id)).keepLocation).toBe(keepLocation);
      await fixture.worker.end(task_id, (run) => fixture.worker.finish(run));
    }
  });

  it('is chosen for each picture of a batch', async () => {
    const jpeg = { image_content_type: 'image/jpeg' };
    const { body } = await fixture.business
      .post('/tasks/bulk-upload', { input_task_list: [jpeg, { ...jpeg, keep_location: true }] })
      .expect(201);
    for (const target of body.task_list as WireTarget[]) await put(target, picture.jpeg());
    const { body: bulk } = await fixture.business.post(`/tasks/bulk-upload/${body.bulk_upload_id}/process`).expect(202);
    expect(bulk.task_list.map((task: { keep_location: boolean }) => task.keep_location)).toEqual([false, true]);
  });

  it('follows the saved preference unless the upload says otherwise', async () => {
    expect((await fixture.guest.me()).preferences.keep_location).toBe(false);
    const { body } = await prefer(fixture.guest, true).expect(200);
    expect(body.preferences.keep_location).toBe(true);
    const [preferred, stated] = [
      await fixture.guest.announce(),
      await fixture.guest.announce({ keep_location: false }),
    ];
    expect((await fixture.guest.task(preferred.task_id)).keep_location).toBe(true);
    expect((await fixture.guest.task(stated.task_id)).keep_location).toBe(false);
  });

  it('is kept in files converted later, and a cancelled run changes nothing', async () => {
    const task = await createFinishedTask(fixture.business, fixture.worker, { keep_location: true });
    await reprocess(fixture.business, task, { keep_location: false }).expect(202);
    expect((await runOf(task.task_id)).keepLocation).toBe(false);
    await fixture.business.post(`/tasks/${task.task_id}/cancel`).expect(200);
    // The cancelled run changed nothing.
    expect((await fixture.business.task(task.task_id)).keep_location).toBe(true);
    await fixture.business.post(`/tasks/${task.task_id}/convert`, { output_content_type: 'image/jpeg' }).expect(202);
    const order = await until(() => fixture.renders.orders[0], 'the conversion');
    expect(order.keepLocation).toBe(true);
  });

  it('is removed again by a reprocess, from then on', async () => {
    const task = await createFinishedTask(fixture.business, fixture.worker, { keep_location: true });
    await reprocess(fixture.business, task, { keep_location: false }).expect(202);
    await fixture.worker.end(task.task_id, (run) => fixture.worker.finish(run));
    await waitForStatus(fixture.business, task.task_id, 'completed');
    await fixture.business.post(`/tasks/${task.task_id}/convert`, { output_content_type: 'image/jpeg' }).expect(202);
    await until(() => fixture.renders.orders.length === 1, 'the conversion');
    expect(fixture.renders.orders[0]?.keepLocation).toBe(false);
    // Absent: as before.
    await reprocess(fixture.business, task, {}).expect(202);
    expect((await runOf(task.task_id)).keepLocation).toBe(false);
  });

  it('is chosen by a boolean only', async () => {
    for (const keep_location of ['yes', [], 1]) {
      await prefer(fixture.guest, keep_location).expect(422);
      const input = { image_content_type: 'image/jpeg', keep_location };
      const { body } = await fixture.guest.post('/tasks/bulk-upload', input).expect(422);
      expect(Object.keys(body.details)).toEqual(['keep_location']);
    }
  });
});
