import { randomUUID } from 'node:crypto';
import { countedMb, countedSeconds } from '@clearframe/contract';
import { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../test/support/application.js';
import { advance, Customer, routePath } from '../../test/support/billing/customer.js';
import { BillingClock } from '../providers/billing-clock.js';
import type { Caller } from '../sessions/caller.js';
import { CallerService } from '../sessions/caller.service.js';
import { type Video, VideoAllowances, weekOf } from '../video-allowances/video-allowances.js';

let api: TestApi;
let allowances: VideoAllowances;
let database: DataSource;
beforeAll(async () => {
  api = await startApi();
  allowances = api.app.get(VideoAllowances, { strict: false });
  database = api.app.get(DataSource, { strict: false });
});
afterAll(() => api.stop());

const caller = async ({ visitor }: Customer): Promise<Caller> => {
  const found = await api.app.get(CallerService, { strict: false }).byToken(visitor.token);
  if (!found) throw new Error('unknown token');
  return found;
};
const video = (megabytes: number, seconds = 1): Video => ({
  taskId: randomUUID(),
  sizeBytes: megabytes * 1e6,
  seconds,
});
const reserve = (owner: Caller, reserved: Video, claimed = {}) =>
  database.transaction((manager) => allowances.reserve(manager, owner, reserved, claimed));
const limits = async (customer: Customer, query = '') =>
  (await customer.visitor.get(`/users/@me/video-limits${query}`).expect(200)).body;
const personal = async () => {
  const customer = await Customer.member(api);
  await customer.subscribe();
  return { customer, owner: await caller(customer) };
};

describe('a week of videos', () => {
  it.each([
    ['2026-11-22T23:59:59.999Z', '2026-11-16T00:00:00.000Z'],
    ['2026-11-23T00:00:00.000Z', '2026-11-23T00:00:00.000Z'],
    ['2026-11-22T23:59:59.999-11:00', '2026-11-23T00:00:00.000Z'],
    ['2026-11-23T00:00:00.000+14:00', '2026-11-16T00:00:00.000Z'],
    ['2027-01-01T12:00:00.000Z', '2026-12-28T00:00:00.000Z'],
  ])('%s is in the week of %s (case 20)', (moment, monday) =>
    expect(weekOf(new Date(moment)).toISOString()).toBe(monday),
  );

  it('resets on Monday at the first instant (case 20)', async () => {
    const { customer, owner } = await personal();
    for (let index = 0; index < 4; index += 1) await reserve(owner, video(60, 60));
    const full = await limits(customer);
    expect(full).toMatchObject({ used_size_mb: 240, used_length: 240, limit_hit: 'size', period: 'weekly' });
    await expect(reserve(owner, video(0.1))).rejects.toMatchObject({ code: 'videos.limit_reached' });
    const now = api.app.get(BillingClock).now();
    const left = Math.floor((Date.parse(full.resets_at) - now.getTime()) / 1000);
    await advance(api, { seconds: Math.max(1, left - 600) });
    expect((await limits(customer)).limit_hit).toBe('size');
    await advance(api, { seconds: 601 });
    expect(await limits(customer)).toMatchObject({ used_size_mb: 0, used_length: 0, limit_hit: null });
  });
});

describe('the allowance of a video', () => {
  it.each([
    [60_049_999, 60],
    [60_050_000, 60.1],
    [49_999, 0],
  ])('%i bytes count as %d MB', (bytes, mb) => expect(countedMb(bytes)).toBe(mb));
  it.each([
    [59.01, 60],
    [60, 60],
    [60.001, 61],
  ])('%d seconds count as %i', (seconds, counted) => expect(countedSeconds(seconds)).toBe(counted));

  it('is reserved for one of two that together exceed the limit (case 21)', async () => {
    const { customer, owner } = await personal();
    for (let index = 0; index < 3; index += 1) await reserve(owner, video(60));
    const tries = await Promise.allSettled([reserve(owner, video(30.5)), reserve(owner, video(30.5))]);
    expect(tries.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect((await limits(customer)).used_size_mb).toBe(210.5);
  });

  it('is reserved once, committed or released', async () => {
    const { customer, owner } = await personal();
    const [kept, returned] = [video(10, 10), video(20, 20)];
    await Promise.all([reserve(owner, kept), reserve(owner, kept), reserve(owner, returned)]);
    expect(await limits(customer)).toMatchObject({ used_size_mb: 30, used_length: 30 });
    await allowances.commit(database.manager, kept.taskId);
    await allowances.release(database.manager, kept.taskId);
    await allowances.release(database.manager, returned.taskId);
    expect(await limits(customer)).toMatchObject({ used_size_mb: 10, used_length: 10 });
  });

  it.each([
    ['too large', video(60.1), {}, 'max_size_mb'],
    ['too long', video(1, 60.5), {}, 'max_length'],
    ['larger than claimed', video(6), { maxSizeMb: 5 }, 'max_size_mb'],
    ['not made larger by a claim', video(61), { maxSizeMb: 500 }, 'max_size_mb'],
    ['longer than what is claimed of the week', video(1, 31), { maxPeriodLength: 30 }, 'max_period_length'],
  ])('%s: rejected', async (_what, what, claimed, limit) => {
    const { owner } = await personal();
    await expect(reserve(owner, what, claimed)).rejects.toMatchObject({
      code: 'videos.limit_reached',
      options: { details: { limit } },
    });
  });
});

describe('GET /users/@me/video-limits', () => {
  it("returns the plan's limits, which clients can only tighten", async () => {
    const { customer } = await personal();
    expect(await limits(customer)).toMatchObject({
      max_size_mb: 60,
      max_length: 60,
      max_period_size_mb: 240,
      max_period_length: 240,
      used_size_mb: 0,
    });
    const claimed = await limits(customer, '?max_size_mb=10&max_length=1000&period=weekly');
    expect(claimed).toMatchObject({ max_size_mb: 10, max_length: 60 });
    for (const period of ['monthly', 'yearly'])
      expect(await limits(customer, `?period=${period}`)).toMatchObject({ period: 'weekly', max_period_length: 240 });
  });

  it('returns the limits of business for free accounts', async () => {
    const visitor = await api.business();
    expect((await visitor.get('/users/@me/video-limits').expect(200)).body).toMatchObject({
      max_size_mb: 120,
      max_period_size_mb: 480,
    });
  });

  it('is rejected for guests and base, and without a token', async () => {
    for (const customer of [await Customer.guest(api), await Customer.member(api)]) {
      const { status, body } = await customer.visitor.get('/users/@me/video-limits');
      expect([status, body.error_code]).toEqual([403, 'videos.not_in_plan']);
    }
    expect((await api.http.get(routePath('/users/@me/video-limits'))).status).toBe(401);
    const { customer } = await personal();
    const { body } = await customer.visitor.get('/users/@me/video-limits?max_length=long').expect(422);
    expect(body.error_code).toBe('request.invalid');
  });
});
