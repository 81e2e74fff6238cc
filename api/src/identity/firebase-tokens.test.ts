import { generateKeyPairSync } from 'node:crypto';
import { generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FakeGoogle } from '../../test/support/google.js';
import { newEmail } from '../../test/support/visitor.js';
import { asAppError } from '../platform/errors/problem.filter.js';
import { FirebaseConfig } from './firebase/firebase.config.js';
import { FirebaseIdentity } from './firebase/firebase-identity.js';

const PROJECT = 'clearframe-test';
let google: FakeGoogle;
let firebase: FirebaseIdentity;
beforeAll(async () => {
  google = await FakeGoogle.start();
  firebase = new FirebaseIdentity(FirebaseConfig.fromEnvironment({ FIREBASE_PROJECT_ID: PROJECT }));
});
afterAll(async () => {
  await firebase.onApplicationShutdown();
  await google.stop();
});
beforeEach(() => {
  google.mode = 'ok';
});

const signedInBy = (provider: string) => ({ firebase: { identities: {}, sign_in_provider: provider } });
const encode = (part: unknown): string => Buffer.from(JSON.stringify(part)).toString('base64url');
const payloadOf = (token: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());

describe('a token signed by Google', () => {
  it.each([
    ['google.com', 'google'],
    ['facebook.com', 'facebook'],
    ['apple.com', 'apple'],
  ])('for %s identifies the user', async (provider, source) => {
    const token = await google.sign(PROJECT, { claims: signedInBy(provider) });
    expect(await firebase.verify(token)).toEqual({
      uid: 'uid-1',
      email: 'ann@example.com',
      isEmailVerified: true,
      source,
    });
  });

  it.each<[string, object, object]>([
    ['has not verified the address', { email_verified: false }, { email: 'ann@example.com', isEmailVerified: false }],
    ['does not say', { email_verified: undefined }, { email: 'ann@example.com', isEmailVerified: false }],
    ['has no address', { email: undefined }, { email: null, isEmailVerified: false }],
  ])('returns what it knows when the provider %s', async (_what, claims, address) => {
    expect(await firebase.verify(await google.sign(PROJECT, { claims }))).toMatchObject(address);
  });

  it.each(['anonymous', 'password', 'phone', 'custom', 'github.com', '__proto__', 'constructor'])(
    'for %s is rejected',
    async (provider) => {
      const token = await google.sign(PROJECT, { claims: signedInBy(provider) });
      await expect(firebase.verify(token)).rejects.toMatchObject({
        code: 'users.identity_rejected',
        status: 401,
        options: { description: 'Provider not found' },
      });
    },
  );
});

describe('a rejected token', () => {
  it.each<[string, () => string | Promise<string>]>([
    ['nothing', () => ''],
    ['garbage', () => 'garbage'],
    ['garbage of three parts', () => 'a.b.c'],
    ['parts that are not objects', () => `${encode(null)}.${encode(null)}.x`],
    ['an empty payload', () => `${encode({ alg: 'RS256', typ: 'JWT', kid: 'a' })}.${encode(null)}.x`],
    ['a payload that is not JSON', () => `${encode({ alg: 'RS256', typ: 'JWT', kid: 'a' })}.e30x.x`],
    ['expired', () => google.sign(PROJECT, { age: 7200 })],
    ['of another project', () => google.sign('another-project')],
    ['of another audience', () => google.sign(PROJECT, { claims: { aud: 'another-project' } })],
    ['of another issuer', () => google.sign(PROJECT, { claims: { iss: `https://elsewhere.example/${PROJECT}` } })],
    ['of another key', async () => google.sign(PROJECT, { key: (await generateKeyPair('RS256')).privateKey })],
    ['of a key that Google does not have', () => google.sign(PROJECT, { header: { kid: 'unknown' } })],
    ['that names no key', () => google.sign(PROJECT, { header: { kid: undefined } })],
    ['that names a member of all objects as its key', () => google.sign(PROJECT, { header: { kid: '__proto__' } })],
    ['without a subject', () => google.sign(PROJECT, { claims: { sub: '' } })],
    ['not signed', async () => new UnsecuredJWT(payloadOf(await google.sign(PROJECT))).encode()],
    [
      'not signed, but naming a key',
      async () =>
        `${encode({ alg: 'none', kid: 'a-key-of-google' })}.${encode(payloadOf(await google.sign(PROJECT)))}.`,
    ],
    [
      'signed with the name of another algorithm',
      async () =>
        new SignJWT(payloadOf(await google.sign(PROJECT)))
          .setProtectedHeader({ alg: 'HS256', kid: 'a-key-of-google' })
          .sign(new TextEncoder().encode('a publicly known secret')),
    ],
    [
      'changed after it was signed',
      async () => {
        const [head, payload, signature] = (await google.sign(PROJECT)).split('.');
        return `${head}.${encode({ ...payloadOf(`.${payload}`), sub: 'another-uid' })}.${signature}`;
      },
    ],
  ])('%s', async (_what, make) => {
    await expect(firebase.verify(await make())).rejects.toMatchObject({ code: 'users.identity_rejected', status: 401 });
  });
});

describe('while Google', () => {
  it.each([
    ['responds with an error', 'failing'],
    ['returns nonsense', 'malformed'],
    ['does not respond', 'hanging'],
  ] as const)('%s, tokens are not reported as invalid', async (_how, mode) => {
    const token = await google.sign(PROJECT);
    google.mode = mode;
    await expect(firebase.verify(token)).rejects.toMatchObject({ code: 'service.unavailable', status: 503 });
    google.mode = 'ok';
    expect(await firebase.verify(token)).toMatchObject({ uid: 'uid-1' });
  });

  it('is unreachable, a token for another project is rejected without a request', async () => {
    google.mode = 'failing';
    const before = google.requestCount;
    await expect(firebase.verify(await google.sign('another-project'))).rejects.toMatchObject({ status: 401 });
    expect(google.requestCount).toBe(before);
  });
});

it("without a service account users can't be deleted, with a clear error", async () => {
  await expect(firebase.delete('uid-1')).rejects.toMatchObject({ code: 'service.not_configured' });
});

describe('with a service account, Firebase', () => {
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  let withServiceAccount: FirebaseIdentity;
  beforeEach(() => {
    google.users.clear();
    google.users.set('uid-1', {});
    // The library caches the token of an account.
    const account = { project_id: PROJECT, client_email: newEmail(), private_key: privateKey };
    const settings = { FIREBASE_PROJECT_ID: PROJECT, FIREBASE_SERVICE_ACCOUNT: JSON.stringify(account) };
    withServiceAccount = new FirebaseIdentity(FirebaseConfig.fromEnvironment(settings));
  });
  afterEach(() => withServiceAccount.onApplicationShutdown());

  it('accepts known users', async () => {
    expect(await withServiceAccount.verify(await google.sign(PROJECT))).toMatchObject({ uid: 'uid-1' });
  });

  it.each<[string, () => void]>([
    ['has been disabled', () => google.users.set('uid-1', { disabled: true })],
    ['has been signed out everywhere', () => google.users.set('uid-1', { validSince: '4000000000' })],
    ['has been deleted', () => google.users.clear()],
  ])('rejects users who %s', async (_what, change) => {
    change();
    await expect(withServiceAccount.verify(await google.sign(PROJECT))).rejects.toMatchObject({
      code: 'users.identity_rejected',
    });
  });

  it('deletes a user, idempotently', async () => {
    await withServiceAccount.delete('uid-1');
    expect(google.users.has('uid-1')).toBe(false);
    await withServiceAccount.delete('uid-1');
  });

  it.each(['failing', 'malformed'] as const)('reports an outage while its responses are %s', async (mode) => {
    const token = await google.sign(PROJECT);
    google.mode = mode;
    await expect(withServiceAccount.verify(token)).rejects.toMatchObject({ code: 'service.unavailable' });
    await expect(withServiceAccount.delete('uid-1')).rejects.toMatchObject({ code: 'service.unavailable' });
    google.mode = 'ok';
    expect(await withServiceAccount.verify(token)).toMatchObject({ uid: 'uid-1' });
  });

  it('reports a rejected service account as our own error', async () => {
    const token = await google.sign(PROJECT);
    google.mode = 'revoked';
    const refused = withServiceAccount.verify(token).catch(asAppError);
    expect(await refused).toMatchObject({ code: 'service.internal' });
  });
});
