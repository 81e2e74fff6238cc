import type { ErrorCode } from '@clearframe/contract';
import { redirect } from '@remix-run/node';
import { throwPageFor } from '../../../http/problem.server';
import { type Exchange, startLogin } from '../../../session/visitor.server';

/**
 * Answers a page that `mayBuy` refuses.
 * @throws Response the way to the login, the page for blocked countries, or a page that explains the code
 */
export async function refusePage(code: ErrorCode, { request, context, headers }: Exchange): Promise<never> {
  if (code === 'billing.login_required') throw await startLogin(request, context, headers);
  if (code === 'billing.country_blocked') throw redirect('/unavailable', { status: 303, headers });
  return throwPageFor(code, context, headers);
}
