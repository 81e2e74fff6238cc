import { type ErrorCode, isErrorCode } from '@clearframe/contract';
import { redirect } from '@remix-run/node';
import { preserveVersionParam } from '../../../http/internal-address';
import { throwPageFor } from '../../../http/problem.server';
import { type Exchange, startLogin } from '../../../session/visitor.server';
import { PAYMENT_OUTCOMES, type PaymentProblem } from './order';

/** @throws Response the login, the page for blocked countries, or the error page of a code of `mayBuy` */
export async function throwRefusalPage(code: ErrorCode, exchange: Exchange): Promise<never> {
  const { context, headers } = exchange;
  if (code === 'billing.login_required') throw await startLogin(exchange);
  if (code === 'billing.country_blocked') {
    const { search } = new URL(exchange.request.url);
    throw redirect(preserveVersionParam('/unavailable', search), { status: 303, headers });
  }
  return throwPageFor(code, context, headers);
}

/** The `problem` query parameter; null when unknown. */
export const problemInAddress = (text: string | null): PaymentProblem | null =>
  PAYMENT_OUTCOMES.find((outcome) => outcome === text) ?? (text !== null && isErrorCode(text) ? text : null);
