import {
  analyzeRoutes,
  BASE_PATH,
  eventRoutes,
  pathOf,
  REDIS_PREFIX,
  type RouteSpec,
  requiresCaller,
  resultRoutes,
  supportRoutes,
  userRoutes,
} from '@clearframe/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../test/support/application.js';
import type { Visitor } from '../../test/support/visitor.js';

const TRIES = 2;
let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

const routes = Object.entries<RouteSpec>(userRoutes);
const ask = (on: TestApi, { method, ...spec }: RouteSpec, token?: string) => {
  const pendingRequest = on.http[method.toLowerCase() as 'get' | 'post' | 'put' | 'delete'](
    pathOf({ method, ...spec }),
  );
  return token === undefined ? pendingRequest : pendingRequest.auth(token, { type: 'bearer' });
};

describe('every identity and user route', () => {
  it.each(routes.filter(([, route]) => requiresCaller(route)))('requires a valid token: %s', async (_name, route) => {
    const ended = await api.guest();
    await ended.post('/users/logout').expect(204);
    for (const token of [undefined, 'garbage', 'a.b.c', ended.token]) {
      const { body, headers } = await ask(api, route, token).expect(401);
      expect(body).toMatchObject({ error_code: 'users.not_authorized', request_id: headers['x-request-id'] });
    }
  });

  it.each(routes.filter(([, { body }]) => body))('names malformed fields: %s', async (_name, route) => {
    const visitor = await api.guest();
    const send = (body: string) => ask(api, route, visitor.token).set('content-type', 'application/json').send(body);
    for (const body of ['{', '[]', '"text"']) {
      expect((await send(body).expect(400)).body.error_code).toBe('request.malformed');
    }
    const { body } = await ask(api, route, visitor.token)
      .set('content-type', 'application/xml')
      .send('<text/>')
      .expect(415);
    expect(body.error_code).toBe('request.unsupported_media_type');
    await visitor.me();
  });
});

describe('every identity and user route, with low limits', () => {
  let limited: TestApi;
  beforeAll(async () => {
    limited = await startApi({
      LIMIT_GUESTS_PER_10_MINUTES: String(TRIES + 1),
      LIMIT_LOGINS_PER_10_MINUTES: String(TRIES),
      LIMIT_WRITES_PER_MINUTE: String(TRIES),
      LIMIT_READS_PER_MINUTE: String(TRIES),
      LIMIT_EVENTS_PER_MINUTE: String(TRIES),
    });
  });
  beforeEach(async () => {
    const counters = await limited.redis.keys(`${REDIS_PREFIX}:rate:*`);
    if (counters.length > 0) await limited.redis.del(counters);
  });
  afterAll(() => limited.stop());

  it.each(routes)('is rate-limited: %s', async (_name, route) => {
    const { token } = await limited.guest();
    const harmless = requiresCaller(route) ? withoutEffect(route) : route;
    for (let n = 0; n < TRIES; n += 1) expect((await ask(limited, harmless, token)).status).not.toBe(429);
    const { body, headers } = await ask(limited, route, token).expect(429);
    expect(body.error_code).toBe('request.rate_limited');
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  });
});

function withoutEffect(route: RouteSpec): RouteSpec {
  const inSameBucket = {
    guests: userRoutes.createGuest,
    logins: userRoutes.migrateGuest,
    writes: userRoutes.updatePreferences,
    analyses: analyzeRoutes.analyzePicture,
    reads: userRoutes.getCurrentUser,
    tiles: resultRoutes.getTile,
    events: eventRoutes.recordEvents,
    support: supportRoutes.createSupportTicket,
  };
  return route.limit ? inSameBucket[route.limit] : route;
}

describe('users learn nothing about each other', () => {
  it('by any of their ids', async () => {
    const [mine, theirs]: [Visitor, Visitor] = [await api.member(), await api.member()];
    const { web_user_id } = await theirs.me();
    for (const [path, status] of [
      [`/users/${web_user_id}`, 404],
      [`/users/${web_user_id}/export`, 404],
      ['/users', 405],
    ] as const) {
      const { body } = await api.http.get(`${BASE_PATH}${path}`).auth(mine.token, { type: 'bearer' }).expect(status);
      expect(JSON.stringify(body)).not.toContain(web_user_id);
    }
    await mine.delete(`/users/${web_user_id}`).expect(404);
    await theirs.me();
  });
});
