import {
  introPriceOf,
  paymentRoutes,
  priceOf,
  priceRoutes,
  resultRoutes,
  subscriptionRoutes,
  upgradeRoutes,
  userRoutes,
} from '@clearframe/contract';
import { type AppLoadContext, type LoaderFunctionArgs } from '@remix-run/node';
import { seeOther } from '../../http/answer.server';
import { ApiError, callApi, retryWhileInProgress } from '../../http/api.server';
import { asApiError } from '../../http/problem.server';
import { changeFlash, type FlashName } from '../../session/account-flashes';
import { accountAddress } from '../../session/account-tabs';
import { setFlash } from '../../session/flash.server';
import { resultAddress } from '../../session/task-addresses';
import { asVisitor } from '../../session/visitor.server';
import { settingsOf } from '../settings/settings.server';
import { type Outcome, takeStart, trackEnd } from '../telemetry/operations.server';
import type { PaymentProblem } from './order';
import { throwRefusal } from './refusals.server';
import { type PaymentReturn, REMINDER_FIELD, readPaymentReturn } from './return-parameters';
import { SUCCESS_PARAMETER } from './success';

export { PurchaseBoundary as ErrorBoundary } from './refused-page';

export const handle = { i18n: ['tiers'] };

/** Never shown: the loader redirects. With it, the errors of the loader have a page. */
export default function PaymentReturnPage() {
  return null;
}

/** Has the API verify the payment, idempotently by the provider's ids, and redirects to the purchase. */
export async function loader({ request, context }: LoaderFunctionArgs): Promise<Response> {
  const url = new URL(request.url);
  const payment = readPaymentReturn(url);
  const redirectTo = (address: string) => seeOther(address, request);
  const operation = operationOf(payment);
  const startedAt = await takeStart(operation.kind, { request, context });
  const end = (step: Outcome['step'], errorCode?: string) =>
    trackEnd(operation, { step, errorCode, startedAt }, { request, context });
  if (payment.status === 'canceled') {
    end('canceled');
    return redirectTo(problemAddress(payment, 'canceled'));
  }
  if (payment.status === 'failed') {
    const problem = payment.isByCard ? 'payments.declined' : 'wallet_failed';
    end('failed', problem);
    return redirectTo(problemAddress(payment, problem));
  }
  try {
    const { result } = await asVisitor({ request, context }, (token) =>
      retryWhileInProgress(() => finish(payment, { request, context, token })),
    );
    end(result.flash ? 'completed' : 'failed', result.flash ? undefined : 'incomplete');
    if (result.flash) await setFlash(result.flash, context);
    return redirectTo(result.address);
  } catch (error) {
    const problem = asApiError(error, { request, context });
    end('failed', problem.code);
    if (problem.code === 'billing.country_blocked') return redirectTo(blockedAddress(payment));
    // Paid perhaps: the checkout would ask to pay again.
    if (problem.status >= 500) return throwRefusal('unconfirmed', problem);
    return redirectTo(problemAddress(payment, problem.code));
  }
}

const operationOf = ({ isUpgrade, priceId, method }: PaymentReturn) => ({
  kind: isUpgrade ? ('upgrade' as const) : ('payment' as const),
  details: { priceId: (priceId ?? '').slice(0, MAX_PRICE_ID), method },
});

/** As long as events take. */
const MAX_PRICE_ID = 200;

interface RequestCaller {
  readonly request: Request;
  readonly context: AppLoadContext;
  readonly token: string;
}
interface PurchaseResult {
  readonly address: string;
  readonly flash: FlashName | 'paidTwice' | null;
}

/** An approved wallet payment is charged even in a blocked country. */
function blockedAddress({ subscriptionId, chargeId, taskId }: PaymentReturn): string {
  if (subscriptionId) return accountAddress('subscription');
  if (!chargeId) return '/unavailable';
  return taskId ? resultAddress(taskId) : accountAddress('limits');
}

/** The checkout with the problem and the same choices. */
function problemAddress(payment: PaymentReturn, problem: PaymentProblem): string {
  const { priceId, taskId, isTrial, isUpgrade, version, wantsReminder } = payment;
  const query = new URLSearchParams({ problem });
  if (priceId) query.set('priceId', priceId);
  if (isUpgrade) return `/upgrade/confirm?${query}`;
  if (problem === 'billing.intro_unavailable') query.set('withoutIntro', 'true');
  if (taskId) query.set('taskId', taskId);
  if (isTrial) query.set('freeTrialEnabled', 'true');
  if (isTrial && !wantsReminder) query.set(REMINDER_FIELD, 'false');
  if (version) query.set('version', version);
  return priceId ? `/checkout?${query}` : '/upgrade';
}

function finish(payment: PaymentReturn, caller: RequestCaller): Promise<PurchaseResult> {
  return payment.setupIntent || payment.subscriptionId
    ? finishSubscription(payment, caller)
    : finishPayment(payment, caller);
}

async function finishPayment(payment: PaymentReturn, caller: RequestCaller): Promise<PurchaseResult> {
  const flash = await confirmPayment(payment, caller);
  if (!payment.taskId) return { address: '/account/limits', flash };
  const success: Record<string, string> = flash === 'paid' ? { [SUCCESS_PARAMETER]: 'photo' } : {};
  if (!payment.willDownload) return { address: resultAddress(payment.taskId, success), flash };
  await prepareDownload(payment.taskId, caller);
  return { address: resultAddress(payment.taskId, { ...success, download: '1' }), flash };
}

/** A photo's second payment is refunded, and leads to the photo like the first. */
async function confirmPayment(payment: PaymentReturn, caller: RequestCaller): Promise<'paid' | 'paidTwice'> {
  try {
    await recordPayment(payment, caller);
    return 'paid';
  } catch (error) {
    if (error instanceof ApiError && error.code === 'payments.duplicate') return 'paidTwice';
    throw error;
  }
}

async function recordPayment(payment: PaymentReturn, caller: RequestCaller): Promise<void> {
  if (payment.paymentIntent) {
    await callApi(paymentRoutes.confirmPayment, { params: { paymentId: payment.paymentIntent } }, caller);
  } else {
    const { amountCents, currency } = await findPrice(payment, caller.context);
    const body = {
      chargeId: payment.chargeId ?? '?',
      amountCents,
      currency,
      clientTaskId: payment.taskId,
      unlockedExports: Math.max(1, payment.unlockedExports),
      version: payment.version,
    };
    await callApi(paymentRoutes.recordCharge, { body }, { ...caller, idempotencyKey: `charge-${payment.chargeId}` });
  }
}

/** Longer than most exports take. The page waits for the others. */
const PREPARATION_TIMEOUT_MS = 5_000;

/** Prepares the download, which the API finishes by itself. */
async function prepareDownload(taskId: string, caller: RequestCaller): Promise<void> {
  const exporting = callApi(
    resultRoutes.exportTask,
    { params: { taskId }, body: {} },
    { ...caller, timeoutMs: PREPARATION_TIMEOUT_MS },
  );
  await exporting.catch((error: unknown) => {
    if (!(error instanceof ApiError)) throw error;
    caller.context.logger.warn({ code: error.code, taskId }, 'could not prepare a download');
  });
}

async function finishSubscription(payment: PaymentReturn, caller: RequestCaller): Promise<PurchaseResult> {
  if (payment.isUpgrade) return finishUpgrade(payment, caller);
  const { status } = payment.subscriptionId
    ? await callApi(
        subscriptionRoutes.subscribeByWallet,
        {
          body: {
            subscriptionId: payment.subscriptionId,
            unlockedExports: payment.unlockedExports,
            version: payment.version,
          },
        },
        { ...caller, idempotencyKey: `wallet-${payment.subscriptionId}` },
      )
    : await subscribeByCard(payment, caller);
  if (status !== 'active' && status !== 'trialing') {
    return { address: problemAddress(payment, 'incomplete'), flash: null };
  }
  if (status === 'trialing') await saveReminderPreference(payment, caller);
  return {
    address: payment.taskId ? resultAddress(payment.taskId, { [SUCCESS_PARAMETER]: 'plan' }) : '/welcome',
    flash: 'subscribed',
  };
}

/** Ends the old subscription once the wallet has approved the new one. */
async function finishUpgrade(payment: PaymentReturn, caller: RequestCaller): Promise<PurchaseResult> {
  const body = { newSubscriptionId: payment.subscriptionId ?? '?' };
  await callApi(upgradeRoutes.upgradeByWallet, { body }, caller);
  return { address: '/account/subscription', flash: await upgradeFlash(payment, caller) };
}

async function upgradeFlash(payment: PaymentReturn, { context }: RequestCaller): Promise<FlashName> {
  if (!payment.isPeriodChange) return 'upgraded';
  const plan = priceOf((await findPrice(payment, context)).id);
  return plan?.kind === 'plan' ? changeFlash('change_period', plan.period) : 'upgraded';
}

async function subscribeByCard(payment: PaymentReturn, caller: RequestCaller) {
  const priceId = payment.priceId ?? '?';
  const body = {
    paymentMethodId: payment.setupIntent ?? '?',
    priceId,
    trial: payment.isTrial,
    unlockedExports: payment.unlockedExports,
    introPriceId: payment.withIntroPrice ? await introIdOf(payment, caller) : null,
    version: payment.version,
  };
  return callApi(
    subscriptionRoutes.subscribeByCard,
    { body },
    { ...caller, idempotencyKey: `setup-${payment.setupIntent}` },
  );
}

async function introIdOf(payment: PaymentReturn, { request, context }: RequestCaller): Promise<string | null> {
  const { id, currency } = await findPrice(payment, context);
  const known = priceOf(id);
  if (known?.kind !== 'plan' || !introPriceOf(id)) return null;
  const { paymentStrategies } = await settingsOf(request, context, currency);
  return paymentStrategies[known.plan].periods[known.period].introPriceId;
}

async function findPrice({ priceId }: PaymentReturn, context: AppLoadContext) {
  const { prices } = await callApi(priceRoutes.listPrices, { query: { priceId: priceId ?? '?' } }, { context });
  const [price] = prices;
  if (!price) throw ApiError.of('prices.not_found', context.requestId);
  return price;
}

/** Saves the reminder preference. A failure must not undo the purchase. */
async function saveReminderPreference({ wantsReminder }: PaymentReturn, caller: RequestCaller): Promise<void> {
  const body = { preferences: { wantsEmailReminder: wantsReminder } };
  await callApi(userRoutes.updatePreferences, { body }, caller).catch((error: unknown) => {
    if (!(error instanceof ApiError)) throw error;
    caller.context.logger.warn({ code: error.code }, 'could not save the reminder preference');
  });
}
