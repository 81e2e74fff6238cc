import { inMilliseconds, userRoutes } from '@clearframe/contract';
import type { AppLoadContext } from '@remix-run/node';
import { callApi } from '../http/api.server';
import { guestCookie, guestStorageOf, memberSessionsIn, renewMemberSession } from './session.server';

const RENEWAL_INTERVAL_MS = inMilliseconds.days(1);

const isDue = (renewedAt: number | undefined): boolean => Date.now() - (renewedAt ?? 0) >= RENEWAL_INTERVAL_MS;

/**
 * Extends the visitor's session, at most once a day. The backend still accepts the former token, so that requests in
 * flight succeed.
 * @returns the cookie to set, or null when nothing is due
 * @throws ApiError `users.not_authorized` when the session has ended
 */
export async function renewSession(
  request: Request,
  context: AppLoadContext,
  timeoutMs: number,
): Promise<string | null> {
  const cookies = request.headers.get('cookie');
  const renewed = async (token: string): Promise<string> =>
    (await callApi(userRoutes.renewSession, {}, { context, request, token, timeoutMs })).accessToken;

  const [member] = await memberSessionsIn(cookies, context);
  if (member) {
    return isDue(member.renewedAt) ? renewMemberSession(member, await renewed(member.token), context) : null;
  }
  const guest = await guestStorageOf(context).getSession(cookies);
  const token = guest.get('token');
  return token && isDue(guest.get('renewedAt')) ? guestCookie(await renewed(token), context) : null;
}
