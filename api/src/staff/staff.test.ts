import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { STAFF_PASSWORD, startApi, type TestApi } from '../../test/support/application.js';
import { createApp } from '../app/create-app.js';
import { StaffConfig } from './staff.config.js';
import { PasswordGate } from './staff-access.js';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());
beforeEach(async () => {
  await api.redis.flushdb();
  await api.sql('DELETE FROM audit_entries');
});

const HEADER = 'X-Secret-Menu-Password';
const check = (password?: string) => {
  const pendingRequest = api.http.post('/api/v1/web/secret-menu/check');
  return password === undefined ? pendingRequest : pendingRequest.set(HEADER, password);
};
const outcomes = async () =>
  (
    await api.sql<{ outcome: string }>("SELECT details ->> 'outcome' AS outcome FROM audit_entries ORDER BY created_at")
  ).map(({ outcome }) => outcome);

describe('the staff password', () => {
  it('grants access and is audited', async () => {
    await check(STAFF_PASSWORD).expect(204);
    expect(await outcomes()).toEqual(['passed']);
    expect(JSON.stringify(await api.sql('SELECT * FROM audit_entries'))).not.toContain(STAFF_PASSWORD);
  });

  it.each([
    ['missing', undefined],
    ['empty', ''],
    ['another', 'wrong'],
    ['in other case', STAFF_PASSWORD.toUpperCase()],
    ['of five thousand mails', 'x'.repeat(5000)],
  ])('is rejected when it is %s', async (_how, password) => {
    const { body } = await check(password).expect(403);
    expect(body).toMatchObject({
      error_code: 'secret_menu.password_incorrect',
      error_description: 'The secret menu password is incorrect.',
    });
    expect(await outcomes()).toEqual(['refused']);
  });

  it('is limited to five wrong attempts a minute for each address', async () => {
    await check(STAFF_PASSWORD).expect('x-ratelimit-remaining', '5');
    for (const left of ['4', '3', '2', '1', '0']) {
      await check('wrong').expect(403).expect('x-ratelimit-limit', '5').expect('x-ratelimit-remaining', left);
    }
    const { headers } = await check(STAFF_PASSWORD).expect(429).expect('ratelimit-policy', '"staff";q=5;w=60');
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  });

  it('is not limited while correct', async () => {
    for (let attempt = 0; attempt < 20; attempt++) await check(STAFF_PASSWORD).expect(204);
  });

  it('rejects five of fifty concurrent guesses and rate-limits the others', async () => {
    const responses = await Promise.all(Array.from({ length: 50 }, () => check('wrong')));
    const statuses = responses.map(({ status }) => status);
    expect(statuses.filter((status) => status === 403)).toHaveLength(5);
    expect(statuses.filter((status) => status === 429)).toHaveLength(45);
  });

  it('is not found by concurrent guesses', async () => {
    const gate = api.app.get(PasswordGate);
    const guesses = ['a', 'b', 'c', 'd', 'e', STAFF_PASSWORD].map((guess) => gate.check(guess, '203.0.113.9'));
    const outcomes = await Promise.allSettled(guesses);
    expect(outcomes.map(({ status }) => status)).toEqual(new Array(6).fill('rejected'));
    expect(outcomes.at(-1)).toMatchObject({ reason: { code: 'request.rate_limited' } });
  });

  it('accepts any number of correct passwords at once', async () => {
    await Promise.all(Array.from({ length: 20 }, () => check(STAFF_PASSWORD).expect(204)));
  });

  it('is audited once for each check', async () => {
    await Promise.all(Array.from({ length: 20 }, () => check('wrong')));
    expect(await outcomes()).toEqual(new Array(5).fill('refused'));
  });

  it('can be given as plain text outside production', async () => {
    const other = await startApi({
      CLEARFRAME_STAFF_PASSWORD_HASH: undefined,
      CLEARFRAME_STAFF_PASSWORD: 'another password',
    });
    await other.http.post('/api/v1/web/secret-menu/check').set(HEADER, 'another password').expect(204);
    await other.http.post('/api/v1/web/secret-menu/check').set(HEADER, STAFF_PASSWORD).expect(403);
    await other.stop();
  });

  it('needs a hash in production', () => {
    expect(StaffConfig.fromEnvironment({ CLEARFRAME_ENV: 'production' })).toMatchObject({
      passwordHash: null,
      generatedPassword: null,
    });
    expect(() =>
      StaffConfig.fromEnvironment({ CLEARFRAME_ENV: 'production', CLEARFRAME_STAFF_PASSWORD: 'plain text' }),
    ).toThrow('CLEARFRAME_STAFF_PASSWORD: in production');
  });

  it('may be short on a developer’s machine', async () => {
    const environment = { CLEARFRAME_STAFF_PASSWORD: 'short' };
    expect(StaffConfig.fromEnvironment(environment)).toMatchObject({ isWeak: true, generatedPassword: null });
    const other = await startApi({ ...environment, CLEARFRAME_STAFF_PASSWORD_HASH: undefined });
    await other.http.post('/api/v1/web/secret-menu/check').set(HEADER, 'short').expect(204);
    await other.stop();
  });

  it('fails the boot when its hash is none', async () => {
    const environment = { ...api.environment, CLEARFRAME_STAFF_PASSWORD_HASH: 'plain' };
    await expect(createApp(environment)).rejects.toThrow('CLEARFRAME_STAFF_PASSWORD_HASH: ');
  });
});

describe('setting an account free', () => {
  const path = '/users/@me';
  const setIsFree = (token: string, isFree: unknown, password = STAFF_PASSWORD) =>
    api.http
      .put('/api/v1/web/secret-menu/users/is-free')
      .auth(token, { type: 'bearer' })
      .set(HEADER, password)
      .send({ is_free: isFree });

  it('makes any account a business, and reverts that', async () => {
    const member = await api.member();
    const { body } = await setIsFree(member.token, true).expect(200);
    expect(body).toMatchObject({ is_free: true, limits: { exports: null } });
    await setIsFree(member.token, false).expect(200);
    const { body: after } = await member.get(path).expect(200);
    expect(after).toMatchObject({ is_free: false, limits: { exports: 0 } });
  });

  it('needs the password, a token and a boolean', async () => {
    const member = await api.member();
    await setIsFree(member.token, true, 'wrong').expect(403);
    await setIsFree(member.token, 'yes').expect(422);
    await api.http
      .put('/api/v1/web/secret-menu/users/is-free')
      .set(HEADER, STAFF_PASSWORD)
      .send({ is_free: true })
      .expect(401);
    expect((await member.me()).is_free).toBe(false);
  });
});
