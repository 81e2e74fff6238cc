import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type AuthEmulator, type EmulatorPersona, startAuthEmulator } from '../../../tests/support/auth-emulator.ts';
import { startApi, type TestApi } from '../../test/support/application.js';
import { runScheduled } from '../../test/support/scheduled.js';
import { StoreProxy } from '../../test/support/stores/proxy.js';
import { until } from '../../test/support/until.js';
import { newEmail, postLogin, Visitor } from '../../test/support/visitor.js';

const PROVIDERS = [
  ['google.com', 'google', true],
  ['facebook.com', 'facebook', false],
  ['apple.com', 'apple', true],
] as const;
let emulator: AuthEmulator;
let way: StoreProxy;
let api: TestApi;
let email: string;
// One by one: what has started is stopped even if the next fails to start.
beforeAll(async () => {
  emulator = await startAuthEmulator();
  return () => emulator.stop();
});
beforeAll(async () => {
  way = await StoreProxy.before(`http://${emulator.host}`);
  return () => way.disconnect();
});
beforeAll(async () => {
  api = await startApi({
    IDENTITY_PROVIDER: 'firebase',
    FIREBASE_PROJECT_ID: emulator.projectId,
    FIREBASE_AUTH_EMULATOR_HOST: new URL(way.url).host,
  });
  return () => api.stop();
});
beforeEach(() => {
  email = newEmail();
});

const signIn = (provider: EmulatorPersona['provider'] = 'google.com', address = email) =>
  emulator.signIn({ provider, email: address });
async function login(idToken: string, guest?: Visitor): Promise<Visitor> {
  const { body } = await postLogin(api.http, idToken, guest?.token).expect(200);
  return new Visitor(api.http, body.access_token);
}
const rejected = async (idToken: string) => {
  const { body } = await postLogin(api.http, idToken).expect(401);
  expect(body.error_code).toBe('users.identity_rejected');
  return body;
};

describe('signing in with Firebase', () => {
  it.each(PROVIDERS)('by %s creates an account with the known data', async (provider, source, isVerified) => {
    const { uid, idToken } = await signIn(provider);
    const account = await login(idToken);
    expect(await account.me()).toMatchObject({ id: uid, firebase_uid: uid, email, source, is_guest: false });
    const [row] = await api.sql('SELECT email_verified FROM users WHERE firebase_uid = $1', [uid]);
    expect(row?.email_verified).toBe(isVerified);
  });

  it("moves the guest's data", async () => {
    const guest = await api.guest();
    const { task_id } = await guest.upload();
    const account = await login((await signIn()).idToken, guest);
    await account.task(task_id);
    await guest.get('/users/@me').expect(401);
  });

  it('by a second, linked provider opens the same account, which keeps its original provider', async () => {
    const google = await signIn();
    const first = await login(google.idToken);
    await emulator.link(google, { provider: 'facebook.com', email });
    const second = await login((await signIn('facebook.com')).idToken);
    expect(await second.me()).toEqual(await first.me());
    expect(await second.me()).toMatchObject({ source: 'google' });
  });

  it('with the same address as another Firebase user opens another account', async () => {
    const mine = await login((await signIn()).idToken);
    await login((await signIn('apple.com', newEmail())).idToken);
    await api.sql('UPDATE users SET email = $1', [email]);
    const theirs = await login((await signIn('facebook.com', newEmail())).idToken);
    expect((await theirs.me()).web_user_id).not.toBe((await mine.me()).web_user_id);
  });
});

describe('a Firebase token is rejected', () => {
  it('for an anonymous user: the guest stays a guest and loses nothing', async () => {
    const guest = await api.guest();
    const { idToken } = await emulator.signInAnonymously();
    const { body } = await postLogin(api.http, idToken, guest.token).expect(401);
    expect(body).toMatchObject({ error_code: 'users.identity_rejected', error_description: 'Provider not found' });
    expect(await guest.me()).toMatchObject({ is_guest: true });
  });

  it('for a user with a password only', async () => {
    const { idToken } = await emulator.signUpWithPassword(email);
    expect((await rejected(idToken)).error_description).toBe('Provider not found');
  });

  it('for a disabled user', async () => {
    const { uid, idToken } = await signIn();
    await emulator.disable(uid);
    await rejected(idToken);
  });

  it('when revoked', async () => {
    const { uid, idToken } = await signIn();
    await emulator.revoke(uid);
    await rejected(idToken);
  });

  it('when malformed', async () => {
    for (const garbage of ['garbage', 'a.b.c', 'null.null.null']) await rejected(garbage);
  });

  it('with 503 during an outage of Firebase, and accepted later', async () => {
    const { idToken } = await signIn();
    await way.disconnect();
    const { body, headers } = await postLogin(api.http, idToken).expect(503);
    expect(body.error_code).toBe('service.unavailable');
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    await way.reconnect();
    await login(idToken);
  });
});

describe('erasing an account', () => {
  it('deletes the Firebase user, who gets a new account afterwards', async () => {
    const { uid, idToken } = await signIn();
    const account = await login(idToken);
    await account.delete('/users/@me').expect(204);
    expect(await emulator.exists(uid)).toBe(false);
    await rejected(idToken);
    const again = await login((await signIn()).idToken);
    expect((await again.me()).firebase_uid).not.toBe(uid);
  });

  const retry = async () => {
    await api.sql(`UPDATE work_attempts SET next_attempt_at = now() WHERE kind = 'retention.identities'`);
    await runScheduled(api, 'retention.identities');
  };

  it('during an outage of Firebase deletes the Firebase user later', async () => {
    const { uid, idToken } = await signIn();
    const account = await login(idToken);
    await way.disconnect();
    await account.delete('/users/@me').expect(204);
    expect(await api.sql('SELECT FROM users WHERE firebase_uid = $1', [uid])).toEqual([]);
    await retry();
    expect(await emulator.exists(uid)).toBe(true);
    await way.reconnect();
    await until(async () => {
      await retry();
      return !(await emulator.exists(uid));
    }, 'Firebase to forget');
    expect(await api.sql('SELECT FROM erased_identities')).toEqual([]);
  });

  it('is reverted by logging in again before Firebase has deleted the user', async () => {
    const { uid, idToken } = await signIn();
    const account = await login(idToken);
    await way.disconnect();
    await account.delete('/users/@me').expect(204);
    await way.reconnect();
    const again = await login(idToken);
    await retry();
    expect(await emulator.exists(uid)).toBe(true);
    await again.me();
  });

  it('unknown to Firebase is erased as well', async () => {
    const { uid, idToken } = await signIn();
    const account = await login(idToken);
    await api.sql("UPDATE users SET firebase_uid = 'unknown' WHERE firebase_uid = $1", [uid]);
    await account.delete('/users/@me').expect(204);
    expect(await api.sql('SELECT FROM erased_identities')).toEqual([]);
  });
});
