import type { AppLoadContext } from '@remix-run/node';
import { expect, test } from 'vitest';
import { sendJson, sendProblem, startBackend } from '../../test/backend';
import { contextFor, cookieHeader, nextContext } from '../../test/context';
import { ADA, memberCookie } from '../../test/users';
import { ApiError } from '../http/api.server';
import { asMember, asVisitor, ensureGuest, startMemberSession, tokenOf, tokensOf, visitorOf } from './visitor.server';

const page = (cookie?: string, agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0') =>
  new Request('http://clearframe.test/', { headers: { 'user-agent': agent, ...(cookie ? { cookie } : {}) } });

async function firstCookie(request: Request, context: AppLoadContext): Promise<string | null> {
  const answer = nextContext(context);
  await ensureGuest(request, answer);
  return answer.cookies[0] ?? null;
}

const pairOf = (setCookie: string | null): string => setCookie?.split(';', 1)[0] ?? '';

async function startGuestBackend() {
  let count = 0;
  return startBackend((_request, response) => sendJson(response, 201, { access_token: `guest-${++count}` }));
}

test('the first visit creates a guest whose token is in an HttpOnly cookie', async () => {
  const context = contextFor((await startGuestBackend()).url);
  const setCookie = await firstCookie(page(), context);
  expect(setCookie).toMatch(/; HttpOnly/);
  expect(setCookie).toMatch(/; SameSite=Lax/);
  expect(setCookie).not.toMatch(/; Secure/);
  expect(await tokenOf(page(pairOf(setCookie)), context)).toBe('guest-1');
});

test('the cookie is Secure over https', async () => {
  const context = contextFor((await startGuestBackend()).url, 'https://clearframe.test');
  expect(await firstCookie(page(), context)).toMatch(/^__Host-clearframe_.*; Secure/);
});

test('the second visit keeps the guest', async () => {
  const backend = await startGuestBackend();
  const context = contextFor(backend.url);
  const setCookie = await firstCookie(page(), context);
  expect(await firstCookie(page(pairOf(setCookie)), context)).toBeNull();
  expect(backend.requests).toHaveLength(1);
});

test.each([
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'Googlebot/2.1',
  'facebookexternalhit/1.1',
])('no guest is created for a crawler: %s', async (agent) => {
  const backend = await startGuestBackend();
  expect(await firstCookie(page(undefined, agent), contextFor(backend.url))).toBeNull();
  expect(backend.requests).toEqual([]);
});

test.each([
  'Mozilla/5.0 (Linux; Android 14; CUBOT X30) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
  'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/140.0.0.0 Safari/537.36',
  'node',
])('a guest is created for other clients: %s', async (agent) => {
  const backend = await startGuestBackend();
  expect(await firstCookie(page(undefined, agent), contextFor(backend.url))).not.toBeNull();
});

test('a cookie with an invalid signature is ignored', async () => {
  const context = contextFor((await startGuestBackend()).url);
  const pair = pairOf(await firstCookie(page(), context));
  expect(await tokenOf(page(`${pair}x`), context)).toBeNull();
});

test('a token is sent only to the backend that issued it', async () => {
  const pair = pairOf(await firstCookie(page(), contextFor((await startGuestBackend()).url)));
  expect(await tokenOf(page(pair), contextFor((await startGuestBackend()).url))).toBeNull();
});

test('pages render when no guest can be created', async () => {
  const backend = await startBackend((_request, response) => sendProblem(response, 'request.rate_limited'));
  expect(await firstCookie(page(), contextFor(backend.url))).toBeNull();
});

test('an operation fails when no guest can be created', async () => {
  const backend = await startBackend((_request, response) => sendProblem(response, 'request.rate_limited'));
  const work = asVisitor({ request: page(), context: contextFor(backend.url) }, async (token) => token);
  await expect(work).rejects.toMatchObject({ code: 'request.rate_limited', status: 429 });
});

test('an invalid guest token is replaced silently', async () => {
  const context = contextFor((await startGuestBackend()).url);
  const pair = pairOf(await firstCookie(page(), context));
  const { result } = await asVisitor({ request: page(pair), context }, async (token) => {
    if (token === 'guest-1') throw ApiError.of('users.not_authorized', 'id');
    return token;
  });
  expect(result).toBe('guest-2');
  expect(await tokenOf(page(cookieHeader(context.cookies)), context)).toBe('guest-2');
});

test('other errors keep the session', async () => {
  const backend = await startGuestBackend();
  const context = contextFor(backend.url);
  const pair = pairOf(await firstCookie(page(), context));
  const work = asVisitor({ request: page(pair), context }, () => Promise.reject(ApiError.of('queue.full', 'id')));
  await expect(work).rejects.toMatchObject({ code: 'queue.full' });
  expect(backend.requests).toHaveLength(1);
});

test('the cookie of a new guest is set even when the operation fails', async () => {
  const context = contextFor((await startGuestBackend()).url);
  const work = asVisitor({ request: page(), context }, () => Promise.reject(ApiError.of('uploads.too_large', 'id')));
  await expect(work).rejects.toMatchObject({ code: 'uploads.too_large' });
  expect(context.cookies.join()).toContain('clearframe_');
});

const memberPage = async (context: AppLoadContext): Promise<Request> => page(await memberCookie(context));

const failUnauthorized = async (): Promise<never> => {
  throw ApiError.of('users.not_authorized', 'id');
};

test('a login replaces the guest, and a late guest cookie does not replace the login', async () => {
  const context = contextFor((await startGuestBackend()).url);
  const guest = pairOf(await firstCookie(page(), context));
  await startMemberSession('member-1', ADA, { request: page(guest), context });
  for (const cookies of [cookieHeader(context.cookies), `${guest}; ${context.cookies.map(pairOf)[0]}`]) {
    expect(await tokenOf(page(cookies), context)).toBe('member-1');
    expect(await visitorOf(page(cookies), context)).toEqual({
      kind: 'member',
      email: 'ada@example.com',
      source: 'apple',
    });
  }
});

test('an ended member session does not become a guest', async () => {
  const backend = await startGuestBackend();
  const context = contextFor(backend.url);
  await expect(asVisitor({ request: await memberPage(context), context }, failUnauthorized)).rejects.toMatchObject({
    code: 'users.not_authorized',
  });
  expect(await visitorOf(page(cookieHeader(context.cookies)), context)).toEqual({ kind: 'guest' });
  expect(backend.requests).toEqual([]);
});

test('asMember redirects guests and ended sessions to the login', async () => {
  const context = contextFor((await startGuestBackend()).url);
  const member = await memberPage(context);
  expect(await asMember(member, context, async (token) => token)).toBe('token');
  for (const request of [page(), member]) {
    const answer = await asMember(request, context, failUnauthorized).catch((thrown: unknown) => thrown);
    if (!(answer instanceof Response)) throw new Error('no redirect to the login');
    expect(answer.status).toBe(303);
    expect(answer.headers.get('location')).toBe('/login?returnTo=%2F');
  }
});

test('a repeatable request is repeated with the current cookies before another guest is created', async () => {
  const backend = await startGuestBackend();
  const context = contextFor(backend.url);
  const cookies = pairOf(await firstCookie(page(), context));
  const send = (address: string) =>
    asVisitor({ request: new Request(address, { headers: { cookie: cookies } }), context }, failUnauthorized, {
      isRepeatable: true,
    }).catch((thrown: unknown) => thrown);
  const first = await send('http://clearframe.test/uploads');
  expect(first).toBeInstanceOf(Response);
  expect((first as Response).status).toBe(307);
  expect((first as Response).headers.get('location')).toBe('/uploads?again=1');
  expect(backend.requests).toHaveLength(1);
  await send('http://clearframe.test/uploads?again=1');
  expect(backend.requests).toHaveLength(2);
});

test('a late response that closes an ended session keeps a newer one', async () => {
  const context = contextFor((await startGuestBackend()).url);
  const earlier = await memberPage(context);
  const late = nextContext(context);
  await expect(asVisitor({ request: earlier, context: late }, failUnauthorized)).rejects.toMatchObject({
    code: 'users.not_authorized',
  });
  const jar = new Map<string, string>();
  const store = (cookies: readonly string[]) => {
    for (const cookie of cookies) {
      const [name = '', value = ''] = pairOf(cookie).split(/=(.*)/s);
      if (/max-age=0|expires=Thu, 01 Jan 1970/i.test(cookie)) jar.delete(name);
      else jar.set(name, value);
    }
  };
  const begun = nextContext(context);
  await startMemberSession('member-2', ADA, { request: page(), context: begun });
  store(begun.cookies);
  store(late.cookies);
  expect(await tokenOf(page([...jar].map((pair) => pair.join('=')).join('; ')), context)).toBe('member-2');
});

test('the newer of two sessions takes precedence, and the next login closes both', async () => {
  const context = contextFor((await startGuestBackend()).url);
  const cookies: string[] = [];
  for (const token of ['member-1', 'member-2']) {
    const begun = nextContext(context);
    await startMemberSession(token, ADA, { request: page(), context: begun });
    cookies.unshift(pairOf(begun.cookies[0] ?? ''));
  }
  const both = page(cookies.join('; '));
  expect(await tokensOf(both, context)).toEqual(['member-2', 'member-1']);
  const last = nextContext(context);
  await startMemberSession('member-3', ADA, { request: both, context: last });
  const deleted = last.cookies.filter((cookie) => /_member_[0-9a-f]+=;/.test(cookie));
  expect(deleted.map((cookie) => cookie.split('=')[0]).sort()).toEqual(
    cookies.map((pair) => pair.split('=')[0]).sort(),
  );
});
