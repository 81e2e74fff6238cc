import type { AppLoadContext } from '@remix-run/node';
import { signedCookie } from './signed-cookie.server';
import type { Exchange } from './visitor.server';

/** Long enough for one redirect. */
const LIFETIME_SECONDS = 60;

const cookieOf = (context: AppLoadContext) => signedCookie('flash', LIFETIME_SECONDS, context);

export interface Flash {
  /** Message key with its namespace: `account:saved`. */
  readonly message: string;
  /** Distinguishes repeated messages. */
  readonly id: string;
}

export async function setFlash(message: string, context: AppLoadContext): Promise<void> {
  const flash: Flash = { message, id: context.requestId };
  context.setCookie(await cookieOf(context).serialize(flash));
}

/** Whether the previous response has set this message, which stays for the next page. */
export async function hasFlash(message: string, request: Request, context: AppLoadContext): Promise<boolean> {
  const flash: unknown = await cookieOf(context).parse(request.headers.get('cookie'));
  return isFlash(flash) && flash.message === message;
}

/** Returns the message set by the previous response and clears it. */
export async function consumeFlash({ request, context }: Exchange): Promise<Flash | null> {
  const cookie = cookieOf(context);
  const flash: unknown = await cookie.parse(request.headers.get('cookie'));
  if (!isFlash(flash)) return null;
  context.setCookie(await cookie.serialize('', { maxAge: 0 }));
  return flash;
}

const isFlash = (value: unknown): value is Flash =>
  typeof value === 'object' &&
  value !== null &&
  'message' in value &&
  'id' in value &&
  typeof value.message === 'string' &&
  typeof value.id === 'string';
