import { inMilliseconds, type LoginProvider, type User, userRoutes } from '@clearframe/contract';
import { type AppLoadContext, redirect } from '@remix-run/node';
import { createIsbotFromList, list } from 'isbot';
import { ApiError, callApi } from '../http/api.server';
import { loginAddress } from '../http/internal-address';
import {
  closeMemberSession,
  dropEndedSessions,
  guestStorageOf,
  memberSessionsIn,
  openMemberSession,
  renewMemberSession,
  setGuestCookie,
} from './session.server';

export type Visitor =
  | { readonly kind: 'guest' }
  | { readonly kind: 'member'; readonly email: string | null; readonly source: LoginProvider | null };

const cookiesOf = (request: Request): string | null => request.headers.get('cookie');

const membersIn = (request: Request, context: AppLoadContext) => memberSessionsIn(cookiesOf(request), context);

async function memberIn(request: Request, context: AppLoadContext) {
  return (await membersIn(request, context))[0] ?? null;
}

/** All tokens in the visitor's cookies, the current one first: a member may have several. */
export async function tokensOf(request: Request, context: AppLoadContext): Promise<readonly string[]> {
  const members = await membersIn(request, context);
  if (members.length > 0) return members.map(({ token }) => token);
  const token = (await guestStorageOf(context).getSession(cookiesOf(request))).get('token');
  return token ? [token] : [];
}

export const tokenOf = async (request: Request, context: AppLoadContext): Promise<string | null> =>
  (await tokensOf(request, context))[0] ?? null;

/** The visitor according to the cookies; the session may have ended in the backend. */
export async function visitorOf(request: Request, context: AppLoadContext): Promise<Visitor> {
  const member = await memberIn(request, context);
  return member ? { kind: 'member', email: member.email, source: member.source } : { kind: 'guest' };
}

/** Counted as bots by `isbot`, treated as visitors here. */
const AUTOMATED_CLIENTS = ['HeadlessChrome', 'node'];
const isCrawler = createIsbotFromList(
  list.filter((pattern) => !AUTOMATED_CLIENTS.some((client) => new RegExp(pattern, 'i').test(client))),
);

/** @returns the guest's token */
export async function createGuest(request: Request, context: AppLoadContext, timeoutMs?: number): Promise<string> {
  const { accessToken } = await callApi(userRoutes.createGuest, {}, { context, request, timeoutMs });
  await setGuestCookie(accessToken, context);
  return accessToken;
}

/** Renews an existing session. Failures are only logged: the next upload creates the guest, the next page renews. */
export async function ensureGuest(request: Request, context: AppLoadContext): Promise<void> {
  if (isCrawler(request.headers.get('user-agent'))) return;
  await dropEndedSessions(cookiesOf(request), context);
  const { optionalDataTimeoutMs } = context.settings;
  try {
    if (await tokenOf(request, context)) await renewSession(request, context, optionalDataTimeoutMs);
    else await createGuest(request, context, optionalDataTimeoutMs);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    context.logger.warn({ code: error.code }, 'no token could be issued or renewed');
  }
}

/** A request and what answers it. */
export interface Exchange {
  readonly request: Request;
  readonly context: AppLoadContext;
}

/**
 * Replaces the session in the cookies with a member's.
 * @param renewedAt when the token was issued, in milliseconds since 1970
 */
export async function startMemberSession(
  token: string,
  { email, source }: User,
  exchange: Exchange,
  renewedAt = Date.now(),
): Promise<void> {
  const { context } = exchange;
  await endMemberSessions(exchange);
  await openMemberSession({ token, email, source, since: Date.now(), renewedAt }, context);
  const guests = guestStorageOf(context);
  context.setCookie(await guests.destroySession(await guests.getSession()));
}

export async function endMemberSessions({ request, context }: Exchange): Promise<void> {
  for (const session of await membersIn(request, context)) await closeMemberSession(session, context);
}

const isUnauthorized = (error: unknown): boolean => error instanceof ApiError && error.code === 'users.not_authorized';

/** An exchange with the visitor's token. */
export type VisitorCaller = Exchange & { readonly token: string };

/**
 * Runs an operation with the visitor's token, creating a guest when there is none or the guest's token is invalid. An
 * ended member session is closed and its error rethrown.
 * @param options `isRepeatable`: the request may be repeated by a redirect; `keepsSession`: an ended one stays open for
 * the script's page, whose reload starts the login
 * @throws ApiError
 * @throws Response a redirect that repeats the request
 */
export async function asVisitor<Result>(
  exchange: Exchange,
  work: (token: string) => Promise<Result>,
  options: { readonly isRepeatable?: boolean; readonly keepsSession?: boolean } = {},
): Promise<{ result: Result; token: string }> {
  const { request, context } = exchange;
  const token = await tokenOf(request, context);
  if (token) {
    try {
      return { result: await work(token), token };
    } catch (error) {
      if (!isUnauthorized(error)) throw error;
      if (await memberIn(request, context)) {
        if (!options.keepsSession) await endMemberSessions(exchange);
        throw error;
      }
      if (options.isRepeatable) repeatOnce(request);
    }
  }
  const guestToken = await createGuest(request, context);
  return { result: await work(guestToken), token: guestToken };
}

const REPEATED_PARAMETER = 'again';

/**
 * The guest may have logged in during the request: the repeated request carries the new cookies.
 * @throws Response the first time
 */
function repeatOnce(request: Request): void {
  const url = new URL(request.url);
  if (url.searchParams.has(REPEATED_PARAMETER)) return;
  url.searchParams.set(REPEATED_PARAMETER, '1');
  throw redirect(`${url.pathname}${url.search}`, 307);
}

/** A redirect to the login page, which returns to this page. */
export async function startLogin({ request, context }: Exchange): Promise<Response> {
  const { pathname, search, searchParams } = new URL(request.url);
  // Remix adds `index` to the URL of the home page's action.
  searchParams.delete('index');
  await endMemberSessions({ request, context });
  const query = searchParams.size > 0 ? `?${searchParams}` : '';
  return redirect(loginAddress(`${pathname}${query}`, search), 303);
}

/**
 * Runs an operation that requires a login.
 * @throws Response a redirect to the login, for guests and ended sessions
 * @throws ApiError any other error
 */
export async function asMember<Result>(
  request: Request,
  context: AppLoadContext,
  work: (token: string) => Promise<Result>,
): Promise<Result> {
  const member = await memberIn(request, context);
  if (!member) throw await startLogin({ request, context });
  try {
    return await work(member.token);
  } catch (error) {
    if (!isUnauthorized(error)) throw error;
    throw await startLogin({ request, context });
  }
}

const RENEWAL_INTERVAL_MS = inMilliseconds.days(1);

const isDue = (renewedAt: number | undefined): boolean => Date.now() - (renewedAt ?? 0) >= RENEWAL_INTERVAL_MS;

/**
 * Extends the visitor's session, at most once a day. The backend still accepts the former token, so that requests in
 * flight succeed.
 * @throws ApiError `users.not_authorized` when the session has ended
 */
async function renewSession(request: Request, context: AppLoadContext, timeoutMs: number): Promise<void> {
  const cookies = request.headers.get('cookie');
  const renewed = async (token: string): Promise<string> =>
    (await callApi(userRoutes.renewSession, {}, { context, request, token, timeoutMs })).accessToken;

  const [member] = await memberSessionsIn(cookies, context);
  if (member) {
    if (isDue(member.renewedAt)) await renewMemberSession(member, await renewed(member.token), context);
    return;
  }
  const guest = await guestStorageOf(context).getSession(cookies);
  const token = guest.get('token');
  if (token && isDue(guest.get('renewedAt'))) await setGuestCookie(await renewed(token), context);
}
