import { inSeconds } from '@clearframe/contract';
import type { AppLoadContext } from '@remix-run/node';
import { z } from 'zod';
import { plainCookie } from './cookies.server';

/** Lifetime of identifier cookies (spec 1, section 9). */
const cookie = plainCookie('local_storage_id', inSeconds.days(730), z.uuid());

/** The browser's id for experiments. A cookie, because pages are rendered on the server; new with the first page. */
export const localStorageIdOf = async (request: Request, { requestId }: AppLoadContext): Promise<string> =>
  (await cookie.read(request)) ?? requestId;

/** Keeps the id of a first page. */
export async function keepLocalStorageId(request: Request, context: AppLoadContext): Promise<void> {
  if (!(await cookie.read(request))) await cookie.write(context.requestId, context);
}
