import supertest from 'supertest';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { freePort } from '../../../runtime/test/ports.js';
import { startApi, type TestApi } from '../../test/support/application.js';
import { newEmail, postLogin } from '../../test/support/visitor.js';
import { createApp } from '../app/create-app.js';
import { IdentityProvider } from './identity-provider.js';

const TOKENS = '/api/sandbox/identity/tokens';
let api: TestApi;
let email: string;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());
beforeEach(() => {
  email = newEmail();
});

const ask = (body: object) => api.http.post(TOKENS).send(body);
const tokenOf = async (body: object): Promise<string> => (await ask(body).expect(200)).body.id_token;
const providersOf = async (address: string) =>
  (await api.http.get('/api/sandbox/identity/accounts').query({ email: address }).expect(200)).body;
async function whoIs(idToken: string): Promise<{ firebase_uid: string; email: string; source: string }> {
  const { body } = await postLogin(api.http, idToken).expect(200);
  const { body: me } = await api.http.get('/api/v1/web/users/@me').auth(body.access_token, { type: 'bearer' });
  return me;
}

describe('the sandbox stores the providers of an address', () => {
  it('original first, each once, ignoring the case of the address', async () => {
    expect(await providersOf(email)).toEqual({ email, providers: [] });
    for (const provider of ['google', 'apple', 'google']) await tokenOf({ provider, email: email.toUpperCase() });
    expect(await providersOf(email)).toEqual({ email, providers: ['google', 'apple'] });
  });

  it.each([['not-an-address'], ['']])('rejects an invalid address: %j', async (address) => {
    const { body } = await api.http.get('/api/sandbox/identity/accounts').query({ email: address }).expect(422);
    expect(Object.keys(body.details)).toEqual(['email']);
  });
});

describe('an address that signed in by another provider', () => {
  it('is rejected when only linked providers may sign in, with the name of the original one', async () => {
    await tokenOf({ provider: 'google', email });
    const { body } = await ask({ provider: 'facebook', email, only_linked: true }).expect(409);
    expect(body).toMatchObject({ error_code: 'sandbox.account_exists', details: { email, providers: ['google'] } });
    expect(await providersOf(email)).toEqual({ email, providers: ['google'] });
  });

  it('may sign in by its original and its linked providers', async () => {
    const google = await tokenOf({ provider: 'google', email, only_linked: true });
    await tokenOf({ provider: 'google', email, only_linked: true });
    await tokenOf({ provider: 'facebook', email, link_to: google });
    await tokenOf({ provider: 'facebook', email, only_linked: true });
  });
});

describe('linking', () => {
  it('lets two providers sign in to one account, also with another address', async () => {
    const google = await tokenOf({ provider: 'google', email });
    const other = newEmail();
    const linked = await tokenOf({ provider: 'facebook', email: other, link_to: google });
    const later = await tokenOf({ provider: 'facebook', email: other, only_linked: true });
    const first = await whoIs(google);
    expect(first).toMatchObject({ email, source: 'google' });
    expect(await whoIs(linked)).toEqual(first);
    expect(await whoIs(later)).toEqual(first);
    expect(await providersOf(email)).toEqual({ email, providers: ['google', 'facebook'] });
  });

  it('a linked provider again changes nothing', async () => {
    const google = await tokenOf({ provider: 'google', email });
    await tokenOf({ provider: 'google', email, link_to: google });
    expect(await providersOf(email)).toEqual({ email, providers: ['google'] });
  });

  it.each([
    ['a sign-in', 'facebook', 'sandbox.credential_in_use'],
    ['an address', 'apple', 'sandbox.email_in_use'],
  ])('%s of another account is rejected', async (_what, provider, code) => {
    const theirs = newEmail();
    await tokenOf({ provider: 'facebook', email: theirs });
    const mine = await tokenOf({ provider: 'google', email });
    const { body } = await ask({ provider, email: theirs, link_to: mine }).expect(409);
    expect(body).toMatchObject({ error_code: code, details: { email: theirs, providers: ['facebook'] } });
    expect(await providersOf(email)).toEqual({ email, providers: ['google'] });
  });

  it.each<[string, () => string | Promise<string>]>([
    ['garbage', () => 'a.b.c'],
    ['an expired token', () => tokenOf({ provider: 'google', email, scenario: 'expired' })],
    ['an access token', async () => (await api.member()).token],
  ])('to %s is refused', async (_what, token) => {
    const { body } = await ask({ provider: 'facebook', email: newEmail(), link_to: await token() }).expect(401);
    expect(body.error_code).toBe('users.identity_rejected');
  });

  it.each([
    ['only_linked', { only_linked: 'yes' }],
    ['link_to', { link_to: '' }],
  ])('names the invalid field: %s', async (field, extra) => {
    const { body } = await ask({ provider: 'google', email, ...extra }).expect(422);
    expect(Object.keys(body.details)).toEqual([field]);
  });
});

it('erasing an account removes it from the sandbox: the address may use any provider again', async () => {
  const account = await api.member({ email });
  await account.delete('/users/@me').expect(204);
  expect(await providersOf(email)).toEqual({ email, providers: [] });
  await tokenOf({ provider: 'apple', email, only_linked: true });
});

it('two processes on one database share accounts and accept each other’s tokens', async () => {
  const port = await freePort();
  const app = await createApp({ ...api.environment, API_ROLE: 'http', API_PORT: String(port) });
  await app.listen(port, '127.0.0.1');
  const other = supertest(`http://127.0.0.1:${port}`);
  const idToken = await tokenOf({ provider: 'google', email });
  await postLogin(other, idToken).expect(200);
  const { body: known } = await other.get('/api/sandbox/identity/accounts').query({ email }).expect(200);
  expect(known).toEqual({ email, providers: ['google'] });
  await other.post(TOKENS).send({ provider: 'facebook', email, only_linked: true }).expect(409);
  await other.post(TOKENS).send({ provider: 'facebook', email, link_to: idToken }).expect(200);
  expect(await providersOf(email)).toEqual({ email, providers: ['google', 'facebook'] });
  await app.close();
});

it('while the sandbox is down, a login is unavailable and not rejected', async () => {
  const idToken = await tokenOf({ provider: 'google', email });
  const app = await createApp({
    ...api.environment,
    API_ROLE: 'http',
    SANDBOX_URL: `http://127.0.0.1:${await freePort()}`,
  });
  await expect(app.get(IdentityProvider).verify(idToken)).rejects.toMatchObject({ code: 'service.unavailable' });
  await app.close();
});

it.each(['keys', 'accounts/x'])('publishes only the routes of the contract, not %s', async (path) => {
  await api.http.get(`/api/sandbox/identity/${path}`).expect(404);
});
