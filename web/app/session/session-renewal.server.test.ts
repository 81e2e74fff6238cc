import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AppLoadContext } from '@remix-run/node';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { sendJson, sendProblem, startBackend } from '../../test/backend';
import { contextFor, nextContext } from '../../test/context';
import { ADA } from '../../test/users';
import { endMemberSessions, ensureGuest, startMemberSession, tokenOf, visitorOf } from './visitor.server';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

// Fakes the date only: sockets need real timers.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());
const wait = (ms: number) => vi.setSystemTime(Date.now() + ms);

class CookieJar {
  private readonly cookies = new Map<string, { readonly value: string; readonly until: number }>();

  store(setCookies: readonly string[]): void {
    for (const setCookie of setCookies) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(setCookie) ?? [];
      const [, seconds] = /max-age=(\d+)/i.exec(setCookie) ?? [];
      const isExpired = seconds === '0' || /expires=Thu, 01 Jan 1970/i.test(setCookie);
      if (isExpired) this.cookies.delete(name);
      else this.cookies.set(name, { value, until: Date.now() + Number(seconds) * 1000 });
    }
  }

  page(): Request {
    const alive = [...this.cookies].filter(([, { until }]) => until > Date.now());
    const cookie = alive.map(([name, { value }]) => `${name}=${value}`).join('; ');
    return new Request('http://clearframe.test/', { headers: { cookie } });
  }

  names = (): string[] => [...this.cookies.keys()];
}

/** Responds like the backend: `guest-1`, then `guest-1+`, `guest-1++` for renewals. */
function issue(request: IncomingMessage, response: ServerResponse): void {
  const token = request.headers.authorization?.replace('Bearer ', '');
  if (request.url?.endsWith('/users/renew')) sendJson(response, 200, { access_token: `${token}+` });
  else sendJson(response, 201, { access_token: 'guest-1' });
}

async function visit(jar: CookieJar, context: AppLoadContext): Promise<string | null> {
  const answer = nextContext(context);
  await ensureGuest(jar.page(), answer);
  jar.store(answer.cookies);
  return tokenOf(jar.page(), context);
}

async function logIn(jar: CookieJar, context: AppLoadContext, token = 'member-1'): Promise<void> {
  const answer = nextContext(context);
  await startMemberSession(token, ADA, { request: jar.page(), context: answer });
  jar.store(answer.cookies);
}

async function logOut(jar: CookieJar, context: AppLoadContext): Promise<void> {
  const answer = nextContext(context);
  await endMemberSessions({ request: jar.page(), context: answer });
  jar.store(answer.cookies);
}

describe.each(['guest', 'member'] as const)('the session of a %s', (kind) => {
  async function begin() {
    const backend = await startBackend(issue);
    const context = contextFor(backend.url);
    const jar = new CookieJar();
    await visit(jar, context);
    if (kind === 'member') await logIn(jar, context);
    return { backend, context, jar, renewals: () => backend.requests.filter(({ path }) => path.endsWith('/renew')) };
  }

  test('does not end while the visitor returns every two weeks', async () => {
    const { context, jar } = await begin();
    for (let visits = 1; visits <= 5; visits += 1) {
      wait(14 * DAY_MS);
      expect(await visit(jar, context)).toBe(`${kind}-1${'+'.repeat(visits)}`);
      expect((await visitorOf(jar.page(), context)).kind).toBe(kind);
    }
  });

  test('is renewed at most once a day', async () => {
    const { context, jar, renewals } = await begin();
    for (let hour = 1; hour <= 30; hour += 1) {
      wait(HOUR_MS);
      await visit(jar, context);
    }
    expect(renewals()).toHaveLength(1);
  });

  test('ends after 30 days without a visit', async () => {
    const { context, jar } = await begin();
    wait(31 * DAY_MS);
    expect(await tokenOf(jar.page(), context)).toBeNull();
    expect(await visitorOf(jar.page(), context)).toEqual({ kind: 'guest' });
  });
});

test('a failed renewal breaks no page and is retried on the next one', async () => {
  let isDown = true;
  const backend = await startBackend((request, response) =>
    isDown ? sendProblem(response, 'service.unavailable') : issue(request, response),
  );
  const context = contextFor(backend.url);
  const jar = new CookieJar();
  await logIn(jar, context);
  wait(2 * DAY_MS);
  expect(await visit(jar, context)).toBe('member-1');
  isDown = false;
  expect(await visit(jar, context)).toBe('member-1+');
});

describe('a renewal that arrives late', () => {
  async function renewLate(meanwhile: (jar: CookieJar, context: AppLoadContext) => Promise<void>) {
    const backend = await startBackend(issue);
    const context = contextFor(backend.url);
    const jar = new CookieJar();
    await logIn(jar, context);
    wait(2 * DAY_MS);
    const late = nextContext(context);
    await ensureGuest(jar.page(), late);
    await meanwhile(jar, context);
    jar.store(late.cookies);
    return { context, jar };
  }

  test('does not restore a login that has ended', async () => {
    const { context, jar } = await renewLate(logOut);
    expect(await visitorOf(jar.page(), context)).toEqual({ kind: 'guest' });
    // The next page deletes the cookie.
    await visit(jar, context);
    expect(jar.names().filter((name) => name.includes('_member_'))).toEqual([]);
    wait(2 * HOUR_MS);
    expect(await visitorOf(jar.page(), context)).toEqual({ kind: 'guest' });
  });

  test('does not take precedence over a newer login', async () => {
    const { context, jar } = await renewLate(async (browser, at) => {
      await logOut(browser, at);
      await logIn(browser, at, 'member-2');
    });
    expect(await tokenOf(jar.page(), context)).toBe('member-2');
  });
});
