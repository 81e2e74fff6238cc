import { inSeconds } from '@clearframe/contract';
import { type AppLoadContext, createCookie } from '@remix-run/node';
import type { PendingCredential } from '../identity/client/pending-credential';
import { isLoginProvider } from '../identity/client/providers';

/** Time to log in at the other provider. */
const LIFETIME = inSeconds.minutes(30);

function cookieOf({ settings }: AppLoadContext) {
  const isSecure = settings.publicUrl.protocol === 'https:';
  return createCookie(`${isSecure ? '__Host-' : ''}clearframe_pending`, {
    secrets: [settings.cookieSecret],
    httpOnly: true,
    sameSite: 'lax',
    secure: isSecure,
    path: '/',
    maxAge: LIFETIME,
  });
}

/** Without JavaScript; with JavaScript, session storage holds it. */
export async function setPendingCookie(pending: PendingCredential, headers: Headers, context: AppLoadContext) {
  headers.append('set-cookie', await cookieOf(context).serialize(pending));
}

export async function takePendingCookie(request: Request, headers: Headers, context: AppLoadContext) {
  const cookie = cookieOf(context);
  const value: unknown = await cookie.parse(request.headers.get('cookie'));
  if (!isPending(value)) return null;
  headers.append('set-cookie', await cookie.serialize('', { maxAge: 0 }));
  return value;
}

const isPending = (value: unknown): value is PendingCredential =>
  typeof value === 'object' &&
  value !== null &&
  'provider' in value &&
  'email' in value &&
  'credential' in value &&
  isLoginProvider(value.provider) &&
  typeof value.credential === 'string';
