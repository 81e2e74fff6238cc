import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../test/support/application.js';
import { identityToken, newEmail, type Persona, postLogin, type Visitor } from '../../test/support/visitor.js';

const BASE = { face_enhance: { model: 'base' } };
const GLAM = { face_lifting: { model: 'glam' } };
let api: TestApi;
let email: string;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());
beforeEach(() => {
  email = newEmail();
});

const login = async (persona: Persona, bearer?: string, preferences?: object) => {
  const { body } = await postLogin(api.http, await identityToken(api.http, persona), bearer, preferences).expect(200);
  return body.access_token as string;
};
const choose = (visitor: Visitor, preferences: object) =>
  visitor.put('/users/@me/preferences/override', { preferences }).expect(200);

describe('logging in again', () => {
  it('to the same account exchanges the token', async () => {
    const [first, elsewhere] = [await api.member({ email }), await api.member({ email })];
    await login({ email }, first.token);
    await first.get('/users/@me').expect(401);
    await elsewhere.me();
  });

  it('to another account keeps the token valid', async () => {
    const first = await api.member();
    await login({ email }, first.token);
    await first.me();
  });

  it('ten times at once succeeds and leaves only new tokens', async () => {
    const first = await api.member({ email });
    const tokens = await Promise.all(Array.from({ length: 10 }, () => login({ email }, first.token)));
    expect(new Set(tokens).size).toBe(10);
    await first.get('/users/@me').expect(401);
  });
});

describe('an address', () => {
  const unverified = (): Persona => ({ email, provider: 'facebook', scenario: 'unverified_email' });
  const isVerified = async () => {
    const [row] = await api.sql<{ email_verified: boolean }>('SELECT email_verified FROM users WHERE email = $1', [
      email,
    ]);
    return row?.email_verified;
  };

  it('not verified by the provider is stored for mail and proves nothing', async () => {
    expect(await (await api.member(unverified())).me()).toMatchObject({ email, is_guest: false });
    expect(await isVerified()).toBe(false);
  });

  it('stays verified', async () => {
    const account = await api.member({ email });
    await api.member(unverified());
    expect(await isVerified()).toBe(true);
    await account.me();
  });

  it('that becomes verified ends earlier sessions', async () => {
    const early = await api.member(unverified());
    const { task_id } = await early.announce();
    const owner = await api.member({ email });
    expect(await isVerified()).toBe(true);
    await early.get('/users/@me').expect(401);
    await owner.task(task_id);
    const again = await api.member({ email });
    await owner.me();
    await again.me();
  });
});

describe('preferences at login', () => {
  it('omit what the plan lacks; the others are stored, and the login succeeds', async () => {
    await login({ email }, undefined, { default_ai_pipeline: GLAM, wants_email_reminder: false });
    const account = await api.member({ email });
    expect((await account.me()).preferences).toEqual({
      wants_email_reminder: false,
      default_ai_pipeline: null,
      keep_location: false,
    });
  });

  it('are stored when the plan includes them', async () => {
    const account = await api.member({ email });
    await api.sql('UPDATE users SET is_free = true WHERE email = $1', [email]);
    await login({ email }, undefined, { default_ai_pipeline: GLAM });
    expect((await account.me()).preferences.default_ai_pipeline).toEqual(GLAM);
  });

  it('of a guest move along unless the account has its own', async () => {
    const [guest, other] = [await api.guest(), await api.guest()];
    await choose(guest, { default_ai_pipeline: BASE });
    await login({ email }, guest.token, { wants_email_reminder: false });
    await choose(other, { wants_email_reminder: true, default_ai_pipeline: {} });
    await login({ email }, other.token);
    const account = await api.member({ email });
    expect((await account.me()).preferences).toEqual({
      wants_email_reminder: false,
      default_ai_pipeline: BASE,
      keep_location: false,
    });
  });

  it('can be cleared', async () => {
    const account = await api.member({ email });
    await choose(account, { default_ai_pipeline: BASE });
    await login({ email }, undefined, { default_ai_pipeline: null });
    expect((await account.me()).preferences.default_ai_pipeline).toBeNull();
  });
});
