import { type User, userRoutes } from '@clearframe/contract';
import { type ApiError, callApi } from '../http/api.server';
import { asApiError, throwProblemPage } from '../http/problem.server';
import { asVisitor, type Exchange, type OpenExchange, startLogin, tokenOf } from './visitor.server';

/**
 * The visitor's user; null before a guest exists.
 * @param exchange an ended session changes its cookies
 * @throws ApiError
 */
export async function fetchMe(exchange: Exchange): Promise<User | null> {
  const { request, context } = exchange;
  if (!(await tokenOf(request, context))) return null;
  const getMe = (token: string) => callApi(userRoutes.getMe, {}, { context, request, token });
  return (await asVisitor(exchange, getMe)).result;
}

/** `fetchMe` for page loaders: an error becomes an error page, an ended session the login page. */
export async function loadMe(exchange: Exchange): Promise<User | null> {
  const { request, context } = exchange;
  try {
    return await fetchMe(exchange);
  } catch (error) {
    request.signal.throwIfAborted();
    return throwRefusal(asApiError(error, context), exchange);
  }
}

/** Throws a redirect to the login when the session has ended, otherwise an error page. */
export async function throwRefusal(problem: ApiError, exchange: OpenExchange): Promise<never> {
  if (problem.code === 'users.not_authorized') throw await startLogin(exchange);
  return throwProblemPage(problem, exchange.headers);
}
