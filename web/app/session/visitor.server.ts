import { inMilliseconds, type LoginProvider, type User, userRoutes } from '@clearframe/contract';
import { type AppLoadContext, redirect } from '@remix-run/node';
import { createIsbotFromList, list } from 'isbot';
import { ApiError, callApi } from '../http/api.server';
import { loginAddress } from '../http/internal-address';
import { problemResponse } from '../http/problem.server';
import {
  closeMemberSession,
  dropEndedSessions,
  guestCookie,
  guestStorageOf,
  memberSessionsIn,
  openMemberSession,
  renewMemberSession,
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

interface NewGuest {
  readonly token: string;
  readonly setCookie: string;
}

export async function createGuest(request: Request, context: AppLoadContext, timeoutMs?: number): Promise<NewGuest> {
  const { accessToken } = await callApi(userRoutes.createGuest, {}, { context, request, timeoutMs });
  return { token: accessToken, setCookie: await guestCookie(accessToken, context) };
}

/**
 * Renews an existing session. Failures are only logged: the next upload creates the guest, the next page renews.
 * @returns the cookies to set
 */
export async function ensureGuest(request: Request, context: AppLoadContext): Promise<string[]> {
  if (isCrawler(request.headers.get('user-agent'))) return [];
  const dropped = await dropEndedSessions(cookiesOf(request), context);
  const { optionalDataTimeoutMs } = context.settings;
  try {
    const issued = (await tokenOf(request, context))
      ? await renewSession(request, context, optionalDataTimeoutMs)
      : (await createGuest(request, context, optionalDataTimeoutMs)).setCookie;
    return issued === null ? dropped : [...dropped, issued];
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    context.logger.warn({ code: error.code }, 'no token could be issued or renewed');
    return dropped;
  }
}

export interface Exchange {
  readonly request: Request;
  readonly context: AppLoadContext;
  readonly headers: Headers;
}

/** An exchange whose response may have no headers so far. */
export type OpenExchange = Omit<Exchange, 'headers'> & Partial<Exchange>;

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
  const { context, headers } = exchange;
  await endMemberSessions(exchange);
  const since = Date.now();
  headers.append('set-cookie', await openMemberSession({ token, email, source, since, renewedAt }, context));
  const guests = guestStorageOf(context);
  headers.append('set-cookie', await guests.destroySession(await guests.getSession()));
}

export async function endMemberSessions({ request, context, headers }: Exchange): Promise<void> {
  for (const session of await membersIn(request, context))
    for (const cookie of await closeMemberSession(session, context)) headers.append('set-cookie', cookie);
}

const isUnauthorized = (error: unknown): boolean => error instanceof ApiError && error.code === 'users.not_authorized';

/**
 * Runs an operation with the visitor's token, creating a guest when there is none or the guest's token is invalid. An
 * ended member session is closed and its error rethrown: callers start the login.
 * @param exchange cookies are set even when `work` fails
 * @param options `isRepeatable`: the request may be repeated by a redirect
 * @throws ApiError
 * @throws Response a redirect that repeats the request
 */
export async function asVisitor<Result>(
  exchange: Exchange,
  work: (token: string) => Promise<Result>,
  options: { readonly isRepeatable?: boolean } = {},
): Promise<{ result: Result; token: string }> {
  const { request, context, headers } = exchange;
  const token = await tokenOf(request, context);
  if (token) {
    try {
      return { result: await work(token), token };
    } catch (error) {
      if (!isUnauthorized(error)) throw error;
      if (await memberIn(request, context)) {
        await endMemberSessions(exchange);
        throw error;
      }
      if (options.isRepeatable) repeatOnce(request);
    }
  }
  const guest = await createGuest(request, context);
  headers.append('set-cookie', guest.setCookie);
  return { result: await work(guest.token), token: guest.token };
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
export async function startLogin({ request, context, headers = new Headers() }: OpenExchange): Promise<Response> {
  const { pathname, search, searchParams } = new URL(request.url);
  // Remix adds `index` to the URL of the home page's action.
  searchParams.delete('index');
  await endMemberSessions({ request, context, headers });
  const query = searchParams.size > 0 ? `?${searchParams}` : '';
  return redirect(loginAddress(`${pathname}${query}`, search), { status: 303, headers });
}

/** For a script, which reloads its page when a session has ended: the page starts the login if its cookies have the session. */
export const scriptProblem = (problem: ApiError, headers: Headers): Response =>
  problemResponse(problem, problem.code === 'users.not_authorized' ? new Headers() : headers);

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
 * @returns the cookie to set, or null when nothing is due
 * @throws ApiError `users.not_authorized` when the session has ended
 */
async function renewSession(request: Request, context: AppLoadContext, timeoutMs: number): Promise<string | null> {
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
