import { randomUUID } from 'node:crypto';
import { BASE_PATH, ROUTES, requiresCaller } from '@clearframe/contract';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../test/support/application.js';
import { until } from '../../test/support/until.js';
import { identityToken, newEmail, type Persona, postLogin, type Visitor } from '../../test/support/visitor.js';
import { ManualWorker } from '../../test/support/workers/manual-worker.js';

const DAY_MS = 86_400_000;
let api: TestApi;
let guest: Visitor;
let email: string;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());
beforeEach(async () => {
  guest = await api.guest();
  email = newEmail();
});

const login = async (persona: Persona, bearer?: string, preferences?: object) =>
  postLogin(api.http, await identityToken(api.http, persona), bearer, preferences);
const idOf = async (visitor: Visitor): Promise<string> => (await visitor.me()).web_user_id;
const count = async (table: 'tasks' | 'bulk_uploads', userId: string) =>
  (await api.sql(`SELECT FROM ${table} WHERE user_id = $1`, [userId])).length;

describe('logging in', () => {
  it('creates an account; returns a token only, with caching disabled', async () => {
    const { body, headers } = await login({ email, provider: 'facebook' }).then((response) => {
      expect(response.status).toBe(200);
      return response;
    });
    expect(Object.keys(body)).toEqual(['access_token']);
    expect(headers['cache-control']).toBe('no-store');
    const account = await api.member({ email });
    expect(await account.me()).toMatchObject({ is_guest: false, email, source: 'facebook' });
  });

  it('again opens another session of the same account, and both work', async () => {
    const [first, second] = [await api.member({ email }), await api.member({ email })];
    expect(second.token).not.toBe(first.token);
    expect(await idOf(second)).toBe(await idOf(first));
  });

  it.each<[string, (address: string) => Persona]>([
    ['in capitals', (address) => ({ email: address.toUpperCase() })],
    ['by another provider', (address) => ({ email: address, provider: 'apple' })],
  ])('with the same address %s opens the same account', async (_how, persona) => {
    const first = await api.member({ email });
    const second = await api.member(persona(email));
    expect(await second.me()).toEqual(await first.me());
  });

  it('stores given preferences, keeps the others, and drops unknown ones', async () => {
    const pipeline = { face_enhance: { model: 'base' } };
    await login({ email }, undefined, { wants_email_reminder: false, is_free: true, favorite: 'x' });
    await login({ email }, undefined, { default_ai_pipeline: pipeline });
    await login({ email });
    const account = await api.member({ email });
    expect((await account.me()).preferences).toEqual({
      wants_email_reminder: false,
      default_ai_pipeline: pipeline,
      keep_location: false,
    });
    const [row] = await api.sql('SELECT preferences, is_free FROM users WHERE id = $1', [await idOf(account)]);
    expect(row?.is_free).toBe(false);
    expect(Object.keys(row?.preferences).sort()).toEqual(['defaultAiPipeline', 'wantsEmailReminder']);
  });

  it.each<[string, object]>([
    ['no token', {}],
    ['an empty token', { firebase_id_token: '' }],
    ['a token that is not a string', { firebase_id_token: 1 }],
    ['a token that is too long', { firebase_id_token: 'x'.repeat(10_001) }],
    ['preferences of a wrong type', { firebase_id_token: 'x', preferences: { wants_email_reminder: 'yes' } }],
    ['an unknown tool', { firebase_id_token: 'x', preferences: { default_ai_pipeline: { magic: { model: 'x' } } } }],
  ])('with %s is 422 and names the field', async (_what, body) => {
    const response = await api.http.post(`${BASE_PATH}/users/login`).send(body).expect(422);
    expect(response.body.error_code).toBe('request.invalid');
    expect(Object.keys(response.body.details)).toHaveLength(1);
  });
});

describe('logging in as a guest', () => {
  let worker: ManualWorker;
  beforeEach(async () => {
    await api.redis.flushdb();
    await api.sql('DELETE FROM runs');
    worker = new ManualWorker(api);
  });
  afterEach(() => worker.stop());

  const isCompleted = (owner: Visitor, taskId: string) =>
    until(async () => (await owner.task(taskId)).status === 'completed', `${taskId} to be completed`);

  it.each<[string, boolean]>([
    ['a new account', false],
    ['an existing account with pictures of its own', true],
  ])('moves everything into %s', async (_where, exists) => {
    await worker.start();
    const own = exists ? await (await api.member({ email })).upload() : null;
    const announced = await guest.upload({ file_name: 'me.jpg' });
    const { task_id, bulk_upload_id } = await guest.process();
    await worker.end(task_id, (run) => worker.finish(run));
    await isCompleted(guest, task_id);
    const guestId = await idOf(guest);
    const before = await guest.task(task_id);

    const response = await login({ email }, guest.token);
    expect(response.status).toBe(200);
    const account = await api.member({ email });
    for (const { task_id: id } of [announced, ...(own ? [own] : [])]) await account.task(id);
    const after = await account.task(task_id);
    expect(after).toMatchObject({ status: 'completed', result: { outputs: before.result.outputs } });
    expect(Date.parse(after.expires_at) - Date.parse(after.created_at)).toBe(30 * DAY_MS);
    expect((await fetch(after.output_url)).status).toBe(200);
    await account.get(`/tasks/bulk-upload/${bulk_upload_id}`).expect(200);
    await account.post(`/tasks/bulk-upload/${announced.bulk_upload_id}/process`).expect(202);
    for (const table of ['tasks', 'bulk_uploads'] as const) {
      expect(await count(table, guestId)).toBe(0);
      expect(await count(table, await idOf(account))).toBe(exists ? 3 : 2);
    }
  });

  it('ends the guest: the token is rejected on every route', async () => {
    const { task_id } = await guest.upload();
    await login({ email }, guest.token);
    await guest.get(`/tasks/${task_id}`).expect(401);
    for (const { method, path } of ROUTES.filter(requiresCaller)) {
      const address = `${BASE_PATH}${path.replace(/:\w+/g, randomUUID())}`;
      const pendingRequest = api.http[method.toLowerCase() as 'get' | 'post' | 'put' | 'delete'](address);
      const { status, body } = await pendingRequest.auth(guest.token, { type: 'bearer' }).send({});
      expect([method, path, status, body.error_code]).toEqual([method, path, 401, 'users.not_authorized']);
    }
  });

  it('does not interrupt a picture being processed: its result is in the account', async () => {
    await worker.start();
    const { task_id } = await guest.process();
    await worker.waitForJob(task_id);
    const account = await api.member({ email });
    await login({ email }, guest.token);
    expect((await account.task(task_id)).status).toBe('processing');
    await worker.end(task_id, (run) => worker.finish(run));
    await isCompleted(account, task_id);
  });

  it('made free by staff moves as well', async () => {
    await api.sql('UPDATE users SET is_free = true WHERE id = $1', [await idOf(guest)]);
    const { task_id } = await guest.upload();
    await login({ email }, guest.token);
    await guest.get(`/tasks/${task_id}`).expect(401);
    await (await api.member({ email })).task(task_id);
  });

  it('twice moves the guest once: the second login only logs in, also to another account', async () => {
    const { task_id } = await guest.upload();
    await login({ email }, guest.token);
    expect((await login({ email }, guest.token)).status).toBe(200);
    const other = newEmail();
    expect((await login({ email: other }, guest.token)).status).toBe(200);
    await (await api.member({ email })).task(task_id);
    await (await api.member({ email: other })).get(`/tasks/${task_id}`).expect(404);
  });

  it('with an invalid identity token changes nothing', async () => {
    const { task_id } = await guest.upload();
    expect((await postLogin(api.http, 'a.b.c', guest.token)).status).toBe(401);
    await guest.task(task_id);
  });
});

describe("logging in with a token that is not a live guest's", () => {
  it('of an account only logs in; that account stays logged in', async () => {
    const other = await api.member();
    const { task_id } = await other.upload();
    expect((await login({ email }, other.token)).status).toBe(200);
    await other.task(task_id);
    await (await api.member({ email })).get(`/tasks/${task_id}`).expect(404);
  });

  it.each<[string, (token: string) => string | Promise<string>]>([
    ['garbage', () => 'a.b.c'],
    ['of another key', (token) => `${token.slice(0, -4)}AAAA`],
    [
      'of an expired session',
      async (token) => {
        await api.sql('UPDATE sessions SET expires_at = now() WHERE user_id = $1', [await idOf(guest)]);
        return token;
      },
    ],
    [
      'of a revoked session',
      async (token) => {
        await guest.post('/users/logout').expect(204);
        return token;
      },
    ],
  ])('%s only logs in', async (_what, tamper) => {
    const { task_id } = await guest.upload();
    const guestId = await idOf(guest);
    expect((await login({ email }, await tamper(guest.token))).status).toBe(200);
    await (await api.member({ email })).get(`/tasks/${task_id}`).expect(404);
    expect(await count('tasks', guestId)).toBe(1);
  });
});
