import { inSeconds } from '@clearframe/contract';
import type { AppLoadContext } from '@remix-run/node';
import { signedCookie } from '../../session/signed-cookie.server';

const LIFETIME_SECONDS = inSeconds.hours(1);

const cookieOf = (context: AppLoadContext) => signedCookie('receipt', LIFETIME_SECONDS, context);

/** Keeps a guest's address for the form, should the payment be cancelled. Not in a URL: those are logged. */
export async function keepReceiptEmail(email: string | null, context: AppLoadContext): Promise<void> {
  if (email === null) return forgetReceiptEmail(context);
  context.setCookie(await cookieOf(context).serialize(email));
}

export async function keptReceiptEmail(request: Request, context: AppLoadContext): Promise<string | null> {
  const email: unknown = await cookieOf(context).parse(request.headers.get('cookie'));
  return typeof email === 'string' && email !== '' ? email : null;
}

export async function forgetReceiptEmail(context: AppLoadContext): Promise<void> {
  context.setCookie(await cookieOf(context).serialize('', { maxAge: 0 }));
}
