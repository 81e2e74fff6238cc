import {
  type Allow,
  API_KEY_HEADER,
  KEY_SCOPES,
  type KeyScope,
  pathOf,
  ROUTES,
  type RouteSpec,
} from '@clearframe/contract';
import { Controller, Get, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { STAFF_PASSWORD, startApi, type TestApi } from '../../test/support/application.js';
import { documentationOf } from '../../test/support/hostile/documentation.js';
import { Operational } from '../platform/http/route.decorator.js';
import { AccessCheck } from './access-check.js';

let api: TestApi;
const keys = new Map<string, string>();
beforeAll(async () => {
  api = await startApi();
  const owner = await api.business();
  for (const scopes of [[], ['media:read'], ['media:write'], ['videos']] satisfies KeyScope[][]) {
    const { body } = await owner.post('/plugin-keys').expect(201);
    await api.sql('UPDATE plugin_keys SET scopes = $2 WHERE id = $1', [body.id, scopes]);
    keys.set(scopes.join(), body.key);
  }
});
afterAll(() => api.stop());
// Failed staff passwords are counted per address.
beforeEach(() => api.redis.flushdb());

type Headers = Readonly<Record<string, string>>;
const METHODS = { GET: 'get', POST: 'post', PUT: 'put', DELETE: 'delete' } as const;
const bearer = (token: string): Headers => ({ authorization: `Bearer ${token}` });
const apiKey = (...scopes: KeyScope[]): Headers => ({ [API_KEY_HEADER]: keys.get(scopes.join()) ?? '' });
const staff: Headers = { 'x-secret-menu-password': STAFF_PASSWORD };

const CALLERS = {
  anonymous: async () => ({}),
  'a guest': async () => bearer((await api.guest()).token),
  'a member': async () => bearer((await api.member()).token),
  'an invalid token': async () => bearer('a.b.c'),
  'an invalid key': async () => ({ [API_KEY_HEADER]: `cfk_${'a'.repeat(43)}` }),
  'a key without scopes': async () => apiKey(),
  'a key with the scope media:read': async () => apiKey('media:read'),
  'a key with the scope media:write': async () => apiKey('media:write'),
  'a key with the scope videos': async () => apiKey('videos'),
} satisfies Record<string, () => Promise<Headers>>;
type Credential = keyof typeof CALLERS;

const UNAUTHORIZED = '401 users.not_authorized';
const NOT_PERMITTED = '403 plugin_keys.not_permitted';
const SCOPE_MISSING = '403 plugin_keys.scope_missing';
const KEY_REQUIRED = '403 plugin_keys.required';
const LOGIN_REQUIRED = '403 billing.login_required';
const WRONG_PASSWORD = '403 secret_menu.password_incorrect';
const REFUSALS: readonly string[] = [
  UNAUTHORIZED,
  NOT_PERMITTED,
  SCOPE_MISSING,
  KEY_REQUIRED,
  LOGIN_REQUIRED,
  WRONG_PASSWORD,
];

const ANY_KEY = (code: string): Partial<Record<Credential, string>> => ({
  'a key without scopes': code,
  'a key with the scope media:read': code,
  'a key with the scope media:write': code,
  'a key with the scope videos': code,
});

/** Rejected callers by kind of route, with the error. Others are admitted. */
const REFUSED: Record<string, Partial<Record<Credential, string>>> = {
  public: {},
  anyone: {},
  session: {
    anonymous: UNAUTHORIZED,
    'an invalid token': UNAUTHORIZED,
    'an invalid key': UNAUTHORIZED,
    ...ANY_KEY(NOT_PERMITTED),
  },
  account: {
    anonymous: UNAUTHORIZED,
    'a guest': LOGIN_REQUIRED,
    'an invalid token': UNAUTHORIZED,
    'an invalid key': UNAUTHORIZED,
    ...ANY_KEY(NOT_PERMITTED),
  },
  staff: Object.fromEntries(Object.keys(CALLERS).map((caller) => [caller, WRONG_PASSWORD])),
  staff_session: {
    anonymous: UNAUTHORIZED,
    'a guest': WRONG_PASSWORD,
    'a member': WRONG_PASSWORD,
    'an invalid token': UNAUTHORIZED,
    'an invalid key': UNAUTHORIZED,
    ...ANY_KEY(NOT_PERMITTED),
  },
  ...Object.fromEntries(
    [...KEY_SCOPES, 'any'].flatMap((scope) => {
      const refused = {
        anonymous: UNAUTHORIZED,
        'an invalid token': UNAUTHORIZED,
        'an invalid key': UNAUTHORIZED,
        ...(scope !== 'any' && { ...ANY_KEY(SCOPE_MISSING), [`a key with the scope ${scope}`]: undefined }),
      };
      return [
        [`session or key: ${scope}`, refused],
        [`key: ${scope}`, { ...refused, 'a guest': KEY_REQUIRED, 'a member': KEY_REQUIRED }],
      ];
    }),
  ),
};

function nameOf(allow: Allow): string {
  if (typeof allow === 'string') return allow;
  return 'key' in allow ? `key: ${allow.key}` : `session or key: ${allow.sessionOrKey}`;
}
const ALL = ROUTES.map((route) => [`${route.method} ${pathOf(route)}`, route] as const);

function send(route: RouteSpec, headers: Headers) {
  const path = pathOf(route).replace(':provider', 'stripe').replace(/:\w+/g, '00000000-0000-4000-8000-000000000000');
  const pendingRequest = api.http[METHODS[route.method]](path).set(headers);
  return route.method === 'GET' ? pendingRequest : pendingRequest.send({});
}

async function refusalOf(route: RouteSpec, headers: Headers): Promise<string | undefined> {
  const { status, body } = await send(route, headers);
  const response = `${status} ${body.error_code}`;
  // Billing responds the same for purchases that need an account.
  if (response === LOGIN_REQUIRED && route.allow !== 'account') return undefined;
  return REFUSALS.includes(response) ? response : undefined;
}

describe('access to every route', () => {
  it.each(ALL)('%s', async (_name, route) => {
    const responses: Record<string, string> = {};
    for (const [caller, headersOf] of Object.entries(CALLERS)) {
      await api.redis.flushdb();
      const refusal = await refusalOf(route, await headersOf());
      if (refusal) responses[caller] = refusal;
    }
    expect(responses).toEqual(REFUSED[nameOf(route.allow)]);
  });

  it.each(ALL.filter(([, { allow }]) => allow === 'staff' || allow === 'staff_session'))(
    '%s with the staff password',
    async (_name, route) => {
      expect(await refusalOf(route, { ...staff, ...(await CALLERS['a guest']()) })).toBeUndefined();
      expect(await refusalOf(route, staff)).toBe(route.allow === 'staff' ? undefined : UNAUTHORIZED);
    },
  );

  it('is that of a key sent beside a token, valid or not', async () => {
    const guest = await api.guest();
    for (const token of [guest.token, 'a.b.c']) {
      const headers = { ...bearer(token), ...apiKey() };
      const { body } = await api.http.get('/api/v1/web/users/@me').set(headers).expect(200);
      expect(body.role).toBe('business');
    }
  });

  it('is not granted to a token beside a broken key', async () => {
    const guest = await api.guest();
    const headers = { ...bearer(guest.token), [API_KEY_HEADER]: `cfk_${'a'.repeat(43)}` };
    await api.http.get('/api/v1/web/users/@me').set(headers).expect(401);
  });
});

describe('the documentation of access', () => {
  it.each<[Allow, object[]]>([
    ['public', []],
    ['anyone', [{ bearer: [] }, {}]],
    ['session', [{ bearer: [] }]],
    ['account', [{ bearer: [] }]],
    ['staff', [{ bearer: [], staffPassword: [] }, { staffPassword: [] }]],
    ['staff_session', [{ bearer: [], staffPassword: [] }]],
    [{ sessionOrKey: 'media:read' }, [{ apiKey: ['media:read'] }, { bearerKey: ['media:read'] }]],
    [{ sessionOrKey: 'any' }, [{ apiKey: [] }, { bearerKey: [] }]],
    [{ key: 'media:write' }, [{ apiKey: ['media:write'] }, { bearerKey: ['media:write'] }]],
  ])('names the credentials for %j', async (allow, security) => {
    const { paths, components } = await documentationOf(api);
    const routes = ALL.map(([, route]) => route).filter((route) => nameOf(route.allow) === nameOf(allow));
    expect(routes.length).toBeGreaterThan(0);
    for (const route of routes) {
      const path = pathOf(route).replace(/:(\w+)/g, '{$1}');
      expect([path, paths[path]?.[route.method.toLowerCase()]?.security]).toEqual([path, security]);
    }
    const schemes = ['apiKey', 'bearer', 'bearerKey', 'staffPassword'];
    expect(Object.keys(components.securitySchemes).sort()).toEqual(schemes);
  });
});

describe('a handler that declares no access', () => {
  @Controller()
  class Undeclared {
    @Get('open')
    read(): void {}
  }
  @Controller()
  class Probe {
    @Operational()
    @Get('probe')
    read(): void {}
  }
  const boot = (...controllers: (typeof Undeclared | typeof Probe)[]) => {
    @Module({ controllers, providers: [AccessCheck] })
    class App {}
    return NestFactory.createApplicationContext(App, { logger: false, abortOnError: false });
  };

  it('fails the boot', async () => {
    await expect(boot(Undeclared)).rejects.toThrow(
      "Undeclared.read declares no access: mount it with @Route() on a contract route that has an 'allow', or mark it @Operational()",
    );
  });

  it('may be an endpoint for operators', async () => {
    await (await boot(Probe)).close();
  });
});
