import { type User, userRoutes } from '@clearframe/contract';
import { type AppLoadContext, redirect } from '@remix-run/node';
import { createIsbotFromList, list } from 'isbot';
import { ApiError, callApi } from '../http/api.server';
import { loginAddress } from '../http/landing';
import type { Visitor } from './root-data';
import {
  closeMemberSession,
  dropEndedSessions,
  guestCookie,
  guestStorageOf,
  memberSessionsIn,
  openMemberSession,
} from './session.server';
import { renewSession } from './session-renewal.server';

/** A page must not wait long for something it can do without. */
const PAGE_PATIENCE_MS = 1_500;

const cookiesOf = (request: Request): string | null => request.headers.get('cookie');

const membersIn = (request: Request, context: AppLoadContext) => memberSessionsIn(cookiesOf(request), context);

async function memberIn(request: Request, context: AppLoadContext) {
  return (await membersIn(request, context))[0] ?? null;
}

/** Every token in the visitor's cookies, first the one that counts: of a member there may be several. */
export async function tokensOf(request: Request, context: AppLoadContext): Promise<readonly string[]> {
  const members = await membersIn(request, context);
  if (members.length > 0) return members.map(({ token }) => token);
  const token = (await guestStorageOf(context).getSession(cookiesOf(request))).get('token');
  return token ? [token] : [];
}

/** The visitor's token, or null. */
export const tokenOf = async (request: Request, context: AppLoadContext): Promise<string | null> =>
  (await tokensOf(request, context))[0] ?? null;

/** Who the cookies say it is. Whether the backend still agrees shows when it is asked for something. */
export async function visitorOf(request: Request, context: AppLoadContext): Promise<Visitor> {
  const member = await memberIn(request, context);
  return member ? { kind: 'member', email: member.email, source: member.source } : { kind: 'guest' };
}

/** Clients driven by programs use the product like people; `isbot` counts them as bots. */
const AUTOMATED_CLIENTS = ['HeadlessChrome', 'node'];
const isCrawler = createIsbotFromList(
  list.filter((pattern) => !AUTOMATED_CLIENTS.some((client) => new RegExp(pattern, 'i').test(client))),
);

interface Welcome {
  readonly token: string;
  /** Puts the token in the visitor's cookie. */
  readonly setCookie: string;
}

/** @throws ApiError when the backend makes no guest now */
export async function becomeGuest(request: Request, context: AppLoadContext, timeoutMs?: number): Promise<Welcome> {
  const { accessToken } = await callApi(userRoutes.createGuest, {}, { context, request, timeoutMs });
  return { token: accessToken, setCookie: await guestCookie(accessToken, context) };
}

/**
 * Makes a guest of a visitor without a token, and renews a session in use. Neither is worth an error page: a guest is
 * made when there is something to send, and renewal is tried again by the next page.
 * @returns the cookies to set
 */
export async function ensureVisitor(request: Request, context: AppLoadContext): Promise<string[]> {
  if (isCrawler(request.headers.get('user-agent'))) return [];
  const late = await dropEndedSessions(cookiesOf(request), context);
  try {
    const kept = (await tokenOf(request, context))
      ? await renewSession(request, context, PAGE_PATIENCE_MS)
      : (await becomeGuest(request, context, PAGE_PATIENCE_MS)).setCookie;
    return kept === null ? late : [...late, kept];
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    context.logger.warn({ code: error.code }, 'no new token for now');
    return late;
  }
}

/** Where a visitor's cookies come from and go to. */
export interface Exchange {
  readonly request: Request;
  readonly context: AppLoadContext;
  /** Of the answer: cookies are put there. */
  readonly headers: Headers;
}

/**
 * Replaces the visitor in the cookies with one who has signed in.
 * @param renewedAt when the token was issued, in milliseconds since 1970
 */
export async function becomeMember(
  token: string,
  { email, source }: User,
  exchange: Exchange,
  renewedAt = Date.now(),
): Promise<void> {
  const { context, headers } = exchange;
  await forgetMember(exchange);
  const since = Date.now();
  headers.append('set-cookie', await openMemberSession({ token, email, source, since, renewedAt }, context));
  const guests = guestStorageOf(context);
  headers.append('set-cookie', await guests.destroySession(await guests.getSession()));
}

/** Forgets who had signed in, as far as the request knows. */
export async function forgetMember({ request, context, headers }: Exchange): Promise<void> {
  for (const session of await membersIn(request, context))
    for (const cookie of await closeMemberSession(session, context)) headers.append('set-cookie', cookie);
}

const isDead = (error: unknown): boolean => error instanceof ApiError && error.code === 'users.not_authorized';

/**
 * Does something that needs a token and loses nothing with another one: as a guest without a token, or with a dead
 * one, it is done as a fresh guest. Somebody who had signed in is not made a stranger without a word: theirs is
 * forgotten, and the refusal starts the login flow.
 * @param headers of the answer; cookies are put there even when `work` fails
 * @param options `isRepeatable`: a request of our script that may be sent a second time
 * @throws ApiError
 * @throws Response the request to send it again
 */
export async function asVisitor<Result>(
  request: Request,
  context: AppLoadContext,
  headers: Headers,
  work: (token: string) => Promise<Result>,
  options: { readonly isRepeatable?: boolean } = {},
): Promise<{ result: Result; token: string }> {
  const token = await tokenOf(request, context);
  if (token) {
    try {
      return { result: await work(token), token };
    } catch (error) {
      if (!isDead(error)) throw error;
      if (await memberIn(request, context)) {
        await forgetMember({ request, context, headers });
        throw error;
      }
      if (options.isRepeatable) repeatOnce(request);
    }
  }
  const welcome = await becomeGuest(request, context);
  headers.append('set-cookie', welcome.setCookie);
  return { result: await work(welcome.token), token: welcome.token };
}

const REPEATED = 'again';

/**
 * A guest who is gone may have signed in while this request was on its way: asked to send it again, the browser sends
 * the cookies that it has by now.
 * @throws Response the first time
 */
function repeatOnce(request: Request): void {
  const url = new URL(request.url);
  if (url.searchParams.has(REPEATED)) return;
  url.searchParams.set(REPEATED, '1');
  throw redirect(`${url.pathname}${url.search}`, 307);
}

/** The way to the login page and back to where one was. */
export async function startLogin(
  request: Request,
  context: AppLoadContext,
  headers: Headers = new Headers(),
): Promise<Response> {
  const { pathname, search, searchParams } = new URL(request.url);
  // Remix's mark for an action of the home page.
  searchParams.delete('index');
  await forgetMember({ request, context, headers });
  const query = searchParams.size > 0 ? `?${searchParams}` : '';
  return redirect(loginAddress(`${pathname}${query}`, search), { status: 303, headers });
}

/**
 * Does something that only somebody who has signed in may do. Everybody else, and whoever's session has ended, is sent
 * to the login page, and comes back.
 * @throws Response the way to the login page
 * @throws ApiError any other refusal
 */
export async function asMember<Result>(
  request: Request,
  context: AppLoadContext,
  work: (token: string) => Promise<Result>,
): Promise<Result> {
  const member = await memberIn(request, context);
  if (!member) throw await startLogin(request, context);
  try {
    return await work(member.token);
  } catch (error) {
    if (!isDead(error)) throw error;
    throw await startLogin(request, context);
  }
}
