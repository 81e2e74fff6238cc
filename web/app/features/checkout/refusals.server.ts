import { type ErrorCode, isErrorCode, PURCHASE_REFUSALS } from '@clearframe/contract';
import { redirect } from '@remix-run/node';
import { ApiError } from '../../http/api.server';
import { preserveVersionParam } from '../../http/internal-address';
import { throwProblemPage } from '../../http/problem.server';
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
  const { headers } = exchange;
  if (error.code === 'billing.login_required') throw await startLogin(exchange);
  if (error.code === 'billing.country_blocked') {
    const { search } = new URL(exchange.request.url);
    throw redirect(preserveVersionParam('/unavailable', search), { status: 303, headers });
  }
  const reason = refusalReasonOf(error.code, purchase);
  return reason ? throwRefusal(reason, error, exchange, purchase) : throwProblemPage(error, headers);
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
  { headers }: Exchange,
  purchase?: RefusedPurchase,
): never {
  const problem: RefusalProblem = { code, requestId, refusal: refusalView(reason, purchase?.buyer) };
  throw Response.json(problem, { status, headers });
}

/** The `problem` query parameter; null when unknown. */
export const problemInAddress = (text: string | null): PaymentProblem | null =>
  PAYMENT_OUTCOMES.find((outcome) => outcome === text) ?? (text !== null && isErrorCode(text) ? text : null);
