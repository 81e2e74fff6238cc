import { BASE_PATH } from '@clearframe/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../test/support/application.js';
import { picture } from '../../test/support/pictures.js';
import { until } from '../../test/support/until.js';
import { responseOf, startPut } from '../../test/support/uploads/sender.js';
import { identityToken, newEmail, postLogin, put, Visitor } from '../../test/support/visitor.js';
import { ManualWorker } from '../../test/support/workers/manual-worker.js';

const ROUNDS = 8;
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

async function prepareLogin(address = email, bearer: string | undefined = guest.token) {
  const token = await identityToken(api.http, { email: address });
  return async (): Promise<number> => (await postLogin(api.http, token, bearer)).status;
}
const status = async (pendingRequest: PromiseLike<{ status: number }>): Promise<number> =>
  (await pendingRequest).status;
const ownedBy = async (visitor: Visitor): Promise<string[]> => {
  const { web_user_id } = await visitor.me();
  return (await api.sql<{ id: string }>('SELECT id FROM tasks WHERE user_id = $1', [web_user_id])).map(({ id }) => id);
};
async function rounds(play: (guest: Visitor, email: string) => Promise<void>): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) await play(await api.guest(), newEmail());
}

describe('two concurrent logins of one guest', () => {
  it.each<[string, (first: string) => string]>([
    ['into the same account', (first) => first],
    ['into two accounts', () => newEmail()],
  ])('%s: both succeed, and all data is in one place', async (_where, second) => {
    await rounds(async (visitor, first) => {
      const sent = [await visitor.upload(), await visitor.upload(), await visitor.announce()];
      const addresses = [first, second(first)];
      const logins = await Promise.all(addresses.map((address) => prepareLogin(address, visitor.token)));
      expect(await Promise.all(logins.map((login) => login()))).toEqual([200, 200]);
      const owners = await Promise.all([...new Set(addresses)].map((address) => api.member({ email: address })));
      const found = (await Promise.all(owners.map(ownedBy))).filter((ids) => ids.length > 0);
      expect(found.map((ids) => ids.sort())).toEqual([sent.map(({ task_id }) => task_id).sort()]);
    });
  });
});

it('ten concurrent first logins of one person create one account', async () => {
  const logins = await Promise.all(Array.from({ length: 10 }, () => prepareLogin(email, undefined)));
  expect(await Promise.all(logins.map((login) => login()))).toEqual(new Array(10).fill(200));
  expect(await api.sql('SELECT FROM users WHERE email = $1', [email])).toHaveLength(1);
});

it('ten guests of one person who log in concurrently lose nothing', async () => {
  const guests = await Promise.all(Array.from({ length: 10 }, () => api.guest()));
  const sent = await Promise.all(guests.map((visitor) => visitor.upload()));
  const logins = await Promise.all(guests.map(({ token }) => prepareLogin(email, token)));
  expect(await Promise.all(logins.map((login) => login()))).toEqual(new Array(10).fill(200));
  const ids = await ownedBy(await api.member({ email }));
  expect(ids.sort()).toEqual(sent.map(({ task_id }) => task_id).sort());
});

describe('a login while the guest', () => {
  it('announces pictures: those with 201 are in the account, others were rejected', async () => {
    await rounds(async (visitor, address) => {
      const login = await prepareLogin(address, visitor.token);
      const announce = () => visitor.post('/tasks/bulk-upload', { image_content_type: 'image/jpeg' });
      const [answered, ...responses] = await Promise.all([login(), ...Array.from({ length: 6 }, announce)]);
      expect(answered).toBe(200);
      for (const { status: code } of responses) expect([201, 401]).toContain(code);
      const promised = responses.flatMap(({ body }) => (body.task_list ? [body.task_list[0].task_id] : []));
      expect((await ownedBy(await api.member({ email: address }))).sort()).toEqual(promised.sort());
    });
  });

  it('adds to an upload: nothing with 201 is left behind', async () => {
    await rounds(async (visitor, address) => {
      // Only a business user may add; staff can make a guest one.
      await api.sql('UPDATE users SET is_free = true WHERE id = $1', [(await visitor.me()).web_user_id]);
      const { task_id, bulk_upload_id } = await visitor.announce();
      const login = await prepareLogin(address, visitor.token);
      const add = () =>
        visitor.post(`/tasks/bulk-upload/${bulk_upload_id}`, {
          input_task_list: [{ image_content_type: 'image/png' }],
        });
      const [answered, ...responses] = await Promise.all([login(), add(), add()]);
      expect(answered).toBe(200);
      const promised = responses.flatMap(({ body }) => (body.task_list ? [body.task_list[0].task_id] : []));
      for (const { status: code } of responses) expect([201, 401, 404]).toContain(code);
      expect((await ownedBy(await api.member({ email: address }))).sort()).toEqual([task_id, ...promised].sort());
    });
  });

  it('sends bytes: they arrive, and processing can start', async () => {
    const announced = await guest.announce();
    const bytes = picture.jpeg(200_000);
    const sending = startPut(announced.upload_url, { 'content-length': bytes.length });
    const response = responseOf(sending);
    sending.write(bytes.subarray(0, 100_000));
    await until(async () => (await guest.task(announced.task_id)).status === 'uploading');
    expect(await (await prepareLogin())()).toBe(200);
    sending.end(bytes.subarray(100_000));
    expect(await response).toEqual([200, undefined]);
    const account = await api.member({ email });
    expect((await account.task(announced.task_id)).input.size_bytes).toBe(bytes.length);
    await account.post(`/tasks/bulk-upload/${announced.bulk_upload_id}/process`).expect(202);
  });

  it('sends a small file at the same moment', async () => {
    await rounds(async (visitor, address) => {
      const announced = await visitor.announce();
      const login = await prepareLogin(address, visitor.token);
      expect(await Promise.all([login(), status(put(announced, picture.jpeg()))])).toEqual([200, 200]);
      const task = await (await api.member({ email: address })).task(announced.task_id);
      expect(task).toMatchObject({ status: 'uploading', input: { size_bytes: 6_000 } });
    });
  });

  it('starts processing: the response agrees with the stored state', async () => {
    await rounds(async (visitor, address) => {
      const { task_id, bulk_upload_id } = await visitor.upload();
      const login = await prepareLogin(address, visitor.token);
      const [answered, started] = await Promise.all([
        login(),
        visitor.post(`/tasks/bulk-upload/${bulk_upload_id}/process`),
      ]);
      expect(answered).toBe(200);
      expect([202, 401, 404]).toContain(started.status);
      const account = await api.member({ email: address });
      expect((await account.task(task_id)).status).toBe(started.status === 202 ? 'processing' : 'uploading');
      await account.post(`/tasks/bulk-upload/${bulk_upload_id}/process`).expect(202);
    });
  });

  it('deletes and cancels pictures of several uploads without a deadlock', async () => {
    await rounds(async (visitor, address) => {
      const sent = await Promise.all(Array.from({ length: 5 }, () => visitor.upload()));
      const login = await prepareLogin(address, visitor.token);
      const ids = sent.map(({ task_id }) => task_id);
      const kept = ids.pop();
      const codes = await Promise.all([
        login(),
        status(visitor.delete('/tasks/delete', { task_ids: ids.reverse() })),
        status(visitor.post(`/tasks/${kept}/cancel`)),
      ]);
      expect(codes[0]).toBe(200);
      for (const code of codes) expect([200, 204, 401, 404]).toContain(code);
      const left = await ownedBy(await api.member({ email: address }));
      expect(left).toHaveLength(codes[1] === 204 ? 1 : 5);
    });
  });

  it('has a picture being processed: the result is in the account', async () => {
    await api.sql('TRUNCATE bulk_uploads CASCADE');
    await api.sql('DELETE FROM runs');
    await api.redis.flushdb();
    const worker = new ManualWorker(api);
    await worker.start();
    for (let round = 0; round < 5; round += 1) {
      const [visitor, address] = [await api.guest(), newEmail()];
      const { task_id } = await visitor.process();
      await worker.waitForJob(task_id);
      const login = await prepareLogin(address, visitor.token);
      await Promise.all([login(), worker.end(task_id, (run) => worker.finish(run))]);
      const account = await api.member({ email: address });
      await until(async () => (await account.task(task_id)).status === 'completed');
    }
    await worker.stop();
  });
});

it('a concurrent logout and login leave the pictures in one place', async () => {
  await rounds(async (visitor, address) => {
    const { task_id } = await visitor.upload();
    const login = await prepareLogin(address, visitor.token);
    const [answered] = await Promise.all([login(), status(visitor.post('/users/logout'))]);
    expect(answered).toBe(200);
    await api.http.get(`${BASE_PATH}/users/@me`).auth(visitor.token, { type: 'bearer' }).expect(401);
    expect(await api.sql('SELECT FROM tasks WHERE id = $1', [task_id])).toHaveLength(1);
  });
});
