import { randomUUID } from 'node:crypto';
import { BASE_PATH } from '@clearframe/contract';
import { SignJWT, UnsecuredJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../test/support/application.js';

const GUESTS = 3;
let api: TestApi;
beforeAll(async () => {
  api = await startApi({ LIMIT_GUESTS_PER_10_MINUTES: String(GUESTS) });
});
afterAll(() => api.stop());

const become = (headers: Record<string, string> = {}) => api.http.post(`${BASE_PATH}/users`).set(headers);
const createGuestFrom = (address: string) =>
  become({ 'X-Forwarded-For': address, 'X-Clearframe-Internal': api.environment.CLEARFRAME_INTERNAL_SECRET ?? '' });

async function tokenOf(address: string): Promise<string> {
  const { body } = await createGuestFrom(address).expect(201);
  return body.access_token;
}

describe('creating a guest', () => {
  it('returns a token only, with caching disabled', async () => {
    const { body, headers } = await createGuestFrom('192.0.2.1').expect(201);
    expect(Object.keys(body)).toEqual(['access_token']);
    expect(headers['cache-control']).toBe('no-store');
    expect(headers['content-type']).toMatch(/^application\/json/);
  });

  it('is limited per address, with both families of headers', async () => {
    for (let left = GUESTS - 1; left >= 0; left -= 1) {
      const { headers } = await createGuestFrom('192.0.2.2').expect(201);
      expect(headers['ratelimit-policy']).toBe(`"guests";q=${GUESTS};w=600`);
      expect(headers.ratelimit).toMatch(new RegExp(`^"guests";r=${left};t=\\d+$`));
      expect(headers['x-ratelimit-limit']).toBe(String(GUESTS));
      expect(headers['x-ratelimit-remaining']).toBe(String(left));
      expect(Number(headers['x-ratelimit-reset'])).toBeGreaterThan(0);
    }
    const { body, headers } = await createGuestFrom('192.0.2.2').expect(429);
    expect(body.error_code).toBe('request.rate_limited');
    expect(headers['x-ratelimit-remaining']).toBe('0');
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    expect(Number(headers['retry-after'])).toBeLessThanOrEqual(600);
    await createGuestFrom('192.0.2.3').expect(201);
  });

  it('counts concurrent requests exactly', async () => {
    const responses = await Promise.all(Array.from({ length: 10 }, () => createGuestFrom('192.0.2.4')));
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(GUESTS);
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(10 - GUESTS);
  });

  it('counts an IPv6 /64 as one client, and another /64 as another', async () => {
    await createGuestFrom('2001:db8:1:1::1').expect(201);
    await createGuestFrom('2001:db8:1:1:aaaa:bbbb:cccc:dddd').expect(201);
    await createGuestFrom('2001:DB8:1:1::2').expect(201);
    await createGuestFrom('2001:db8:1:1:ffff::').expect(429);
    await createGuestFrom('2001:db8:1:2::1').expect(201);
  });

  it('counts an IPv4 client as one, also in IPv6 notation', async () => {
    await createGuestFrom('198.51.100.1').expect(201);
    await createGuestFrom('::ffff:198.51.100.1').expect(201);
    await createGuestFrom('::FFFF:198.51.100.1').expect(201);
    await createGuestFrom('198.51.100.1').expect(429);
    await createGuestFrom('::ffff:198.51.100.2').expect(201);
  });

  it('trusts no forwarded address without the internal secret', async () => {
    const responses = [];
    for (let i = 0; i <= GUESTS; i += 1) {
      responses.push(await become({ 'X-Forwarded-For': `203.0.113.${i}`, 'X-Clearframe-Internal': `wrong-${i}` }));
    }
    expect(responses.map(({ status }) => status)).toEqual([201, 201, 201, 429]);
  });
});

describe('an access token', () => {
  const ask = (authorization?: string) => {
    const pendingRequest = api.http.get(`${BASE_PATH}/tasks/${randomUUID()}`);
    return authorization === undefined ? pendingRequest : pendingRequest.set('Authorization', authorization);
  };
  const forged = (
    claims: { sub: string; sid: string },
    change: Partial<Record<'alg' | 'iss' | 'aud' | 'key' | 'exp', string>>,
  ) =>
    new SignJWT({ sid: claims.sid, kind: 'guest' })
      .setProtectedHeader({ alg: change.alg ?? 'HS256' })
      .setSubject(claims.sub)
      .setIssuer(change.iss ?? 'clearframe')
      .setAudience(change.aud ?? 'clearframe-web')
      .setIssuedAt()
      .setExpirationTime(change.exp ?? '1h')
      .sign(new TextEncoder().encode(change.key ?? api.environment.CLEARFRAME_JWT_SECRET));

  let token: string;
  let claims: { sub: string; sid: string };
  beforeAll(async () => {
    token = await tokenOf('192.0.2.10');
    const [, payload = ''] = token.split('.');
    claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
  });

  it('is accepted with the scheme in any case', async () => {
    await ask(`Bearer ${token}`).expect(404);
    await ask(`bearer ${token}`).expect(404);
    await ask(`Bearer ${await forged(claims, {})}`).expect(404);
  });

  it.each<[string, () => string | undefined | Promise<string>]>([
    ['none', () => undefined],
    ['an empty one', () => 'Bearer '],
    ['another scheme', () => `Basic ${token}`],
    ['garbage', () => 'Bearer a.b.c'],
    ['a cut one', () => `Bearer ${token.slice(0, -2)}`],
    ['one that is not signed', () => `Bearer ${new UnsecuredJWT({ sid: claims.sid }).setSubject(claims.sub).encode()}`],
    ['one of another key', async () => `Bearer ${await forged(claims, { key: 'k'.repeat(40) })}`],
    ['one of another algorithm', async () => `Bearer ${await forged(claims, { alg: 'HS512' })}`],
    ['one for another audience', async () => `Bearer ${await forged(claims, { aud: 'elsewhere' })}`],
    ['one of another issuer', async () => `Bearer ${await forged(claims, { iss: 'another' })}`],
    ['an expired one', async () => `Bearer ${await forged(claims, { exp: '-1s' })}`],
    ["another user's session", async () => `Bearer ${await forged({ ...claims, sub: randomUUID() }, {})}`],
    ['an unknown session', async () => `Bearer ${await forged({ ...claims, sid: randomUUID() }, {})}`],
    ['claims that are not ids', async () => `Bearer ${await forged({ sub: "' OR 1=1 --", sid: 'x' }, {})}`],
  ])('is rejected: %s', async (_what, authorization) => {
    const { body, headers } = await ask(await authorization()).expect(401);
    expect(body).toMatchObject({ error_code: 'users.not_authorized', status: 401 });
    expect(headers['cache-control']).toBe('no-store');
  });

  it.each([
    ['revoked', 'UPDATE sessions SET revoked_at = now() WHERE id = $1'],
    ['over', "UPDATE sessions SET expires_at = now() - interval '1 second' WHERE id = $1"],
  ])('ends with its session: %s', async (_how, sql) => {
    const orphaned = await tokenOf('192.0.2.11');
    await ask(`Bearer ${orphaned}`).expect(404);
    const [, payload = ''] = orphaned.split('.');
    await api.sql(sql, [JSON.parse(Buffer.from(payload, 'base64url').toString()).sid]);
    await ask(`Bearer ${orphaned}`).expect(401);
  });
});
