import { randomUUID } from 'node:crypto';
import { ObjectStore } from '@clearframe/runtime/storage';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { startApi, type TestApi } from '../../test/support/application.js';
import { runScheduled } from '../../test/support/scheduled.js';
import { newEmail, type Visitor } from '../../test/support/visitor.js';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());
beforeEach(async () => {
  await api.sql('TRUNCATE users CASCADE');
});

const clean = () => runScheduled(api, 'retention.');
const idOf = async (visitor: Visitor): Promise<string> => (await visitor.me()).web_user_id;
const isThere = async (table: 'users' | 'sessions', column: 'id' | 'user_id', id: string) =>
  (await api.sql(`SELECT FROM ${table} WHERE ${column} = $1`, [id])).length > 0;
const age = (id: string, days: number) =>
  api.sql("UPDATE users SET created_at = now() - $2 * interval '1 day' WHERE id = $1", [id, days]);
const end = (id: string, daysAgo: number) =>
  api.sql("UPDATE sessions SET expires_at = now() - $2 * interval '1 day' WHERE user_id = $1", [id, daysAgo]);

describe('an abandoned guest', () => {
  it('is deleted when old and without a session', async () => {
    const [abandoned, young, alive, member] = await Promise.all([api.guest(), api.guest(), api.guest(), api.member()]);
    const ids = await Promise.all([abandoned, young, alive, member].map(idOf));
    const [goneId = '', youngId = '', aliveId = '', memberId = ''] = ids;
    for (const id of [goneId, aliveId, memberId]) await age(id, 31);
    for (const id of [goneId, youngId, memberId]) await end(id, 1);
    await clean();
    expect(await Promise.all(ids.map((id) => isThere('users', 'id', id)))).toEqual([false, true, true, true]);
    await alive.me();
  });

  it('is deleted after its data moved to an account, with its onboarding', async () => {
    const guest = await api.guest();
    const id = await idOf(guest);
    const { body } = await guest.post('/users/@me/web-onboarding').expect(201);
    await (await api.member())
      .post('/users/migrate', { web_onboarding_user_id: body.web_onboarding_user_id })
      .expect(200);
    await clean();
    expect(await isThere('users', 'id', id)).toBe(true);
    await age(id, 31);
    await clean();
    expect(await isThere('users', 'id', id)).toBe(false);
    expect(await api.sql('SELECT FROM web_onboardings')).toEqual([]);
  });

  it('with pictures is deleted after they and their files are', async () => {
    const guest = await api.guest();
    const [id, { task_id }] = [await idOf(guest), await guest.upload()];
    await age(id, 31);
    await end(id, 1);
    await clean();
    expect(await isThere('users', 'id', id)).toBe(true);
    await api.sql("UPDATE tasks SET expires_at = now() - interval '1 hour' WHERE id = $1", [task_id]);
    await clean();
    expect(await isThere('users', 'id', id)).toBe(false);
    expect(await api.files()).toEqual([]);
  });

  it('is found among any number of retained ones', async () => {
    await api.sql(
      `INSERT INTO users (id, is_guest, created_at)
       SELECT gen_random_uuid(), true, now() - interval '40 days' FROM generate_series(1, 1100)`,
    );
    await api.sql(
      `INSERT INTO bulk_uploads (id, user_id, created_at)
       SELECT gen_random_uuid(), id, now() FROM (SELECT id FROM users ORDER BY id LIMIT 600) kept`,
    );
    await clean();
    expect(await api.sql('SELECT FROM users')).toHaveLength(600);
  });
});

describe('a session', () => {
  it.each<[string, string, boolean]>([
    ['long over', "expires_at = now() - interval '31 days'", false],
    ['ended long ago', "revoked_at = now() - interval '31 days'", false],
    ['just over', "expires_at = now() - interval '29 days'", true],
    ['just ended', "revoked_at = now() - interval '29 days'", true],
    ['good', 'revoked_at = NULL', true],
  ])('that is %s', async (_what, change, stays) => {
    const id = await idOf(await api.member({ email: newEmail() }));
    await api.sql(`UPDATE sessions SET ${change} WHERE user_id = $1`, [id]);
    await clean();
    expect(await isThere('sessions', 'user_id', id)).toBe(stays);
    expect(await isThere('users', 'id', id)).toBe(true);
  });
});

it('an identity that the provider has not deleted is retried', async () => {
  const uid = randomUUID();
  await api.sql('INSERT INTO erased_identities (uid, erased_at) VALUES ($1, now())', [uid]);
  await clean();
  expect(await api.sql('SELECT FROM erased_identities')).toEqual([]);
});

it("a task whose files can't be deleted stops neither other tasks nor other retention", async () => {
  const guest = await api.guest();
  const [stuck, other] = [await guest.upload(), await guest.upload()];
  const key = (await api.files()).find((file) => file.includes(stuck.task_id)) ?? '';
  const store = api.app.get(ObjectStore, { strict: false });
  const remove = store.delete.bind(store);
  const full = vi.spyOn(store, 'delete').mockImplementation(async (name) => {
    if (name.includes(stuck.task_id))
      throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
    await remove(name);
  });
  await api.sql("UPDATE tasks SET expires_at = now() - interval '1 hour'");
  await api.sql("UPDATE tasks SET expires_at = now() - interval '2 hours' WHERE id = $1", [stuck.task_id]);
  const uid = randomUUID();
  await api.sql('INSERT INTO erased_identities (uid, erased_at) VALUES ($1, now())', [uid]);
  await clean();
  expect(await api.sql('SELECT id FROM tasks')).toEqual([{ id: stuck.task_id }]);
  expect((await api.files()).some((file) => file.includes(other.task_id))).toBe(false);
  expect(await api.sql('SELECT FROM erased_identities')).toEqual([]);
  const failed = `SELECT kind, subject, reason FROM work_attempts WHERE reason IS NOT NULL`;
  expect(await api.sql(failed)).toEqual([
    { kind: 'retention.tasks', subject: stuck.task_id, reason: expect.stringContaining('ENOSPC') },
  ]);
  full.mockRestore();
  await api.sql('UPDATE work_attempts SET next_attempt_at = now()');
  await clean();
  expect(await api.files()).not.toContain(key);
  expect(await api.sql(failed)).toEqual([]);
});

it('expired tasks of one upload, deleted at the same time, leave no upload', async () => {
  const business = await api.business();
  const list = Array.from({ length: 8 }, () => ({ image_content_type: 'image/jpeg' }));
  await business.post('/tasks/bulk-upload', { input_task_list: list }).expect(201);
  await api.sql("UPDATE tasks SET expires_at = now() - interval '1 hour'");
  await clean();
  expect(await api.sql('SELECT FROM tasks')).toEqual([]);
  expect(await api.sql('SELECT FROM bulk_uploads')).toEqual([]);
});

it('old rows are deleted, more than one statement deletes', async () => {
  await api.sql(
    `INSERT INTO idempotency_keys (scope, key, fingerprint, created_at)
     SELECT 'old', n, '', now() - interval '30 days' FROM generate_series(1, 12000) n
     UNION ALL SELECT 'new', '1', '', now()`,
  );
  await clean();
  expect(await api.sql("SELECT scope FROM idempotency_keys WHERE scope IN ('old', 'new')")).toEqual([{ scope: 'new' }]);
});
