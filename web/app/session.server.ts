import { createHash } from 'node:crypto';
import { inSeconds } from '@clearframe/contract';
import { type AppLoadContext, createCookieSessionStorage, type Session } from '@remix-run/node';

const LIFETIME = inSeconds.days(30);

interface VisitorData {
  /** Bearer token for the backend. Never reaches the browser's script. */
  token: string;
}

export type VisitorSession = Session<VisitorData>;

/** One cookie per backend: a token is worth nothing at another. */
function cookieNameOf(apiUrl: URL, isSecure: boolean): string {
  const backend = createHash('sha256').update(apiUrl.host).digest('hex').slice(0, 8);
  return `${isSecure ? '__Host-' : ''}clearframe_${backend}`;
}

/** The cookie session of {@link AppLoadContext.settings}. */
export function sessionStorageOf({ settings }: AppLoadContext) {
  const isSecure = settings.publicUrl.protocol === 'https:';
  return createCookieSessionStorage<VisitorData>({
    cookie: {
      name: cookieNameOf(settings.apiUrl, isSecure),
      secrets: [settings.cookieSecret],
      httpOnly: true,
      sameSite: 'lax',
      secure: isSecure,
      path: '/',
      maxAge: LIFETIME,
    },
  });
}
