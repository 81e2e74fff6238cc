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
import { type AppLoadContext, type LoaderFunctionArgs, redirect } from '@remix-run/node';
import { ApiError, callApi, EXPORT_TIMEOUT_MS } from '../../../http/api.server';
import { preserveVersionParam } from '../../../http/internal-address';
import { asApiError } from '../../../http/problem.server';
import { setFlash } from '../../../session/flash.server';
import { asVisitor } from '../../../session/visitor.server';
import { accountAddress } from '../../account/view/account-tabs';
import { settingsOf } from '../../settings/settings.server';
import { retryWhileInProgress } from '../payment/retry-in-progress.server';
import { type PaymentReturn, readPaymentReturn } from './return-parameters';

/** Has the API verify the payment and redirects to the purchase. Idempotent by the provider's ids. */
export async function handlePaymentReturn({ request, context }: LoaderFunctionArgs): Promise<Response> {
  const url = new URL(request.url);
  const back = readPaymentReturn(url);
  const headers = new Headers({ 'cache-control': 'no-store' });
  const redirectTo = (address: string) => redirect(preserveVersionParam(address, url.search), { status: 303, headers });
  if (back.status !== 'succeeded')
    return redirectTo(problemAddress(back, back.status === 'canceled' ? 'canceled' : 'payments.declined'));
  try {
    const { result } = await asVisitor(request, context, headers, (token) =>
      retryWhileInProgress(() => finish(back, { request, context, token })),
    );
    if (result.flash) await setFlash(result.flash, headers, context);
    return redirectTo(result.address);
  } catch (error) {
    if (error instanceof Response) throw error;
    request.signal.throwIfAborted();
    const problem = asApiError(error, context);
    if (problem.code === 'billing.country_blocked') return redirectTo(blockedAddress(back));
    return redirectTo(problemAddress(back, problem.code));
  }
}

interface Calling {
  readonly request: Request;
  readonly context: AppLoadContext;
  readonly token: string;
}
interface Finished {
  readonly address: string;
  readonly flash: string | null;
}

/** An approved wallet payment is charged, so it must not be shown as unavailable. */
function blockedAddress({ subscriptionId, chargeId, taskId }: PaymentReturn): string {
  if (subscriptionId) return accountAddress('subscription');
  if (!chargeId) return '/unavailable';
  return taskId ? `/result?taskId=${taskId}` : accountAddress('limits');
}

/** The checkout with the problem and the same choices. */
function problemAddress({ priceId, taskId, isTrial, isUpgrade, version }: PaymentReturn, problem: string): string {
  const query = new URLSearchParams({ problem });
  if (priceId) query.set('priceId', priceId);
  if (isUpgrade) return `/upgrade/confirm?${query}`;
  if (problem === 'billing.intro_unavailable') query.set('withoutIntro', 'true');
  if (taskId) query.set('taskId', taskId);
  if (isTrial) query.set('freeTrialEnabled', 'true');
  if (version) query.set('version', version);
  return priceId ? `/checkout?${query}` : '/upgrade';
}

function finish(back: PaymentReturn, calling: Calling): Promise<Finished> {
  return back.setupIntent || back.subscriptionId ? finishSubscription(back, calling) : finishPayment(back, calling);
}

async function finishPayment(back: PaymentReturn, calling: Calling): Promise<Finished> {
  if (back.paymentIntent) {
    await callApi(paymentRoutes.confirmPayment, { params: { paymentId: back.paymentIntent } }, calling);
  } else {
    const { amountCents, currency } = await findPrice(back, calling.context);
    const body = {
      chargeId: back.chargeId ?? '?',
      amountCents,
      currency,
      clientTaskId: back.taskId,
      unlockedExports: Math.max(1, back.unlockedExports),
      version: back.version,
    };
    await callApi(
      paymentRoutes.recordCharge,
      { body },
      { ...calling, captchaToken: back.captchaToken, idempotencyKey: `charge-${back.chargeId}` },
    );
  }
  if (!back.taskId) return { address: '/account/limits', flash: 'paid' };
  if (!back.willDownload) return { address: `/result?taskId=${back.taskId}`, flash: 'paid' };
  await makeDownload(back.taskId, calling);
  return { address: `/result?taskId=${back.taskId}&download=1`, flash: 'paid' };
}

/** The API makes three calls to the provider first. */
const UPGRADE_TIMEOUT_MS = 30_000;

/** Prepares the download. After a failure, the page's button does it. */
async function makeDownload(taskId: string, calling: Calling): Promise<void> {
  const exporting = callApi(
    resultRoutes.exportTask,
    { params: { taskId }, body: {} },
    { ...calling, timeoutMs: EXPORT_TIMEOUT_MS },
  );
  await exporting.catch((error: unknown) => {
    if (!(error instanceof ApiError)) throw error;
    calling.context.logger.warn({ code: error.code, taskId }, 'could not prepare a download');
  });
}

async function finishSubscription(back: PaymentReturn, calling: Calling): Promise<Finished> {
  if (back.isUpgrade) return finishUpgrade(back, calling);
  const { status } = back.subscriptionId
    ? await callApi(
        subscriptionRoutes.subscribeByWallet,
        { body: { subscriptionId: back.subscriptionId, unlockedExports: back.unlockedExports, version: back.version } },
        { ...calling, captchaToken: back.captchaToken, idempotencyKey: `wallet-${back.subscriptionId}` },
      )
    : await subscribeByCard(back, calling);
  if (status !== 'active' && status !== 'trialing') {
    return { address: problemAddress(back, 'incomplete'), flash: null };
  }
  if (status === 'trialing') await rememberReminder(back, calling);
  return { address: back.taskId ? `/result?taskId=${back.taskId}` : '/account/subscription', flash: 'subscribed' };
}

/** Ends the old subscription once the wallet has approved the new one. */
async function finishUpgrade({ subscriptionId, captchaToken }: PaymentReturn, calling: Calling): Promise<Finished> {
  const body = { newSubscriptionId: subscriptionId ?? '?' };
  await callApi(upgradeRoutes.upgradeByWallet, { body }, { ...calling, captchaToken, timeoutMs: UPGRADE_TIMEOUT_MS });
  return { address: '/account/subscription', flash: 'upgraded' };
}

async function subscribeByCard(back: PaymentReturn, calling: Calling) {
  const priceId = back.priceId ?? '?';
  const body = {
    paymentMethodId: back.paymentMethodId ?? '?',
    priceId,
    trial: back.isTrial,
    unlockedExports: back.unlockedExports,
    introPriceId: back.withIntroPrice ? await introIdOf(back, calling) : null,
    version: back.version,
  };
  return callApi(
    subscriptionRoutes.subscribeByCard,
    { body },
    { ...calling, captchaToken: back.captchaToken, idempotencyKey: `setup-${back.setupIntent}` },
  );
}

async function introIdOf(back: PaymentReturn, { request, context }: Calling): Promise<string | null> {
  const { id, currency } = await findPrice(back, context);
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
async function rememberReminder({ wantsReminder }: PaymentReturn, calling: Calling): Promise<void> {
  const body = { preferences: { wantsEmailReminder: wantsReminder } };
  await callApi(userRoutes.overridePreferences, { body }, calling).catch((error: unknown) => {
    if (!(error instanceof ApiError)) throw error;
    calling.context.logger.warn({ code: error.code }, 'could not save the reminder preference');
  });
}
