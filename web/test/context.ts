import type { AppLoadContext } from '@remix-run/node';
import { pino } from 'pino';
import { readSettings, type Settings } from '../server/config/settings.ts';

export const SECRETS = {
  CLEARFRAME_COOKIE_SECRET: 'a cookie secret for tests, long enough',
  CLEARFRAME_INTERNAL_SECRET: 'an internal secret for tests, long enough',
};

export const settingsFor = (apiUrl: URL, publicUrl = 'http://clearframe.test'): Settings =>
  readSettings({ ...SECRETS, API_URL: apiUrl.origin, PUBLIC_URL: publicUrl });

/** With the cookies that a response sets. */
type TestContext = AppLoadContext & { readonly cookies: string[] };

export const contextFor = (apiUrl: URL, publicUrl?: string): TestContext =>
  nextContext({
    settings: settingsFor(apiUrl, publicUrl),
    logger: pino({ level: 'silent' }),
    requestId: 'req-from-web',
    traceparent: null,
    clientAddress: '203.0.113.7',
    nonce: 'nonce',
    setCookie: () => {},
    whenWritable: async () => {},
  });

/** The context of another request. */
export function nextContext(context: AppLoadContext): TestContext {
  const cookies: string[] = [];
  return { ...context, cookies, setCookie: (cookie) => void cookies.push(cookie) };
}

/** What a browser sends of the cookies that a response set. */
export const cookieHeader = (cookies: readonly string[]): string =>
  cookies.map((cookie) => cookie.split(';', 1)[0]).join('; ');
