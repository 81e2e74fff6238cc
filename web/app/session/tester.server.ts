import { inSeconds } from '@clearframe/contract';
import type { AppLoadContext } from '@remix-run/node';
import { signedCookie } from './signed-cookie.server';

const cookieOf = (context: AppLoadContext) => signedCookie('tester', inSeconds.days(30), context);

/** Whether the secret menu was opened in this browser: its events are a tester's, and it may have forced segments. */
export const isTester = async (request: Request, context: AppLoadContext): Promise<boolean> =>
  (await cookieOf(context).parse(request.headers.get('cookie'))) === true;

export async function setTester(context: AppLoadContext): Promise<void> {
  context.setCookie(await cookieOf(context).serialize(true));
}
