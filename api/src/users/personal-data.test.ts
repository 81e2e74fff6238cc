import { rm } from 'node:fs/promises';
import { cancellationKey } from '@clearframe/contract';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../test/support/application.js';
import { picture } from '../../test/support/pictures.js';
import { tablesWith } from '../../test/support/stored-tables.js';
import { until } from '../../test/support/until.js';
import { responseOf, startPut } from '../../test/support/uploads/sender.js';
import { identityToken, newEmail, postLogin, put, type Visitor } from '../../test/support/visitor.js';
import { ManualWorker } from '../../test/support/workers/manual-worker.js';
import { createFinishedTask } from '../../test/support/workers/results.js';

const ROUNDS = 8;
let api: TestApi;
let email: string;
let member: Visitor;
let other: Visitor;
let worker: ManualWorker;
beforeAll(async () => {
  api = await startApi();
  other = await api.member();
});
afterAll(() => api.stop());
beforeEach(async () => {
  await api.redis.flushdb();
  await api.sql('TRUNCATE bulk_uploads CASCADE');
  await api.sql('DELETE FROM runs');
  for (const key of await api.files()) await rm(api.pathOf(key), { force: true });
  email = newEmail();
  member = await api.member({ email });
  worker = new ManualWorker(api);
});
afterEach(() => worker.stop());

const erase = (visitor: Visitor) => visitor.delete('/users/@me');
const idOf = async (visitor: Visitor): Promise<string> => (await visitor.me()).web_user_id;
const filesOf = async (taskId: string) => (await api.files()).filter((key) => key.includes(taskId));
/** Files without a row would never be deleted. */
async function orphans(): Promise<string[]> {
  const known = (await api.sql<{ id: string }>('SELECT id FROM tasks')).map(({ id }) => id);
  return (await api.files()).filter((key) => !known.some((id) => key.includes(id)));
}

describe('exporting', () => {
  it('contains everything of the user and nothing of others', async () => {
    await worker.start();
    const second = await api.member({ email });
    const { task_id: done } = await createFinishedTask(member, worker, { file_name: 'me.jpg' });
    const { task_id: waiting } = await member.announce({ file_name: 'été.png', ai_pipeline: {} });
    await other.upload();
    await (await api.guest()).upload();
    const { body, headers } = await second.get('/users/@me/export').expect(200);
    expect(headers['cache-control']).toBe('no-store');
    expect(body).toMatchObject({ payments: [], subscriptions: [], credit_entries: [], mail: [] });
    expect(body.user).toEqual(await member.me());
    expect(body.profile).toEqual({ language: null, is_email_verified: true });
    const session = { created_at: expect.any(String), expires_at: expect.any(String), ended_at: null };
    expect(body.sessions).toEqual([session, session]);
    const { created_at, expires_at } = await member.task(done);
    const pipeline = { face_enhance: { model: 'base' }, background_enhance: { model: 'base' } };
    expect(body.tasks).toEqual([
      expect.objectContaining({
        task_id: done,
        status: 'completed',
        file_name: 'me.jpg',
        ai_pipeline: pipeline,
        created_at,
        expires_at,
        input_url: expect.stringContaining('/media/'),
        outputs: [expect.objectContaining({ url: expect.stringContaining('/media/') })],
        renditions: [],
      }),
      expect.objectContaining({
        task_id: waiting,
        status: 'started',
        file_name: 'été.png',
        ai_pipeline: {},
        outputs: [],
      }),
    ]);
    expect((await fetch(body.tasks[0].input_url)).status).toBe(200);
  });

  it('shows ended sessions, and works for a guest without data', async () => {
    await (await api.member({ email })).post('/users/logout').expect(204);
    const { sessions } = (await member.get('/users/@me/export').expect(200)).body;
    expect(sessions.map(({ ended_at }: { ended_at: string | null }) => ended_at)).toEqual([null, expect.any(String)]);
    const { body } = await (await api.guest()).get('/users/@me/export').expect(200);
    expect(body).toMatchObject({ user: { is_guest: true }, tasks: [] });
  });
});

describe('erasing', () => {
  it('leaves no row, file or session, and affects no other user', async () => {
    await worker.start();
    const here = await api.member({ email });
    const { task_id: mine } = await createFinishedTask(member, worker, { file_name: 'me.jpg' });
    const { task_id: theirs } = await createFinishedTask(other, worker);
    const open = await member.upload();
    const { output_url } = await member.task(mine);
    const { web_user_id, firebase_uid } = await member.me();
    const traces = [web_user_id, firebase_uid, email, mine, open.task_id];
    const kept = await filesOf(theirs);
    expect(await tablesWith(api, traces)).toEqual(
      expect.arrayContaining(['users', 'sessions', 'bulk_uploads', 'tasks']),
    );

    expect((await erase(member).expect(204)).text).toBe('');
    for (const visitor of [member, here]) await visitor.get('/users/@me').expect(401);
    expect(await tablesWith(api, traces)).toEqual([]);
    expect(await api.files()).toEqual(kept);
    expect((await fetch(output_url)).status).toBe(404);
    expect((await put(open, picture.jpeg())).status).toBe(404);
    expect((await other.task(theirs)).status).toBe('completed');
  });

  it('allows a new account with the same address', async () => {
    await member.upload();
    await member.put('/users/@me/preferences/override', { preferences: { wants_email_reminder: false } }).expect(200);
    const id = await idOf(member);
    await erase(member).expect(204);
    const again = await api.member({ email });
    expect(await idOf(again)).not.toBe(id);
    expect((await again.me()).preferences.wants_email_reminder).toBe(true);
    expect((await again.get('/users/@me/export').expect(200)).body.tasks).toEqual([]);
  });

  it('stops waiting and running work, whose later results are deleted', async () => {
    await worker.start();
    const [first, second] = [await member.process(), await member.process()];
    const { run } = await worker.waitForJob(first.task_id);
    await erase(member).expect(204);
    expect(await api.redis.exists(cancellationKey(run.runId))).toBe(1);
    await worker.end(first.task_id, () => worker.finish(run));
    await worker.waitForReports();
    expect(worker.has(second.task_id)).toBe(false);
    expect(await api.files()).toEqual([]);
  });

  it('works in several batches', async () => {
    const [{ bulk_upload_id }, id] = [await member.announce(), await idOf(member)];
    await api.sql(
      `INSERT INTO tasks (id, bulk_upload_id, user_id, position, status, ai_pipeline, output_content_type, jpeg_quality,
         content_type, created_at, expires_at)
       SELECT gen_random_uuid(), $1, $2, n, 'started', '{}', 'image/jpeg', 90, 'image/jpeg', now(), now()
       FROM generate_series(1, 250) n`,
      [bulk_upload_id, id],
    );
    await erase(member).expect(204);
    expect(await api.sql('SELECT FROM tasks')).toEqual([]);
  });

  it('works for a guest', async () => {
    const guest = await api.guest();
    await guest.upload();
    await erase(guest).expect(204);
    await guest.get('/users/@me').expect(401);
    expect(await api.files()).toEqual([]);
  });

  it('twice at once erases once', async () => {
    await member.upload();
    const responses = await Promise.all([erase(member), erase(member)]);
    expect(responses.map(({ status }) => status)).toContain(204);
    for (const { status } of responses) expect([204, 401]).toContain(status);
    expect(await api.files()).toEqual([]);
  });
});

describe('erasing during', () => {
  it('an upload leaves nothing of it', async () => {
    const announced = await member.announce();
    const sending = startPut(announced.upload_url, { 'content-length': 200_000 });
    const response = responseOf(sending);
    const bytes = picture.jpeg(200_000);
    sending.write(bytes.subarray(0, 100_000));
    await until(async () => (await member.task(announced.task_id)).status === 'uploading');
    await erase(member).expect(204);
    sending.end(bytes.subarray(100_000));
    expect(await response).toEqual([409, 'uploads.closed']);
    expect(await api.files()).toEqual([]);
  });

  it.each<[string, (visitor: Visitor) => Promise<() => Promise<unknown>>]>([
    [
      'small uploads',
      async (visitor) => {
        const targets = await Promise.all(Array.from({ length: 4 }, () => visitor.announce()));
        return () => Promise.all(targets.map((target) => put(target, picture.jpeg())));
      },
    ],
    [
      'announcements',
      async (visitor) => () =>
        Promise.all(
          Array.from({ length: 4 }, () => visitor.post('/tasks/bulk-upload', { image_content_type: 'image/jpeg' })),
        ),
    ],
    [
      'starting work',
      async (visitor) => {
        const sent = await Promise.all(Array.from({ length: 3 }, () => visitor.upload()));
        return () =>
          Promise.all(
            sent.map(({ bulk_upload_id }) =>
              visitor.post(`/tasks/bulk-upload/${bulk_upload_id}/process`).expect(({ status }) => {
                expect([202, 401, 404, 409]).toContain(status);
              }),
            ),
          );
      },
    ],
  ])('%s leaves nothing behind', async (_what, prepare) => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const visitor = await api.member();
      const act = await prepare(visitor);
      const [response] = await Promise.all([erase(visitor), act()]);
      expect(response.status).toBe(204);
      expect(await api.files()).toEqual([]);
      expect(await api.sql('SELECT FROM tasks')).toEqual([]);
    }
  });

  it("a login with a guest's pictures leaves them in an account or deletes them with their files", async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const address = newEmail();
      const [visitor, guest] = [await api.member({ email: address }), await api.guest()];
      await Promise.all([visitor.upload(), visitor.upload(), guest.upload()]);
      const token = await identityToken(api.http, { email: address });
      const [erasure, login] = await Promise.all([erase(visitor), postLogin(api.http, token, guest.token)]);
      expect([erasure.status, login.status]).toEqual([204, 200]);
      expect(await orphans()).toEqual([]);
      expect((await api.member({ email: address }).then((fresh) => fresh.me())).email).toBe(address);
    }
  });

  it('the last report of a run deletes its result', async () => {
    await worker.start();
    for (let round = 0; round < ROUNDS; round += 1) {
      const visitor = await api.member();
      const { task_id } = await visitor.process();
      await worker.waitForJob(task_id);
      await Promise.all([erase(visitor).expect(204), worker.end(task_id, (run) => worker.finish(run))]);
      await worker.waitForReports();
      expect(await api.files()).toEqual([]);
    }
  });
});
