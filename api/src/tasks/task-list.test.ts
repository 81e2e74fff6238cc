import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../test/support/application.js';
import { until } from '../../test/support/until.js';
import { Visitor } from '../../test/support/visitor.js';
import { ManualWorker } from '../../test/support/workers/manual-worker.js';

let api: TestApi;
let visitor: Visitor;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());
beforeEach(async () => {
  await api.redis.flushdb();
  await api.sql('TRUNCATE bulk_uploads CASCADE');
  await api.sql('DELETE FROM runs');
  visitor = await api.guest();
});

const list = async (query = '', who = visitor) => (await who.get(`/tasks${query}`).expect(200)).body;
const idsOf = ({ data }: { data: { task_id: string }[] }) => data.map(({ task_id }) => task_id);
async function announce(count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let made = 0; made < count; made += 1) ids.unshift((await visitor.announce()).task_id);
  return ids;
}

describe('the list of tasks', () => {
  it('is empty for a new user', async () => {
    expect(await list()).toEqual({ data: [], has_more: false });
  });

  it("contains the user's own tasks, newest first, as they are shown one by one", async () => {
    const worker = new ManualWorker(api);
    await worker.start();
    const { task_id } = await visitor.process({ file_name: 'first.jpg' });
    await worker.end(task_id, (run) => worker.finish(run));
    await until(async () => (await visitor.task(task_id)).status === 'completed');
    await worker.stop();
    const announced = await visitor.announce();
    await (await api.guest()).announce();

    const { data, has_more } = await list();
    expect(has_more).toBe(false);
    expect(idsOf({ data })).toEqual([announced.task_id, task_id]);
    const { input_url, output_url, result, ...shown } = await visitor.task(task_id);
    expect(data[1]).toMatchObject(shown);
    expect((await fetch(data[1].output_url)).status).toBe(200);
  });

  it('is read in pages without gaps or repetitions while new tasks are added', async () => {
    const ids = await announce(5);
    const first = await list('?limit=2');
    expect(first.has_more).toBe(true);
    await visitor.announce();
    const second = await list(`?limit=2&starting_after=${ids[1]}`);
    expect(second.has_more).toBe(true);
    const third = await list(`?limit=2&starting_after=${ids[3]}`);
    expect(third.has_more).toBe(false);
    expect([first, second, third].flatMap(idsOf)).toEqual(ids);
  });

  it('has a stable order for equal times', async () => {
    const ids = await announce(4);
    await api.sql('UPDATE tasks SET created_at = now()');
    const first = await list('?limit=3');
    const second = await list(`?limit=3&starting_after=${idsOf(first).at(-1)}`);
    expect([...idsOf(first), ...idsOf(second)].sort()).toEqual([...ids].sort());
  });

  it('has no further page exactly at the end', async () => {
    await announce(3);
    expect((await list('?limit=3')).has_more).toBe(false);
  });

  it('is read backwards', async () => {
    const ids = await announce(5);
    const newer = await list(`?limit=2&ending_before=${ids[4]}`);
    expect([idsOf(newer), newer.has_more]).toEqual([[ids[2], ids[3]], true]);
    const newest = await list(`?limit=2&ending_before=${ids[2]}`);
    expect([idsOf(newest), newest.has_more]).toEqual([[ids[0], ids[1]], false]);
    expect(await list(`?ending_before=${ids[0]}`)).toEqual({ data: [], has_more: false });
  });

  it('is filtered by status, page by page', async () => {
    const ids = await announce(6);
    const at = (...positions: number[]) => positions.map((position) => ids[position]);
    await api.sql("UPDATE tasks SET status = 'failed' WHERE id = ANY ($1)", [at(0, 3, 4)]);
    await api.sql("UPDATE tasks SET status = 'invalid' WHERE id = $1", [ids[2]]);
    const failed = '?status=failed&status=invalid&limit=2';
    const first = await list(failed);
    expect([idsOf(first), first.has_more]).toEqual([at(0, 2), true]);
    const last = await list(`${failed}&starting_after=${ids[2]}`);
    expect([idsOf(last), last.has_more]).toEqual([at(3, 4), false]);
    const back = await list(`${failed}&ending_before=${ids[4]}`);
    expect([idsOf(back), back.has_more]).toEqual([at(2, 3), true]);
    // The cursor's own status doesn't matter: it may have changed since.
    expect(idsOf(await list(`?status=failed&starting_after=${ids[1]}`))).toEqual(at(3, 4));
    expect(idsOf(await list('?status=started&status=started'))).toEqual(at(1, 5));
    expect(await list('?status=completed')).toEqual({ data: [], has_more: false });
    expect(await list('?status=failed', await api.guest())).toEqual({ data: [], has_more: false });
  });

  it('has no files that were refused, unless they are asked for', async () => {
    const [awaiting = '', refused = '', accepted = ''] = await announce(3);
    await api.sql("UPDATE tasks SET status = 'uploading', error_code = 'uploads.unsupported_type' WHERE id = $1", [
      awaiting,
    ]);
    await api.sql("UPDATE tasks SET status = 'invalid', error_code = 'uploads.undecodable' WHERE id = $1", [refused]);
    expect(idsOf(await list(''))).toEqual([accepted]);
    expect(idsOf(await list('?status=uploading'))).toEqual([]);
    expect(idsOf(await list('?status=invalid'))).toEqual([refused]);
    expect(await list(`?starting_after=${accepted}`)).toEqual({ data: [], has_more: false });
  });

  it('is filtered by kind', async () => {
    const ids = await announce(2);
    expect(idsOf(await list('?media_type=image'))).toEqual(ids);
    expect(await list('?media_type=video')).toEqual({ data: [], has_more: false });
  });

  it('moves along at login', async () => {
    const ids = await announce(2);
    const member = await Visitor.login(api.http, undefined, visitor);
    expect(idsOf(await list('', member))).toEqual(ids);
  });
});

describe('a rejected list', () => {
  it('without a token: 401', async () => {
    const { body } = await api.http.get('/api/v1/web/tasks').expect(401);
    expect(body.error_code).toBe('users.not_authorized');
  });

  it.each(['an unknown', 'another user’s'])('after %s task: 404', async (whose) => {
    const id = whose === 'an unknown' ? randomUUID() : (await (await api.guest()).announce()).task_id;
    for (const query of [`starting_after=${id}`, `ending_before=${id}`, `media_type=video&starting_after=${id}`]) {
      const { body } = await visitor.get(`/tasks?${query}`).expect(404);
      expect(body.error_code).toBe('tasks.not_found');
    }
  });

  it.each([
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['limit=2.5', 'limit'],
    ['limit=many', 'limit'],
    ['starting_after=first', 'starting_after'],
    ['limit=1&limit=2', 'limit'],
    ['status=pristine', 'status.0'],
    ['status=failed&status=nearly', 'status.1'],
    ['status=', 'status.0'],
    ['media_type=audio', 'media_type'],
    ['media_type=image&media_type=video', 'media_type'],
    [`starting_after=${randomUUID()}&ending_before=${randomUUID()}`, 'ending_before'],
  ])('%s: 422', async (query, field) => {
    const { body } = await visitor.get(`/tasks?${query}`).expect(422);
    expect(body).toMatchObject({ error_code: 'request.invalid', details: { [field]: expect.any(String) } });
  });
});
