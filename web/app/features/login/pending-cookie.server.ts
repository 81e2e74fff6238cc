import { inSeconds } from '@clearframe/contract';
import type { AppLoadContext } from '@remix-run/node';
import { signedCookie } from '../../session/signed-cookie.server';
import type { Exchange } from '../../session/visitor.server';
import type { PendingCredential } from './pending-credential';
import { isLoginProvider } from './providers';

/** Time to log in at the other provider. */
const LIFETIME = inSeconds.minutes(30);

const cookieOf = (context: AppLoadContext) => signedCookie('pending', LIFETIME, context);

/** Without JavaScript; with JavaScript, session storage holds it. */
export async function setPendingCookie(pending: PendingCredential, headers: Headers, context: AppLoadContext) {
  headers.append('set-cookie', await cookieOf(context).serialize(pending));
}

export async function takePendingCookie({ request, context, headers }: Exchange) {
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
