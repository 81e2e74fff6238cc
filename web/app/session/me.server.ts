import { type User, userRoutes } from '@clearframe/contract';
import { callApi } from '../http/api.server';
import { asVisitor, type Exchange, tokenOf } from './visitor.server';

/**
 * The visitor's user; null before a guest exists.
 * @param options see {@link asVisitor}
 * @throws ApiError
 */
export async function fetchMe(exchange: Exchange, options?: { readonly keepsSession: boolean }): Promise<User | null> {
  const { request, context } = exchange;
  if (!(await tokenOf(request, context))) return null;
  const getMe = (token: string) => callApi(userRoutes.getCurrentUser, {}, { context, request, token });
  return (await asVisitor(exchange, getMe, options)).result;
}
