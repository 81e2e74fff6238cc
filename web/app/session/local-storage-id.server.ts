import { inSeconds } from '@clearframe/contract';
import { type AppLoadContext, createCookie } from '@remix-run/node';
import { z } from 'zod';

const Id = z.uuid();

/** Lifetime of identifier cookies (spec 1, section 9). */
const cookie = createCookie('clearframe_local_storage_id', {
  path: '/',
  sameSite: 'lax',
  httpOnly: true,
  maxAge: inSeconds.days(730),
});

async function storedId(request: Request): Promise<string | null> {
  const { success, data } = Id.safeParse(await cookie.parse(request.headers.get('cookie')));
  return success ? data : null;
}

/** The browser's id for experiments. A cookie, because pages are rendered on the server; new with the first page. */
export const localStorageIdOf = async (request: Request, { requestId }: AppLoadContext): Promise<string> =>
  (await storedId(request)) ?? requestId;

/** Keeps the id of a first page. */
export async function keepLocalStorageId(request: Request, context: AppLoadContext): Promise<void> {
  if (await storedId(request)) return;
  const { requestId, settings } = context;
  context.setCookie(await cookie.serialize(requestId, { secure: settings.publicUrl.protocol === 'https:' }));
}
