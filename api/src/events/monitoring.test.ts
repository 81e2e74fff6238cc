import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../test/support/application.js';

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ LIMIT_EVENTS_PER_MINUTE: '8' });
});
afterAll(() => api.stop());

const event = (change: object = {}) => ({
  id: randomUUID(),
  severity: 'error',
  categories: ['script'],
  description: 'x is undefined',
  error_code: null,
  info: { anyKey: 1 },
  created_at: '2026-11-23T12:00:00.000Z',
  ...change,
});

const send = (payloads: readonly object[], app = 'web') =>
  api.http
    .post(`/api/v2/public/apps/${app}/events`)
    .send({ user_id: 'user-1', sent_at: '2026-11-23T12:00:01.000Z', payloads });

describe('monitoring events', () => {
  it('may leave out what the client does not know', async () => {
    await api.redis.flushdb();
    const times = { created_at: '2026-11-23T12:00:00+00:00' };
    await send([event({ id: 'one', info: null, categories: null, ...times })]).expect(202);
    const { categories: _categories, info: _info, error_code: _code, ...rest } = event();
    await send([rest]).expect(202);
  });

  it('are accepted from every client, at most 100 a call, and limited by address', async () => {
    await api.redis.flushdb();
    expect((await send([event(), event()]).expect(202)).body).toEqual({ accepted: 2 });
    await send(
      Array.from({ length: 100 }, () => event()),
      'com.example.app',
    ).expect(202);
    await send(Array.from({ length: 101 }, () => event())).expect(422);
    await send([]).expect(422);
    for (const change of [{ id: '' }, { created_at: 'today' }, { description: 'x'.repeat(5_001) }])
      await send([event(change)]).expect(422);
    await send([event()], 'a%20b').expect(404);
    const statuses: number[] = [];
    for (let call = 0; call < 9; call++) statuses.push((await send([event()])).status);
    expect(statuses.at(-1)).toBe(429);
  });
});
