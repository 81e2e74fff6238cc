import { createHash } from 'node:crypto';
import { inSeconds, type LoginProvider } from '@clearframe/contract';
import { type AppLoadContext, createCookieSessionStorage } from '@remix-run/node';

const LIFETIME = inSeconds.days(30);

interface GuestData {
  /** Bearer token for the backend. Never reaches the browser's script. */
  token: string;
}

interface MemberData extends GuestData {
  /** Who it is, as it was when they signed in: enough for the header, which must not cost a call. */
  email: string | null;
  source: LoginProvider | null;
}

/** One cookie per backend: a token is worth nothing at another. */
function cookieNameOf(apiUrl: URL, isSecure: boolean): string {
  const backend = createHash('sha256').update(apiUrl.host).digest('hex').slice(0, 8);
  return `${isSecure ? '__Host-' : ''}clearframe_${backend}`;
}

function cookieFor({ settings }: AppLoadContext, suffix: string) {
  const isSecure = settings.publicUrl.protocol === 'https:';
  return {
    name: `${cookieNameOf(settings.apiUrl, isSecure)}${suffix}`,
    secrets: [settings.cookieSecret],
    httpOnly: true,
    sameSite: 'lax' as const,
    secure: isSecure,
    path: '/',
    maxAge: LIFETIME,
  };
}

/** The session of somebody who has not signed in. */
export const guestStorageOf = (context: AppLoadContext) =>
  createCookieSessionStorage<GuestData>({ cookie: cookieFor(context, '') });

/**
 * The session of somebody who has. A cookie of its own that goes before the guest's: a request that was on its way
 * while they signed in finds its guest gone and gets another, and must not overwrite this.
 */
export const memberStorageOf = (context: AppLoadContext) =>
  createCookieSessionStorage<MemberData>({ cookie: cookieFor(context, '_member') });
