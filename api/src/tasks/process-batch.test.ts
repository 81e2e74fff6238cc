import { writeFile } from 'node:fs/promises';
import { objectKeys } from '@clearframe/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../test/support/application.js';
import { notPictures, picture } from '../../test/support/pictures.js';
import { put, type Visitor, type WireTarget } from '../../test/support/visitor.js';

let api: TestApi;
let business: Visitor;
beforeAll(async () => {
  api = await startApi();
  business = await api.business();
});
afterAll(() => api.stop());

describe('several pictures of a business user', () => {
  const JPEG = { image_content_type: 'image/jpeg' };
  async function announce(count: number): Promise<{ id: string; targets: WireTarget[] }> {
    const { body } = await business
      .post('/tasks/bulk-upload', { input_task_list: new Array(count).fill(JPEG) })
      .expect(201);
    return { id: body.bulk_upload_id, targets: body.task_list };
  }
  const add = (id: string) => business.post(`/tasks/bulk-upload/${id}`, { input_task_list: [JPEG] });
  const targetOf = (targets: WireTarget[], index: number): WireTarget => {
    const target = targets[index];
    if (!target) throw new Error(`picture ${index} was not announced`);
    return target;
  };
  const statusesOf = (body: { task_list: { status: string }[] }) => body.task_list.map(({ status }) => status);
  const startAll = (id: string) => business.post(`/tasks/bulk-upload/${id}/process`);

  it('are processed while invalid ones become `invalid` and missing ones stay open', async () => {
    const { id, targets } = await announce(3);
    const [good, , bad] = targets;
    if (!good || !bad) throw new Error('three pictures were announced');
    await put(good, picture.jpeg());
    await writeFile(api.pathOf(objectKeys.upload(bad.task_id)), notPictures.gif);
    const { body } = await startAll(id).expect(202);
    expect(
      body.task_list.map((task: { status: string; error_code: unknown }) => [task.status, task.error_code]),
    ).toEqual([
      ['processing', null],
      ['started', null],
      ['invalid', 'uploads.unsupported_type'],
    ]);
    expect(body.status).toBe('processing');
    expect((await api.files()).some((key) => key.includes(bad.task_id))).toBe(false);
  });

  it('are started as they arrive, by their ids', async () => {
    const { id, targets } = await announce(3);
    const [first, second, third] = targets.map(({ task_id }) => task_id);
    await put(targetOf(targets, 0), picture.jpeg());
    await put(targetOf(targets, 1), picture.jpeg());
    const other = await api.guest();
    const startOnly = (...task_ids: unknown[]) => business.post(`/tasks/bulk-upload/${id}/process`, { task_ids });
    expect(statusesOf((await startOnly(second).expect(202)).body)).toEqual(['uploading', 'processing', 'started']);
    expect(statusesOf((await startOnly(second, first).expect(202)).body)).toEqual([
      'processing',
      'processing',
      'started',
    ]);
    const runs = await api.sql(`SELECT FROM runs WHERE subject_id = $1 AND kind = 'image.enhance'`, [second]);
    expect(runs).toHaveLength(1);
    expect((await startOnly(third).expect(409)).body.error_code).toBe('uploads.missing');
    expect((await startOnly(third, (await other.announce()).task_id).expect(404)).body.error_code).toBe(
      'tasks.not_found',
    );
    await startOnly().expect(422);
    await put(targetOf(targets, 2), picture.jpeg());
    expect(statusesOf((await startOnly(third).expect(202)).body)).toEqual(new Array(3).fill('processing'));
  });

  it('one that is named and invalid ends alone, though no other file has arrived', async () => {
    const { id, targets } = await announce(2);
    const [bad] = targets;
    await writeFile(api.pathOf(objectKeys.upload(bad?.task_id ?? '')), notPictures.gif);
    const { body } = await business.post(`/tasks/bulk-upload/${id}/process`, { task_ids: [bad?.task_id] }).expect(202);
    expect(statusesOf(body)).toEqual(['invalid', 'started']);
    await put(targetOf(targets, 1), picture.jpeg());
    expect(statusesOf((await startAll(id).expect(202)).body)).toEqual(['invalid', 'processing']);
  });

  it.each(['cancelled', 'invalid'])('are refused without a file beside one that is %s', async (status) => {
    const { id, targets } = await announce(2);
    if (status === 'cancelled') await business.post(`/tasks/${targetOf(targets, 0).task_id}/cancel`).expect(200);
    else await api.sql('UPDATE tasks SET status = $2 WHERE id = $1', [targetOf(targets, 0).task_id, status]);
    expect((await startAll(id).expect(409)).body.error_code).toBe('uploads.missing');
    await put(targetOf(targets, 1), picture.jpeg());
    expect(statusesOf((await startAll(id).expect(202)).body)).toEqual([status, 'processing']);
    expect(statusesOf((await startAll(id).expect(202)).body)).toEqual([status, 'processing']);
  });

  it('are refused when all are cancelled', async () => {
    const { id, targets } = await announce(2);
    for (const { task_id } of targets) await business.post(`/tasks/${task_id}/cancel`).expect(200);
    expect((await startAll(id).expect(409)).body.error_code).toBe('tasks.wrong_state');
  });

  it('are at most fifteen, also when added one by one and after others were deleted', async () => {
    const { id, targets } = await announce(14);
    await add(id).expect(201);
    expect((await add(id)).body.error_code).toBe('batch.too_many_files');
    const sixteen = { input_task_list: new Array(16).fill(JPEG) };
    expect((await business.post('/tasks/bulk-upload', sixteen).expect(422)).body.error_code).toBe(
      'batch.too_many_files',
    );
    await business.delete('/tasks/delete', { task_ids: [targetOf(targets, 3).task_id] }).expect(204);
    await add(id).expect(201);
    const { body } = await business.get(`/tasks/bulk-upload/${id}`).expect(200);
    expect(body.task_list).toHaveLength(15);
    expect(body.task_list.at(-1)).toMatchObject({ status: 'started', bulk_upload_size: 15 });
  });

  it('can be added while others are processed, until all have ended', async () => {
    const { id, targets } = await announce(1);
    await put(targetOf(targets, 0), picture.jpeg());
    await startAll(id).expect(202);
    const { body: added } = await add(id).expect(201);
    await put(added.task_list[0], picture.jpeg());
    expect(statusesOf((await startAll(id).expect(202)).body)).toEqual(['processing', 'processing']);
    for (const { task_id } of [...targets, ...added.task_list])
      await business.post(`/tasks/${task_id}/cancel`).expect(200);
    expect((await add(id).expect(409)).body.error_code).toBe('bulk_uploads.already_processed');
  });

  it('added concurrently get distinct positions', async () => {
    const { id } = await announce(1);
    const responses = await Promise.all(Array.from({ length: 5 }, () => add(id)));
    expect(responses.map(({ status }) => status)).toEqual(new Array(5).fill(201));
    expect((await business.get(`/tasks/bulk-upload/${id}`).expect(200)).body.task_list).toHaveLength(6);
  });
});
