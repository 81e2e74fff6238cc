import { type User, userRoutes } from '@clearframe/contract';
import type { AppLoadContext } from '@remix-run/node';
import { type ApiError, callApi } from '../http/api.server';
import { asApiError, throwProblemPage } from '../http/problem.server';
import { asVisitor, startLogin, tokenOf } from './visitor.server';

/**
 * The visitor's user; null before a guest exists.
 * @param headers of the response: an ended session changes its cookies
 * @throws ApiError
 */
export async function fetchMe(request: Request, context: AppLoadContext, headers: Headers): Promise<User | null> {
  if (!(await tokenOf(request, context))) return null;
  const getMe = (token: string) => callApi(userRoutes.getMe, {}, { context, request, token });
  return (await asVisitor(request, context, headers, getMe)).result;
}

/** `fetchMe` for page loaders: an error becomes an error page, an ended session the login page. */
export async function loadMe(request: Request, context: AppLoadContext, headers: Headers): Promise<User | null> {
  try {
    return await fetchMe(request, context, headers);
  } catch (error) {
    request.signal.throwIfAborted();
    return throwRefusal(asApiError(error, context), request, context, headers);
  }
}

/** Throws a redirect to the login when the session has ended, otherwise an error page. */
export async function throwRefusal(
  problem: ApiError,
  request: Request,
  context: AppLoadContext,
  headers: Headers,
): Promise<never> {
  if (problem.code === 'users.not_authorized') throw await startLogin(request, context, headers);
  return throwProblemPage(problem, headers);
}
