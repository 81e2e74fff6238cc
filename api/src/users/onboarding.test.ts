import { randomBytes } from 'node:crypto';
import { BASE_PATH } from '@clearframe/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../test/support/application.js';
import { picture } from '../../test/support/pictures.js';
import { until } from '../../test/support/until.js';
import { responseOf, startPut } from '../../test/support/uploads/sender.js';
import { identityToken, newEmail, postLogin, type Visitor } from '../../test/support/visitor.js';

const ROUNDS = 8;
const TRIES = 3;
const ISSUE = '/users/@me/web-onboarding';
let api: TestApi;
let funnel: Visitor;
let member: Visitor;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());
beforeEach(async () => {
  funnel = await api.guest();
  member = await api.member();
});

const issue = async (visitor: Visitor): Promise<string> =>
  (await visitor.post(ISSUE).expect(201)).body.web_onboarding_user_id;
const migrate = (visitor: Visitor, id: unknown) => visitor.post('/users/migrate', { web_onboarding_user_id: id });
const ownedBy = async (visitor: Visitor): Promise<string[]> => {
  const { web_user_id } = await visitor.me();
  return (await api.sql<{ id: string }>('SELECT id FROM tasks WHERE user_id = $1', [web_user_id])).map(({ id }) => id);
};
const uploadsOf = async (visitor: Visitor, count: number): Promise<string[]> =>
  (await Promise.all(Array.from({ length: count }, () => visitor.upload()))).map(({ task_id }) => task_id).sort();

describe('an onboarding id', () => {
  it('is 128 random bits, unrelated to other ids and stored as a hash', async () => {
    const id = await issue(funnel);
    expect(Buffer.from(id, 'base64url')).toHaveLength(16);
    const [row] = await api.sql('SELECT hash FROM web_onboardings WHERE user_id = $1', [(await funnel.me()).id]);
    expect(row?.hash).toHaveLength(32);
    expect(row?.hash.includes(Buffer.from(id, 'base64url'))).toBe(false);
    expect(JSON.stringify(await funnel.me())).not.toContain(id);
  });

  it('is replaced by the next one, unless the same request is repeated', async () => {
    const ask = () => funnel.post(ISSUE, undefined, { 'Idempotency-Key': 'one' }).expect(201);
    const [first, again] = [await ask(), await ask()];
    expect(again.body).toEqual(first.body);
    const second = await issue(funnel);
    await migrate(member, first.body.web_onboarding_user_id).expect(404);
    await migrate(member, second).expect(200);
  });

  it('is for guests only', async () => {
    expect((await member.post(ISSUE).expect(409)).body.error_code).toBe('users.not_a_guest');
    expect((await api.http.post(`${BASE_PATH}${ISSUE}`).expect(401)).body.error_code).toBe('users.not_authorized');
  });
});

describe('migrating', () => {
  it.each<[string, () => Promise<Visitor>]>([
    ['an account', () => api.member()],
    ['another guest', () => api.guest()],
  ])("gives everything to %s and ends the funnel's guest", async (_receiver, make) => {
    const receiver = await make();
    const own = await uploadsOf(receiver, 1);
    const uploaded = await uploadsOf(funnel, 2);
    await funnel.put('/users/@me/preferences/override', { preferences: { wants_email_reminder: false } }).expect(200);
    const { body, headers } = await migrate(receiver, await issue(funnel)).expect(200);
    expect(headers['cache-control']).toBe('no-store');
    expect(body).toEqual(await receiver.me());
    expect(body.preferences.wants_email_reminder).toBe(false);
    expect((await ownedBy(receiver)).sort()).toEqual([...own, ...uploaded].sort());
    expect((await funnel.get('/users/@me').expect(401)).body.error_code).toBe('users.not_authorized');
  });

  it("works when the funnel's session has expired or was logged out: the id is the proof", async () => {
    const id = await issue(funnel);
    const uploaded = await uploadsOf(funnel, 1);
    await funnel.post('/users/logout').expect(204);
    await migrate(member, id).expect(200);
    expect(await ownedBy(member)).toEqual(uploaded);
  });

  it.each<[string, number, string, () => Promise<string>]>([
    ['unknown', 404, 'users.onboarding_not_found', async () => randomBytes(16).toString('base64url')],
    ['an invalid id', 404, 'users.onboarding_not_found', async () => "' OR 1=1 --"],
    ['a user’s own public id', 404, 'users.onboarding_not_found', async () => (await funnel.me()).web_user_id],
    [
      'used',
      409,
      'users.onboarding_used',
      async () => {
        const id = await issue(funnel);
        await migrate(await api.member(), id).expect(200);
        return id;
      },
    ],
    [
      'of a guest who has logged in since',
      409,
      'users.onboarding_logged_in',
      async () => {
        const id = await issue(funnel);
        await postLogin(api.http, await identityToken(api.http, { email: newEmail() }), funnel.token).expect(200);
        return id;
      },
    ],
    [
      'of a guest who has been erased',
      404,
      'users.onboarding_not_found',
      async () => {
        const id = await issue(funnel);
        await funnel.delete('/users/@me').expect(204);
        return id;
      },
    ],
  ])('with an id that is %s is %i and changes nothing', async (_what, status, code, prepare) => {
    const id = await prepare();
    const { body } = await migrate(member, id).expect(status);
    expect(body.error_code).toBe(code);
    expect(await ownedBy(member)).toEqual([]);
  });

  it('to oneself is rejected without changes', async () => {
    const id = await issue(funnel);
    expect((await migrate(funnel, id).expect(409)).body.error_code).toBe('users.onboarding_own');
    await funnel.me();
    await migrate(member, id).expect(200);
  });

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['a number', 7],
    ['an empty text', ''],
    ['a text that is too long', 'x'.repeat(256)],
  ])('with %s is 422 and names the field', async (_what, id) => {
    const { body } = await migrate(member, id).expect(422);
    expect(Object.keys(body.details)).toEqual(['web_onboarding_user_id']);
  });

  it('requires a token and is rate-limited', async () => {
    const body = { web_onboarding_user_id: await issue(funnel) };
    await api.http.post(`${BASE_PATH}/users/migrate`).send(body).expect(401);
    const limited = await startApi({ LIMIT_LOGINS_PER_10_MINUTES: String(TRIES) });
    const visitor = await limited.guest();
    for (let left = TRIES; left > 0; left -= 1) await migrate(visitor, 'x').expect(404);
    expect((await migrate(visitor, 'x').expect(429)).body.error_code).toBe('request.rate_limited');
    // New guests of the same network don't get more tries.
    await migrate(await limited.guest(), 'x').expect(429);
    await limited.stop();
  });
});

describe('concurrently', () => {
  it('two users migrate: one gets everything, the other an error', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const [guest, rivals] = [await api.guest(), await Promise.all([api.member(), api.guest(), api.member()])];
      const uploaded = await uploadsOf(guest, 2);
      const id = await issue(guest);
      const responses = await Promise.all(rivals.map((rival) => migrate(rival, id)));
      expect(responses.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
      const owned = await Promise.all(rivals.map(ownedBy));
      expect(owned.map((ids) => ids.length).sort()).toEqual([0, 0, 2]);
      expect(owned.flat().sort()).toEqual(uploaded);
    }
  });

  it("the funnel's guest logs in and is migrated: everything is in one place", async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const [guest, address] = [await api.guest(), newEmail()];
      const [receiver, account] = [await api.member(round % 2 ? { email: address } : undefined), { email: address }];
      const uploaded = await uploadsOf(guest, 2);
      const [id, token] = [await issue(guest), await identityToken(api.http, account)];
      const [moved, login] = await Promise.all([migrate(receiver, id), postLogin(api.http, token, guest.token)]);
      expect(login.status).toBe(200);
      expect([200, 409]).toContain(moved.status);
      const owner = moved.status === 200 ? receiver : await api.member(account);
      expect((await ownedBy(owner)).sort()).toEqual(uploaded);
    }
  });

  it('the receiver logs in: nothing stays with a guest without a session', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const [guest, receiver, address] = [await api.guest(), await api.guest(), newEmail()];
      const uploaded = await uploadsOf(guest, 1);
      const [id, token] = [await issue(guest), await identityToken(api.http, { email: address })];
      const [moved] = await Promise.all([migrate(receiver, id), postLogin(api.http, token, receiver.token)]);
      expect([200, 401]).toContain(moved.status);
      const owner = moved.status === 200 ? await api.member({ email: address }) : guest;
      expect(await ownedBy(owner)).toEqual(uploaded);
    }
  });

  it('bytes are uploaded: they arrive with the receiver', async () => {
    const announced = await funnel.announce();
    const bytes = picture.jpeg(200_000);
    const sending = startPut(announced.upload_url, { 'content-length': bytes.length });
    const response = responseOf(sending);
    sending.write(bytes.subarray(0, 100_000));
    await until(async () => (await funnel.task(announced.task_id)).status === 'uploading');
    await migrate(member, await issue(funnel)).expect(200);
    sending.end(bytes.subarray(100_000));
    expect(await response).toEqual([200, undefined]);
    expect((await member.task(announced.task_id)).input.size_bytes).toBe(bytes.length);
  });

  it('pictures are announced: those with 201 belong to the receiver', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const [guest, receiver] = [await api.guest(), await api.member()];
      const id = await issue(guest);
      const announce = () => guest.post('/tasks/bulk-upload', { image_content_type: 'image/jpeg' });
      const [moved, ...responses] = await Promise.all([migrate(receiver, id), announce(), announce(), announce()]);
      expect(moved.status).toBe(200);
      const promised = responses.flatMap(({ body }) => (body.task_list ? [body.task_list[0].task_id] : []));
      expect((await ownedBy(receiver)).sort()).toEqual(promised.sort());
    }
  });
});
