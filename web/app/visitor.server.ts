import { userRoutes } from '@clearframe/contract';
import type { AppLoadContext } from '@remix-run/node';
import { ApiError, callApi } from './api.server';
import { sessionStorageOf } from './session.server';

/** A page must not wait long for something it can do without. */
const PAGE_PATIENCE_MS = 1_500;

/** The token in the visitor's cookie, or null. */
export async function tokenOf(request: Request, context: AppLoadContext): Promise<string | null> {
  const session = await sessionStorageOf(context).getSession(request.headers.get('cookie'));
  return session.get('token') ?? null;
}

/** Those that look at everything and come back for nothing. Browsers that are driven by programs are visitors. */
const CRAWLER = /bot\b|crawler|spider/i;

interface Welcome {
  readonly token: string;
  /** Puts the token in the visitor's cookie. */
  readonly setCookie: string;
}

/** @throws ApiError when the backend makes no guest now */
export async function becomeGuest(request: Request, context: AppLoadContext, timeoutMs?: number): Promise<Welcome> {
  const { accessToken } = await callApi(userRoutes.createGuest, {}, { context, request, timeoutMs });
  const storage = sessionStorageOf(context);
  const session = await storage.getSession();
  session.set('token', accessToken);
  return { token: accessToken, setCookie: await storage.commitSession(session) };
}

/**
 * Makes a guest of somebody who opens a page for the first time. A refusal is no reason to show no page: it is tried
 * again when there is something to send.
 * @returns the cookie to set, or null
 */
export async function greet(request: Request, context: AppLoadContext): Promise<string | null> {
  if (CRAWLER.test(request.headers.get('user-agent') ?? '')) return null;
  if (await tokenOf(request, context)) return null;
  try {
    return (await becomeGuest(request, context, PAGE_PATIENCE_MS)).setCookie;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    context.logger.warn({ code: error.code }, 'no guest token for now');
    return null;
  }
}

/**
 * Does something that needs a token and loses nothing with another one: without a token, or with a dead one, it is
 * done as a fresh guest.
 * @param headers of the answer; a fresh guest's cookie is put there even when `work` fails
 */
export async function asVisitor<Result>(
  request: Request,
  context: AppLoadContext,
  headers: Headers,
  work: (token: string) => Promise<Result>,
): Promise<{ result: Result; token: string }> {
  const token = await tokenOf(request, context);
  if (token) {
    try {
      return { result: await work(token), token };
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'users.not_authorized') throw error;
    }
  }
  const welcome = await becomeGuest(request, context);
  headers.append('set-cookie', welcome.setCookie);
  return { result: await work(welcome.token), token: welcome.token };
}
