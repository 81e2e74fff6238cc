import { BASE_PATH, IDENTITY_SCENARIOS, type IdentityScenario } from '@clearframe/contract';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../test/support/application.js';
import { documentationOf } from '../../test/support/hostile/documentation.js';
import { identityToken, newEmail, postLogin, type Visitor } from '../../test/support/visitor.js';

const LOGINS = 3;
const ISSUE = '/api/sandbox/identity/tokens';
let api: TestApi;
let guest: Visitor;
beforeAll(async () => {
  api = await startApi();
  guest = await api.guest();
});
afterAll(() => api.stop());

const issue = (scenario?: IdentityScenario) =>
  identityToken(api.http, { email: newEmail(), ...(scenario ? { scenario } : {}) });
const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');
const payloadOf = (token: string): object => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());

/** One logs in, the other ignores the token. */
const NO_REJECTION: readonly IdentityScenario[] = ['unverified_email', 'unavailable'];

describe('an identity token', () => {
  it.each<[string, () => string | Promise<string>]>([
    ...IDENTITY_SCENARIOS.filter((scenario) => !NO_REJECTION.includes(scenario)).map(
      (scenario) => [scenario, () => issue(scenario)] as [string, () => Promise<string>],
    ),
    ['garbage', () => 'garbage'],
    ['garbage of three parts', () => 'a.b.c'],
    ['cut', async () => (await issue()).slice(0, -8)],
    [
      'changed after it was signed',
      async () => {
        const [head, , signature] = (await issue()).split('.');
        const payload = { ...payloadOf(await issue()), email: newEmail() };
        return `${head}.${encode(payload)}.${signature}`;
      },
    ],
    ['unsigned, in mixed case', async () => `${encode({ alg: 'nOnE' })}.${(await issue()).split('.')[1]}.`],
    [
      'that brings its own key',
      async () => {
        const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
        return new SignJWT({ ...payloadOf(await issue()) })
          .setProtectedHeader({ alg: 'RS256', jwk: await exportJWK(publicKey) })
          .sign(privateKey);
      },
    ],
    ["a guest's access token", () => guest.token],
    ["an account's access token", async () => (await api.member()).token],
  ])('is rejected: %s', async (_what, token) => {
    const people = async () => (await api.sql<{ n: number }>('SELECT count(*)::int AS n FROM users'))[0]?.n;
    const bad = await token();
    const before = await people();
    const { body, headers } = await postLogin(api.http, bad, guest.token).expect(401);
    expect(body).toMatchObject({ error_code: 'users.identity_rejected', status: 401 });
    expect(headers['cache-control']).toBe('no-store');
    expect(JSON.stringify(body)).not.toContain(bad);
    expect(await people()).toBe(before);
    await guest.me();
  });

  it('is no access token', async () => {
    const { body } = await api.http
      .get(`${BASE_PATH}/users/@me`)
      .auth(await issue(), { type: 'bearer' })
      .expect(401);
    expect(body.error_code).toBe('users.not_authorized');
  });

  it('is not invalid during an outage: 503, and the guest stays a guest', async () => {
    const { body, headers } = await postLogin(api.http, await issue('unavailable'), guest.token).expect(503);
    expect(body.error_code).toBe('service.unavailable');
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    expect(await guest.me()).toMatchObject({ is_guest: true });
  });

  it('of another sandbox is rejected: each has its own key', async () => {
    const other = await startApi();
    const token = await identityToken(other.http, { email: newEmail() });
    await other.stop();
    await postLogin(api.http, token).expect(401);
  });
});

describe('the sandbox', () => {
  it.each<[string, object]>([
    ['provider', { provider: 'myspace', email: 'a@example.com' }],
    ['email', { provider: 'google', email: 'not-an-address' }],
    ['scenario', { provider: 'google', email: 'a@example.com', scenario: 'sudo' }],
  ])('names what it does not support: %s', async (field, body) => {
    const response = await api.http.post(ISSUE).send(body).expect(422);
    expect(Object.keys(response.body.details)).toEqual([field]);
  });
});

describe('without an identity provider', () => {
  let closed: TestApi;
  beforeAll(async () => {
    closed = await startApi({ IDENTITY_PROVIDER: 'none' });
  });
  afterAll(() => closed.stop());

  it('there is no sandbox, not even in the documentation', async () => {
    const { body } = await closed.http.post(ISSUE).send({ provider: 'google', email: newEmail() }).expect(404);
    expect(body.error_code).toBe('request.not_found');
    expect((await documentationOf(closed)).paths).not.toHaveProperty([ISSUE]);
  });

  it('login fails as not configured, and guests stay guests', async () => {
    const visitor = await closed.guest();
    const { body } = await postLogin(closed.http, 'a.b.c', visitor.token).expect(503);
    expect(body.error_code).toBe('service.not_configured');
    expect(body.error_description).toMatch(/^trying to use .+, but this service has not been configured$/);
    expect(await visitor.me()).toMatchObject({ is_guest: true });
  });
});

describe('logins', () => {
  let limited: TestApi;
  beforeAll(async () => {
    limited = await startApi({ LIMIT_LOGINS_PER_10_MINUTES: String(LOGINS) });
  });
  afterAll(() => limited.stop());

  it('are limited per address, including failed ones', async () => {
    for (let left = LOGINS - 1; left >= 0; left -= 1) {
      const { headers } = await postLogin(limited.http, 'a.b.c').expect(401);
      expect(headers['ratelimit-policy']).toBe(`"logins";q=${LOGINS};w=600`);
      expect(headers['x-ratelimit-remaining']).toBe(String(left));
    }
    const token = await identityToken(limited.http, { email: newEmail() });
    const { body, headers } = await postLogin(limited.http, token).expect(429);
    expect(body.error_code).toBe('request.rate_limited');
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  });
});
