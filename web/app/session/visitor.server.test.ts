import type { AppLoadContext } from '@remix-run/node';
import { expect, test } from 'vitest';
import { sendJson, sendProblem, startBackend } from '../../test/backend';
import { contextFor } from '../../test/context';
import { ADA } from '../../test/users';
import { ApiError } from '../http/api.server';
import { asMember, asVisitor, becomeMember, ensureGuest, tokenOf, tokensOf, visitorOf } from './visitor.server';

const page = (cookie?: string, agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0') =>
  new Request('http://clearframe.test/', { headers: { 'user-agent': agent, ...(cookie ? { cookie } : {}) } });

/** What the first page sets: the guest's cookie, or null. */
const firstCookie = async (request: Request, context: AppLoadContext): Promise<string | null> =>
  (await ensureGuest(request, context))[0] ?? null;

const pairOf = (setCookie: string | null): string => setCookie?.split(';', 1)[0] ?? '';

async function backendThatWelcomes() {
  let count = 0;
  return startBackend((_request, response) => sendJson(response, 201, { access_token: `guest-${++count}` }));
}

test('the first visit makes a guest, whose token only the server can use', async () => {
  const context = contextFor((await backendThatWelcomes()).url);
  const setCookie = await firstCookie(page(), context);
  expect(setCookie).toMatch(/; HttpOnly/);
  expect(setCookie).toMatch(/; SameSite=Lax/);
  expect(setCookie).not.toMatch(/; Secure/);
  expect(await tokenOf(page(pairOf(setCookie)), context)).toBe('guest-1');
});

test('over https the cookie is for https alone', async () => {
  const context = contextFor((await backendThatWelcomes()).url, 'https://clearframe.test');
  expect(await firstCookie(page(), context)).toMatch(/^__Host-clearframe_.*; Secure/);
});

test('the second visit makes none', async () => {
  const backend = await backendThatWelcomes();
  const context = contextFor(backend.url);
  const setCookie = await firstCookie(page(), context);
  expect(await firstCookie(page(pairOf(setCookie)), context)).toBeNull();
  expect(backend.arrivals).toHaveLength(1);
});

test.each([
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'Googlebot/2.1',
  'facebookexternalhit/1.1',
])('a crawler gets no guest: %s', async (agent) => {
  const backend = await backendThatWelcomes();
  expect(await firstCookie(page(undefined, agent), contextFor(backend.url))).toBeNull();
  expect(backend.arrivals).toEqual([]);
});

test.each([
  'Mozilla/5.0 (Linux; Android 14; CUBOT X30) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
  'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/140.0.0.0 Safari/537.36',
  'node',
])('every other client gets one: %s', async (agent) => {
  const backend = await backendThatWelcomes();
  expect(await firstCookie(page(undefined, agent), contextFor(backend.url))).not.toBeNull();
});

test('a cookie that was tampered with holds no token', async () => {
  const context = contextFor((await backendThatWelcomes()).url);
  const pair = pairOf(await firstCookie(page(), context));
  expect(await tokenOf(page(`${pair}x`), context)).toBeNull();
});

test('a cookie of another backend is not sent to this one', async () => {
  const pair = pairOf(await firstCookie(page(), contextFor((await backendThatWelcomes()).url)));
  expect(await tokenOf(page(pair), contextFor((await backendThatWelcomes()).url))).toBeNull();
});

test('a refusal breaks no page', async () => {
  const backend = await startBackend((_request, response) => sendProblem(response, 'request.rate_limited'));
  expect(await firstCookie(page(), contextFor(backend.url))).toBeNull();
});

test('a refusal is said when there is something to do', async () => {
  const backend = await startBackend((_request, response) => sendProblem(response, 'request.rate_limited'));
  const work = asVisitor(page(), contextFor(backend.url), new Headers(), async (token) => token);
  await expect(work).rejects.toMatchObject({ code: 'request.rate_limited', status: 429 });
});

test('a dead token is replaced without a word', async () => {
  const context = contextFor((await backendThatWelcomes()).url);
  const pair = pairOf(await firstCookie(page(), context));
  const headers = new Headers();
  const { result } = await asVisitor(page(pair), context, headers, async (token) => {
    if (token === 'guest-1') throw ApiError.of('users.not_authorized', 'id');
    return token;
  });
  expect(result).toBe('guest-2');
  expect(await tokenOf(page(pairOf(headers.get('set-cookie'))), context)).toBe('guest-2');
});

test('other refusals keep the session', async () => {
  const backend = await backendThatWelcomes();
  const context = contextFor(backend.url);
  const pair = pairOf(await firstCookie(page(), context));
  const work = asVisitor(page(pair), context, new Headers(), () => Promise.reject(ApiError.of('queue.full', 'id')));
  await expect(work).rejects.toMatchObject({ code: 'queue.full' });
  expect(backend.arrivals).toHaveLength(1);
});

test('a new guest keeps the cookie even when the work fails', async () => {
  const headers = new Headers();
  const context = contextFor((await backendThatWelcomes()).url);
  const work = asVisitor(page(), context, headers, () => Promise.reject(ApiError.of('uploads.too_large', 'id')));
  await expect(work).rejects.toMatchObject({ code: 'uploads.too_large' });
  expect(headers.get('set-cookie')).toContain('clearframe_');
});

const pairsOf = (headers: Headers): string => headers.getSetCookie().map(pairOf).join('; ');

/** A member by the cookies. */
async function memberPage(context: AppLoadContext): Promise<Request> {
  const headers = new Headers();
  await becomeMember('member-1', ADA, { request: page(), context, headers });
  return page(pairsOf(headers));
}

const dead = async (): Promise<never> => {
  throw ApiError.of('users.not_authorized', 'id');
};

test('a login replaces the guest, and a late guest does not replace the login', async () => {
  const context = contextFor((await backendThatWelcomes()).url);
  const guest = pairOf(await firstCookie(page(), context));
  const headers = new Headers();
  await becomeMember('member-1', ADA, { request: page(guest), context, headers });
  for (const cookies of [pairsOf(headers), `${guest}; ${headers.getSetCookie().map(pairOf)[0]}`]) {
    expect(await tokenOf(page(cookies), context)).toBe('member-1');
    expect(await visitorOf(page(cookies), context)).toEqual({
      kind: 'member',
      email: 'ada@example.com',
      source: 'apple',
    });
  }
});

test('an ended member session does not become a guest', async () => {
  const backend = await backendThatWelcomes();
  const context = contextFor(backend.url);
  const headers = new Headers();
  await expect(asVisitor(await memberPage(context), context, headers, dead)).rejects.toMatchObject({
    code: 'users.not_authorized',
  });
  expect(await visitorOf(page(pairsOf(headers)), context)).toEqual({ kind: 'guest' });
  expect(backend.arrivals).toEqual([]);
});

test('what only members may do leads others to the login, and back', async () => {
  const context = contextFor((await backendThatWelcomes()).url);
  const member = await memberPage(context);
  expect(await asMember(member, context, async (token) => token)).toBe('member-1');
  for (const request of [page(), member]) {
    const answer = await asMember(request, context, dead).catch((thrown: unknown) => thrown);
    if (!(answer instanceof Response)) throw new Error('no redirect to the login');
    expect(answer.status).toBe(303);
    expect(answer.headers.get('location')).toBe('/login?returnTo=%2F');
  }
});

test('a request that may be repeated is, with the cookies of then, before another guest is created', async () => {
  const backend = await backendThatWelcomes();
  const context = contextFor(backend.url);
  const cookies = pairOf(await firstCookie(page(), context));
  const ask = (address: string) =>
    asVisitor(new Request(address, { headers: { cookie: cookies } }), context, new Headers(), dead, {
      isRepeatable: true,
    }).catch((thrown: unknown) => thrown);
  const first = await ask('http://clearframe.test/uploads');
  expect(first).toBeInstanceOf(Response);
  expect((first as Response).status).toBe(307);
  expect((first as Response).headers.get('location')).toBe('/uploads?again=1');
  expect(backend.arrivals).toHaveLength(1);
  await ask('http://clearframe.test/uploads?again=1');
  expect(backend.arrivals).toHaveLength(2);
});

test('an answer that forgets a session which is over leaves the one that has begun since', async () => {
  const context = contextFor((await backendThatWelcomes()).url);
  const earlier = await memberPage(context);
  const late = new Headers();
  await expect(asVisitor(earlier, context, late, dead)).rejects.toMatchObject({ code: 'users.not_authorized' });
  const jar = new Map<string, string>();
  const keep = (headers: Headers) => {
    for (const cookie of headers.getSetCookie()) {
      const [name = '', value = ''] = pairOf(cookie).split(/=(.*)/s);
      if (/max-age=0|expires=Thu, 01 Jan 1970/i.test(cookie)) jar.delete(name);
      else jar.set(name, value);
    }
  };
  const begun = new Headers();
  await becomeMember('member-2', ADA, { request: page(), context, headers: begun });
  keep(begun);
  keep(late);
  expect(await tokenOf(page([...jar].map((pair) => pair.join('=')).join('; ')), context)).toBe('member-2');
});

test('of two sessions the younger one counts, and signing in anew leaves one', async () => {
  const context = contextFor((await backendThatWelcomes()).url);
  const cookies: string[] = [];
  for (const token of ['member-1', 'member-2']) {
    const headers = new Headers();
    await becomeMember(token, ADA, { request: page(), context, headers });
    cookies.unshift(pairOf(headers.getSetCookie()[0] ?? ''));
  }
  const both = page(cookies.join('; '));
  expect(await tokensOf(both, context)).toEqual(['member-2', 'member-1']);
  const headers = new Headers();
  await becomeMember('member-3', ADA, { request: both, context, headers });
  const gone = headers.getSetCookie().filter((cookie) => /_member_[0-9a-f]+=;/.test(cookie));
  expect(gone.map((cookie) => cookie.split('=')[0]).sort()).toEqual(cookies.map((pair) => pair.split('=')[0]).sort());
});
