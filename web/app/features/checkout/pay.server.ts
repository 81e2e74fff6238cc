import { createHash, randomUUID } from 'node:crypto';
import {
  checkoutRoutes,
  type IntroPrice,
  introPriceOf,
  mayBuy,
  type PaymentProviderName,
  type Price,
  priceOf,
  type RouteRequest,
} from '@clearframe/contract';
import { type ActionFunctionArgs, type AppLoadContext, data, redirect, redirectDocument } from '@remix-run/node';
import { ApiError, callApi, retryWhileInProgress, type VerifiedCaller } from '../../http/api.server';
import { readFields } from '../../http/form.server';
import { preserveVersionParam } from '../../http/internal-address';
import { asApiError, problemViewOf } from '../../http/problem.server';
import { asVisitor } from '../../session/visitor.server';
import { captchaTokenOf } from '../captcha/captcha.server';
import { checkoutAddress, preserveOfferParam } from '../plans/offers';
import { trackOperation, trackStart } from '../telemetry/operations.server';
import { type CheckoutFields, type OrderFields, parseCheckout } from './checkout-form';
import type { Confirmation } from './order';
import { type Order, paidPhotoAddress, questionsOf, readOrder } from './order.server';
import { receiptCookie } from './receipt-cookie.server';
import { hasRefusalPage, throwRefusalPage } from './refusals.server';
import { methodOf } from './return-parameters';
import { choosesAnotherOrder } from './trial-fields';

/** Creates the checkout, and redirects to the payment page unless this one has the method's form. */
export async function pay({ request, context }: ActionFunctionArgs) {
  const fields = await readFields(request, context);
  if (choosesAnotherOrder(fields)) return redirect(chosenOrderAddress(fields, request), 303);
  const exchange = { request, context };
  const order = await readOrder(fields, exchange);
  const submission = parseCheckout(fields, questionsOf(order));
  if (submission.status !== 'success') {
    return data({ problem: null, result: submission.reply() }, { status: 422 });
  }
  /** Shows the form again, or the page of what another form can't change. */
  const refuse = (error: ApiError) =>
    hasRefusalPage(error.code, order.question)
      ? throwRefusalPage(error, order.question, exchange)
      : problemResult(error, submission);
  const payment = paymentOf(submission.value, order, request, captchaTokenOf(submission.value, request));
  const { trial, introPrice, provider, forfeitCredits } = payment;
  const decision = mayBuy({ ...order.question, trial, introPrice, provider, forfeitCredits });
  if (!decision.isAllowed) {
    return refuse(ApiError.of(decision.code, context.requestId));
  }
  try {
    const details = { priceId: order.price.priceId, method: methodOf(provider) };
    const { result } = await trackOperation({ kind: 'checkout', details }, { request, context }, () =>
      asVisitor({ request, context }, (token) =>
        retryWhileInProgress(() => startPayment(order, payment, { request, context, token })),
      ),
    );
    // The form in the page tracks its own start.
    const isTracked = typeof result !== 'string';
    await trackStart({ kind: 'payment', details }, { request, context }, isTracked);
    if (questionsOf(order).asksForEmail)
      await (payment.receiptEmail === null
        ? receiptCookie.clear(context)
        : receiptCookie.write(payment.receiptEmail, context));
    if (typeof result === 'string') return redirectDocument(result, 303);
    const body = { problem: null, result: null, confirmation: result };
    return data(body, { headers: { 'cache-control': 'no-store' } });
  } catch (error) {
    const problem = asApiError(error, { request, context });
    if (problem.code === 'exports.already_unlocked')
      return redirect(paidPhotoAddress(order.fields.taskId, new URL(request.url).search), 303);
    return refuse(problem);
  }
}

function chosenOrderAddress(fields: URLSearchParams, request: Request): string {
  const { search } = new URL(request.url);
  const trial = fields.get('freeTrialEnabled') === 'true';
  const address = checkoutAddress(fields.get('priceId') ?? '', { taskId: fields.get('taskId'), trial });
  return preserveVersionParam(preserveOfferParam(address, search), search);
}

/** Shows the form again with its values. */
function problemResult(problem: ApiError, submission: ReturnType<typeof parseCheckout>) {
  return data({ problem: problemViewOf(problem), result: submission.reply() }, { status: problem.status });
}

interface Payment {
  readonly isInPage: boolean;
  readonly provider: PaymentProviderName;
  /** Identifies this attempt; a repeated form pays once. */
  readonly attempt: string;
  readonly trial: boolean;
  readonly introPrice: IntroPrice | null;
  readonly introPriceId: string | null;
  /** Absent for a pack. */
  readonly forfeitCredits: number | undefined;
  readonly wantsReminder: boolean;
  readonly version: string | null;
  readonly captchaToken: string | null;
  readonly receiptEmail: string | null;
}

function paymentOf(
  form: CheckoutFields,
  { price, settings, user }: Order,
  request: Request,
  captchaToken: string | null,
): Payment {
  const known = priceOf(price.id);
  const introPrice = known?.kind === 'plan' && form.withIntroPrice ? (introPriceOf(known.id) ?? null) : null;
  return {
    // Without a token the API offers the provider's own page only.
    isInPage: form.inPage.includes(form.method) && (captchaToken !== null || !settings.hasCaptcha),
    provider: form.method === 'wallet' ? 'paypal' : 'stripe',
    attempt: form.attempt ?? randomUUID(),
    trial: form.freeTrialEnabled,
    introPrice,
    introPriceId:
      introPrice && known?.kind === 'plan'
        ? settings.paymentStrategies[known.plan].periods[known.period].introPriceId
        : null,
    forfeitCredits: known?.kind === 'plan' ? (form.agreesToForfeit ? (user?.availableCredits ?? 0) : 0) : undefined,
    wantsReminder: form.emailReminderEnabled,
    version: new URL(request.url).searchParams.get('version'),
    captchaToken,
    receiptEmail: form.receiptEmail,
  };
}

interface RequestCaller {
  readonly request: Request;
  readonly context: AppLoadContext;
  readonly token: string;
}

/** @returns the payment page's address, or what the form confirms */
async function startPayment(
  { fields, price }: Order,
  payment: Payment,
  caller: RequestCaller,
): Promise<string | Confirmation> {
  const { provider, trial, introPriceId, version, captchaToken } = payment;
  const unlockedExports = payment.forfeitCredits ?? price.exports ?? 1;
  const query = returnQuery(fields, price, payment, unlockedExports);
  const returnPath = preserveVersionParam(`/checkout/return?${query}`, new URL(caller.request.url).search);
  const body = {
    priceId: price.priceId,
    provider,
    clientTaskId: fields.taskId,
    unlockedExports,
    trial,
    introPriceId,
    version,
    receiptEmail: payment.receiptEmail,
    returnPath: payment.isInPage ? null : returnPath,
  };
  return openPayment(body, returnPath, { ...caller, captchaToken, idempotencyKey: keyOf(payment, body) });
}

/** Idempotency key: a form sent twice pays once; with other choices it is another payment. */
const keyOf = ({ attempt }: Payment, body: object): string =>
  `web-${attempt}-${createHash('sha256').update(JSON.stringify(body)).digest('hex').slice(0, 16)}`;

/** Parameters of the return from the payment page. */
function returnQuery(
  { taskId }: OrderFields,
  price: Price,
  payment: Payment,
  unlockedExports: number,
): URLSearchParams {
  const { trial, introPrice, wantsReminder, version } = payment;
  const query = new URLSearchParams({ priceId: price.priceId, unlockedExports: String(unlockedExports) });
  if (taskId) {
    query.set('taskId', taskId);
    query.set('willDownloadAutomatically', 'true');
  }
  if (price.recurringInterval !== null) {
    query.set('freeTrialEnabled', String(trial));
    query.set('emailReminderEnabled', String(wantsReminder));
  }
  if (introPrice) query.set('withIntroPrice', 'true');
  if (version) query.set('version', version);
  query.set('method', methodOf(payment.provider));
  return query;
}

type CheckoutOrder = RouteRequest<typeof checkoutRoutes.createCheckout>['body'];

export async function openPaymentPage(
  order: CheckoutOrder & { readonly returnPath: string },
  caller: VerifiedCaller,
): Promise<string> {
  const payment = await openPayment(order, order.returnPath, caller);
  if (typeof payment !== 'string') throw ApiError.of('service.internal', caller.context.requestId);
  return payment;
}

async function openPayment(
  order: CheckoutOrder,
  returnPath: string,
  caller: VerifiedCaller,
): Promise<string | Confirmation> {
  const checkout = await callApi(checkoutRoutes.createCheckout, { body: order }, caller);
  if (checkout.kind === 'redirect') return checkout.url;
  if (checkout.kind === 'paypal') return { ...checkout, returnPath };
  return { kind: checkout.kind, clientSecret: checkout.clientSecret, returnPath };
}
