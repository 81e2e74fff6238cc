import { toWire, User } from '@clearframe/contract';
import { beforeEach, expect, test } from 'vitest';
import { readSettings } from '../../../server/config/settings.ts';
import { sendJson, startBackend } from '../../../test/backend';
import { contextFor, SECRETS } from '../../../test/context';
import { ADA } from '../../../test/users';
import { finishFirebaseLogin, repeatReturn } from './firebase-login.server';
import { action as login } from './login.route';

const ORIGIN = 'http://clearframe.test';
const AUTH_URI = 'https://accounts.google.com/o/oauth2/auth?client_id=c&state=AMbdmDk&scope=openid';
const SIGNED_IN = { idToken: 'firebase-token', email: ADA.email };

type Answer = readonly [status: number, body: object];

/** Plays Google's Identity Toolkit. */
let answers: Record<string, Answer>;
let calls: { readonly method: string; readonly body: Record<string, unknown> }[];

beforeEach(() => {
  calls = [];
  answers = {
    'accounts:createAuthUri': [200, { authUri: AUTH_URI, sessionId: 'session-1', providerId: 'google.com' }],
    'accounts:signInWithIdp': [200, SIGNED_IN],
  };
});

/** @returns a browser without JavaScript */
async function openBrowser() {
  const toolkit = await startBackend(async (request, response) => {
    const method = new URL(request.url ?? '', ORIGIN).pathname.split('/').at(-1) ?? '';
    calls.push({ method, body: JSON.parse((await request.toArray()).join('')) });
    const [status, body] = answers[method] ?? [404, {}];
    sendJson(response, status, body);
  });
  const tokens: unknown[] = [];
  const api = await startBackend(async (request, response) => {
    if (request.url?.endsWith('/users/login')) {
      tokens.push(JSON.parse((await request.toArray()).join('')).firebase_id_token);
      return sendJson(response, 200, { access_token: 'session-token' });
    }
    return sendJson(response, 200, toWire(User, ADA));
  });
  const settings = readSettings({
    ...SECRETS,
    API_URL: api.url.origin,
    PUBLIC_URL: ORIGIN,
    IDENTITY_PROVIDER: 'firebase',
    FIREBASE_PROJECT_ID: 'demo',
    FIREBASE_AUTH_EMULATOR_HOST: toolkit.url.host,
  });
  const cookies = new Map<string, string>();
  const setCookie = (text: string) => {
    const [name = '', value = ''] = (text.split(';', 1)[0] ?? '').split(/=(.*)/s);
    cookies.set(name, value);
  };
  const context = { ...contextFor(api.url), settings, setCookie };
  const locationOf = (response: Response) => response.headers.get('location');
  const cookie = () => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const post = (path: string, fields: Record<string, string>) => {
    const body = new URLSearchParams(fields).toString();
    return new Request(ORIGIN + path, {
      method: 'POST',
      body,
      headers: {
        cookie: cookie(),
        'content-type': 'application/x-www-form-urlencoded',
        'content-length': String(body.length),
      },
    });
  };
  return {
    tokens,
    cookies,
    choose: async (provider: string, page = '/login?returnTo=%2Fpricing&v=b') =>
      locationOf((await login({ request: post(page, { provider }), context, params: {} })) as Response),
    comeBack: async (query: string) => {
      const request = new Request(`${ORIGIN}/login/return?${query}`, { headers: { cookie: cookie() } });
      return locationOf(await finishFirebaseLogin({ request, context, params: {} }));
    },
    postBack: async (fields: Record<string, string>) =>
      locationOf(await repeatReturn({ request: post('/login/return', fields), context, params: {} })),
  };
}

test('a visitor without JavaScript logs in on the provider’s page', async () => {
  const browser = await openBrowser();
  expect(await browser.choose('google')).toBe(AUTH_URI);
  expect(calls[0]?.body).toMatchObject({
    providerId: 'google.com',
    continueUri: `${ORIGIN}/login/return`,
    authFlowType: 'CODE_FLOW',
  });
  expect(await browser.comeBack('state=AMbdmDk&code=4%2F0A')).toBe('/pricing?v=b');
  expect(calls[1]?.body).toMatchObject({
    requestUri: `${ORIGIN}/login/return?state=AMbdmDk&code=4%2F0A`,
    sessionId: 'session-1',
  });
  expect(browser.tokens).toEqual(['firebase-token']);
});

test('a return counts once, and in the browser that started the login', async () => {
  const browser = await openBrowser();
  await browser.choose('google');
  expect(await browser.comeBack('state=another&code=1')).toBe('/login?problem=other&returnTo=%2Fpricing');
  expect(await browser.comeBack('state=AMbdmDk&code=1')).toBe('/login?problem=other');
  const stranger = await openBrowser();
  expect(await stranger.comeBack('state=AMbdmDk&code=1')).toBe('/login?problem=other');
  expect(calls.map(({ method }) => method)).toEqual(['accounts:createAuthUri']);
  expect([...browser.tokens, ...stranger.tokens]).toEqual([]);
});

test('an address without a state gets one', async () => {
  answers['accounts:createAuthUri'] = [200, { authUri: 'https://appleid.apple.com/auth/authorize', sessionId: 's' }];
  const browser = await openBrowser();
  const state = new URL((await browser.choose('apple')) ?? '').searchParams.get('state') ?? '';
  expect(state).toMatch(/^[\da-f-]{36}$/);
  // Apple posts its answer, without the cookie.
  expect(await browser.postBack({ state, code: 'c1' })).toBe(`/login/return?state=${state}&code=c1`);
  expect(await browser.comeBack(`state=${state}&code=c1`)).toBe('/pricing?v=b');
});

test.each([
  ['cancelled by the visitor', 'error=access_denied', [200, SIGNED_IN], '/login?returnTo=%2Fpricing&v=b'],
  [
    'of a disabled user',
    'code=1',
    [400, { error: { message: 'USER_DISABLED' } }],
    '/login?problem=disabled&returnTo=%2Fpricing&v=b',
  ],
  [
    'with an old code',
    'code=1',
    [400, { error: { message: 'INVALID_IDP_RESPONSE : The code has expired' } }],
    '/login?problem=other&returnTo=%2Fpricing&v=b',
  ],
  ['during an outage', 'code=1', [503, {}], '/login?problem=network&returnTo=%2Fpricing&v=b'],
] as const)('a login %s leads back to the buttons', async (_case, query, answer, expected) => {
  answers['accounts:signInWithIdp'] = answer;
  const browser = await openBrowser();
  await browser.choose('google');
  expect(await browser.comeBack(`state=AMbdmDk&${query}`)).toBe(expected);
  expect(browser.tokens).toEqual([]);
});

test('a provider that is not switched on says so', async () => {
  answers['accounts:createAuthUri'] = [400, { error: { message: 'OPERATION_NOT_ALLOWED' } }];
  expect(await (await openBrowser()).choose('facebook')).toBe('/login?problem=provider&returnTo=%2Fpricing&v=b');
});

test('the account of another provider is linked after a login there', async () => {
  const browser = await openBrowser();
  answers['accounts:signInWithIdp'] = [
    200,
    { needConfirmation: true, email: ADA.email, verifiedProvider: ['google.com'], pendingToken: 'pending' },
  ];
  await browser.choose('facebook');
  expect(await browser.comeBack('state=AMbdmDk&code=1')).toBe(
    '/login/linking?attempted=facebook&original=google&returnTo=%2Fpricing&v=b',
  );
  answers['accounts:signInWithIdp'] = [200, SIGNED_IN];
  await browser.choose('google');
  expect(await browser.comeBack('state=AMbdmDk&code=2')).toBe('/pricing?v=b');
  expect(calls.at(-1)?.body).toMatchObject({ idToken: 'firebase-token', pendingToken: 'pending' });
  expect(browser.tokens).toEqual(['firebase-token']);
});
