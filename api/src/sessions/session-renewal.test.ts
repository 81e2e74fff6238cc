import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../test/support/application.js';
import type { Visitor } from '../../test/support/visitor.js';

const DAY_SECONDS = 86_400;

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

const sessionOf = ({ token }: Visitor): string => String(decodeJwt(token).sid);

async function setRemaining(visitor: Visitor, interval: string): Promise<void> {
  await api.sql('UPDATE sessions SET expires_at = now() + $2::interval WHERE id = $1', [sessionOf(visitor), interval]);
}

async function remaining(visitor: Visitor): Promise<number> {
  const [row] = await api.sql<{ seconds: number }>(
    'SELECT extract(epoch FROM expires_at - now())::float8 AS seconds FROM sessions WHERE id = $1',
    [sessionOf(visitor)],
  );
  return row?.seconds ?? Number.NaN;
}

const me = (token: string) => api.http.get('/api/v1/web/users/@me').auth(token, { type: 'bearer' });
const renew = (token: string) => api.http.post('/api/v1/web/users/renew').auth(token, { type: 'bearer' });

describe.each(['guest', 'member'] as const)('a session of a %s', (kind) => {
  it('in use lasts another 30 days, as does its new token', async () => {
    const visitor = await api[kind]();
    await setRemaining(visitor, '1 minute');
    const { body } = await renew(visitor.token).expect(200);
    expect(await remaining(visitor)).toBeGreaterThan(30 * DAY_SECONDS - 60);
    const claims = decodeJwt(body.access_token);
    expect(claims).toMatchObject({ sid: sessionOf(visitor), kind: kind === 'guest' ? 'guest' : 'user' });
    expect((claims.exp ?? 0) - (claims.iat ?? 0)).toBeGreaterThan(30 * DAY_SECONDS - 60);
    const [before, after] = await Promise.all([me(visitor.token).expect(200), me(body.access_token).expect(200)]);
    expect(after.body.web_user_id).toBe(before.body.web_user_id);
  });

  it('is extended at most once a day', async () => {
    const visitor = await api[kind]();
    await setRemaining(visitor, '29 days 12 hours');
    await renew(visitor.token).expect(200);
    expect(await remaining(visitor)).toBeLessThan(29.6 * DAY_SECONDS);
  });

  it('ends when it is idle', async () => {
    const visitor = await api[kind]();
    await setRemaining(visitor, '-1 second');
    await renew(visitor.token).expect(401);
    await me(visitor.token).expect(401);
    expect(await remaining(visitor)).toBeLessThan(0);
  });

  it('stays ended after logout, for the renewed token too', async () => {
    const visitor = await api[kind]();
    await setRemaining(visitor, '1 day');
    const { body } = await renew(visitor.token).expect(200);
    await visitor.post('/users/logout').expect(204);
    for (const token of [visitor.token, body.access_token]) {
      await me(token).expect(401);
      await renew(token).expect(401);
    }
  });
});

it('concurrent renewals all return valid tokens', async () => {
  const visitor = await api.member();
  await setRemaining(visitor, '1 day');
  const responses = await Promise.all(Array.from({ length: 5 }, () => renew(visitor.token)));
  for (const { status, body } of responses) {
    expect(status).toBe(200);
    await me(body.access_token).expect(200);
  }
  await me(visitor.token).expect(200);
});
