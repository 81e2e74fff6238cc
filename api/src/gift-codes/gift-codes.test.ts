import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../test/support/application.js';
import { newEmail, Visitor } from '../../test/support/visitor.js';
import { BillingClock } from '../providers/billing-clock.js';
import { hashOf, newCode } from './gift-codes.service.js';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

const redeem = (visitor: Visitor, code: unknown) => visitor.post('/gift-codes/redeem', { code });

async function gift({ days = 7, uses = 1, expiresAt = null as string | null } = {}): Promise<string> {
  const code = newCode();
  await api.sql('INSERT INTO gift_codes VALUES ($1, $2, $3, $4, $5, $6, 0, NULL, now())', [
    randomUUID(),
    hashOf(code),
    code.slice(0, 9),
    days,
    expiresAt,
    uses,
  ]);
  return code;
}
const now = (): Date => api.app.get(BillingClock).now();

describe('redeeming a gift code', () => {
  it('makes members and guests business users', async () => {
    for (const visitor of [await api.member(), await api.guest()]) {
      const { body } = await redeem(visitor, await gift()).expect(200);
      expect(body.gift_code.is_active).toBe(true);
      const me = await visitor.me();
      expect(me).toMatchObject({ gift_code: body.gift_code, limits: { exports: null } });
      await visitor.announce({ output_content_type: 'image/tiff' });
    }
  });

  it('moves along when the guest logs in', async () => {
    const guest = await api.guest();
    await redeem(guest, await gift()).expect(200);
    expect((await (await Visitor.login(api.http, undefined, guest)).me()).gift_code).toMatchObject({ is_active: true });
  });

  it('works once for two concurrent requests', async () => {
    const [one, other, code] = [await api.member(), await api.member(), await gift()];
    const responses = await Promise.all([redeem(one, code), redeem(other, code), redeem(one, code)]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  });

  it('works up to its number of uses, once for each user', async () => {
    const code = await gift({ uses: 2 });
    const member = await api.member();
    await redeem(member, code).expect(200);
    const { body } = await redeem(member, code).expect(409);
    expect(body.error_code).toBe('gift_codes.used');
    await redeem(await api.member(), code).expect(200);
    await redeem(await api.member(), code).expect(409);
  });

  it('adds its time to current gifts, also concurrently', async () => {
    const member = await api.member();
    const started = now();
    const codes = [await gift({ days: 7 }), await gift({ days: 30 })];
    const responses = await Promise.all(codes.map((code) => redeem(member, code).expect(200)));
    const ends = responses.map(({ body }) => body.gift_code.expiry_at).sort();
    const me = await member.me();
    expect(me.gift_code).toEqual({ is_active: true, expiry_at: ends[1] });
    const days = (Date.parse(ends[1]) - started.getTime()) / 86_400_000;
    expect(Math.floor(days)).toBe(37);
    const shorter = await redeem(member, await gift({ days: 1 })).expect(200);
    expect(Date.parse(shorter.body.gift_code.expiry_at) - Date.parse(ends[1])).toBe(86_400_000);
  });

  it("adds a guest's time to that of the account", async () => {
    const [email, guest] = [newEmail(), await api.guest()];
    const member = await api.member({ email });
    const { body } = await redeem(member, await gift({ days: 7 })).expect(200);
    await redeem(guest, await gift({ days: 7 })).expect(200);
    const merged = await (await Visitor.login(api.http, { email }, guest)).me();
    const added = Date.parse(merged.gift_code.expiry_at) - Date.parse(body.gift_code.expiry_at);
    expect(Math.round(added / 86_400_000)).toBe(7);
  });

  it('case 23: ends at its expiry instant', async () => {
    const member = await api.member();
    const expiresAt = new Date(now().getTime() + 3_600_000).toISOString();
    const code = await gift({ expiresAt, uses: 2 });
    await redeem(member, code).expect(200);
    expect((await member.me()).gift_code).toEqual({ is_active: true, expiry_at: expiresAt });
    const seconds = Math.ceil((Date.parse(expiresAt) - now().getTime()) / 1000);
    await api.providers.advance(seconds);
    const me = await member.me();
    expect(me).toMatchObject({ gift_code: { is_active: false }, limits: { exports: 0 } });
    const { body } = await redeem(await api.member(), code).expect(409);
    expect(body.error_code).toBe('gift_codes.expired');
  });

  it.each([
    ['an unknown code', 'GIFT-0000-0000-0000-0000', 404],
    ['nothing', '', 422],
    ['a number', 7, 422],
    ['too much', 'x'.repeat(101), 422],
  ])('rejects %s', async (_what, code, status) => {
    await redeem(await api.member(), code).expect(status);
  });

  it('needs a token', () => api.http.post('/api/v1/web/gift-codes/redeem').send({ code: 'x' }).expect(401));
});
