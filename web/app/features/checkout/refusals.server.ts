import { type ErrorCode, isErrorCode, PURCHASE_REFUSALS } from '@clearframe/contract';
import { seeOther } from '../../http/answer.server';
import type { ApiError } from '../../http/api.server';
import { type Exchange, startLogin } from '../../session/visitor.server';
import { PAYMENT_OUTCOMES, type PaymentProblem } from './order';
import {
  type RefusalProblem,
  type RefusalReason,
  type RefusedPurchase,
  reasonOf,
  refusalView,
} from './refused-purchase';

/** @throws Response the login, the page for blocked countries, {@link throwRefusal}, or the error page */
export async function throwRefusalPage(error: ApiError, purchase: RefusedPurchase, exchange: Exchange): Promise<never> {
  if (error.code === 'billing.login_required') throw await startLogin(exchange);
  if (error.code === 'billing.country_blocked') throw seeOther('/unavailable', exchange.request);
  const reason = refusalReasonOf(error.code, purchase);
  if (reason) return throwRefusal(reason, error, purchase);
  throw error;
}

/** False where the form can be sent again with another choice. */
export const hasRefusalPage = (code: ErrorCode, purchase: RefusedPurchase): boolean =>
  code === 'billing.country_blocked' || code === 'billing.login_required' || refusalReasonOf(code, purchase) !== null;

function refusalReasonOf(code: ErrorCode, purchase: RefusedPurchase): RefusalReason | null {
  const refusal = PURCHASE_REFUSALS.find((one) => one === code);
  return refusal ? reasonOf(refusal, purchase) : null;
}

/** @throws Response the page of `RefusedPage`, in routes with its boundary */
export function throwRefusal(
  reason: RefusalReason,
  { code, requestId, status }: ApiError,
  purchase?: RefusedPurchase,
): never {
  const problem: RefusalProblem = { code, requestId, refusal: refusalView(reason, purchase?.buyer) };
  throw Response.json(problem, { status });
}

/** The `problem` query parameter; null when unknown. */
export const problemInAddress = (text: string | null): PaymentProblem | null =>
  PAYMENT_OUTCOMES.find((outcome) => outcome === text) ?? (text !== null && isErrorCode(text) ? text : null);
