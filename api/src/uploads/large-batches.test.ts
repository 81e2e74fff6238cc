import { MAX_FILES_PER_KEY_UPLOAD, MAX_FILES_PER_UPLOAD, objectKeys } from '@clearframe/contract';
import { expect, it } from 'vitest';
import { notPictures, picture } from '../../test/support/pictures.js';
import { runScheduled } from '../../test/support/scheduled.js';
import { until } from '../../test/support/until.js';
import { useWebhooks } from '../../test/support/webhooks-fixture.js';
import { writeObject } from '../../test/support/workers/write-object.js';

const hooks = useWebhooks();
/** Without networks. */
const NO_TOOLS = { ai_pipeline: {} };

/** Runs at the only worker: one in work, and those that it may take next. */
const AT_WORKER = 3;

async function announce(count: number): Promise<{ path: string; taskIds: string[] }> {
  const list = Array.from({ length: count }, () => ({ image_content_type: 'image/jpeg', ...NO_TOOLS }));
  const { body } = await hooks.client().post('/tasks/bulk-upload', { input_task_list: list }).expect(201);
  const taskIds = body.task_list.map(({ task_id }: { task_id: string }) => task_id);
  return { path: `/tasks/bulk-upload/${body.bulk_upload_id}`, taskIds };
}
const store = (taskId: string, bytes = picture.jpeg()) => writeObject(hooks.api(), objectKeys.upload(taskId), bytes);
const idsIn = ({ body }: { body: { task_list: { task_id: string }[] } }) =>
  body.task_list.map(({ task_id }) => task_id);

it('answers calls for pictures of a batch larger than those of pages with these pictures', async () => {
  const { path, taskIds } = await announce(MAX_FILES_PER_UPLOAD + 1);
  const [first = '', second = ''] = taskIds;
  for (const taskId of taskIds) await store(taskId);
  const started = await hooks
    .client()
    .post(`${path}/process`, { task_ids: [first] })
    .expect(202);
  expect(idsIn(started)).toEqual([first]);
  expect(started.body).toMatchObject({
    status: 'processing',
    task_list: [{ status: 'processing', bulk_upload_size: taskIds.length }],
    input_task_list: [{ task_id: first }],
  });
  await hooks.worker().end(first, (run) => hooks.worker().finish(run));
  // Of the upload, not of those named.
  const next = await hooks
    .client()
    .post(`${path}/process`, { task_ids: [second] })
    .expect(202);
  await hooks.worker().end(second, () => ({ kind: 'failed', errorCode: 'tasks.failed' }));
  expect(next.body.status).toBe('processing');
  const again = { input_reprocess_list: [{ client_task_id: first, ...NO_TOOLS }] };
  expect(idsIn(await hooks.client().post(`${path}/reprocess`, again).expect(202))).toEqual([first]);
  expect(
    idsIn(
      await hooks
        .client()
        .post(`${path}/convert-input`, { task_ids: [first] })
        .expect(202),
    ),
  ).toEqual([first]);
  await hooks.worker().end(first, (run) => hooks.worker().finish(run));
  const whole = await hooks.client().get(path).expect(200);
  expect(idsIn(whole)).toEqual(taskIds);
  const sizes = whole.body.task_list.map((task: { bulk_upload_size: number }) => task.bulk_upload_size);
  expect(new Set(sizes)).toEqual(new Set([taskIds.length]));
});

it('runs the largest batch without its unusable files, ends it once, and delays no other user', async () => {
  await hooks.addEndpoint(undefined, ['batch.completed']);
  const { path, taskIds } = await announce(MAX_FILES_PER_KEY_UPLOAD);
  const [first = '', broken = '', missing = '', ...others] = taskIds;
  for (const taskId of [first, ...others]) await store(taskId);
  await store(broken, notPictures.gif);
  const { body } = await hooks.client().post(`${path}/process`).expect(202);
  const statuses = body.task_list.map(({ status }: { status: string }) => status);
  expect(statuses).toEqual(['processing', 'invalid', 'started', ...others.map(() => 'processing')]);

  const neighbor = await hooks.api().business();
  const { task_id: single } = await neighbor.process(NO_TOOLS);
  const before: string[] = [];
  await until(async () => {
    const taken = [first, ...others].find((taskId) => hooks.worker().has(taskId));
    if (taken) before.push(taken);
    if (taken) await hooks.worker().end(taken, (run) => hooks.worker().finish(run));
    return hooks.worker().has(single);
  }, 'the picture of the other user to be taken');
  // Those that were at the worker already.
  expect(before.length).toBeLessThanOrEqual(AT_WORKER);
  await hooks.worker().end(single, (run) => hooks.worker().finish(run));

  await hooks
    .api()
    .sql(`UPDATE tasks SET status = 'failed' WHERE id = ANY ($1) AND status = 'processing'`, [[first, ...others]]);
  await runScheduled(hooks.api(), 'webhooks.');
  expect(hooks.receiver().received).toEqual([]);
  await hooks.client().post(`/tasks/${missing}/cancel`).expect(200);
  const [message] = await hooks.receiver().of('batch.completed');
  expect(message?.event.data.task_list).toHaveLength(taskIds.length);
  await runScheduled(hooks.api(), 'webhooks.');
  expect(hooks.receiver().received).toHaveLength(1);
});
