import { createHash, randomUUID } from 'node:crypto';
import {
  checkoutRoutes,
  type IntroPrice,
  introPriceOf,
  mayBuy,
  NEW_GUEST,
  type PaymentProviderName,
  type Price,
  type PurchaseDecision,
  type PurchaseRequest,
  priceOf,
  priceRoutes,
  type RouteRequest,
  type Settings,
  type User,
} from '@clearframe/contract';
import { type ActionFunctionArgs, data, redirect, redirectDocument } from '@remix-run/node';
import { ApiError, callApi, retryWhileInProgress, type VerifiedCaller } from '../../http/api.server';
import { readFields } from '../../http/form.server';
import { preserveVersionParam } from '../../http/internal-address';
import { asApiError, problemViewOf, throwPageFor } from '../../http/problem.server';
import { fetchMe } from '../../session/me.server';
import { resultAddress } from '../../session/task-addresses';
import { asVisitor, type Exchange } from '../../session/visitor.server';
import { captchaTokenOf } from '../captcha/captcha.server';
import { buyerOf } from '../plans/buyer.server';
import { checkoutAddress, preserveOfferParam } from '../plans/offers';
import { settingsOf } from '../settings/settings.server';
import { trackOperation, trackStart } from '../telemetry/operations.server';
import {
  type CheckoutFields,
  type CheckoutQuestions,
  type OrderFields,
  parseCheckout,
  parseOrder,
} from './checkout-form';
import { type Confirmation, choosesAnotherOrder } from './order';
import { receiptCookie } from './receipt-cookie.server';
import { hasRefusalPage, throwRefusalPage } from './refusals.server';
import { methodOf, REMINDER_FIELD } from './return-parameters';

export interface Purchase {
  readonly price: Price;
  readonly settings: Settings;
  readonly user: User | null;
  readonly question: PurchaseRequest;
}

export interface Order extends Purchase {
  readonly fields: OrderFields;
}

/**
 * @param source the checkout's query, or its form
 * @throws Response the page of an impossible order
 */
export async function readOrder(source: URLSearchParams, exchange: Exchange): Promise<Order> {
  const parsed = parseOrder(source);
  if (parsed.status !== 'success') return throwPageFor('request.invalid', exchange.context);
  const fields = parsed.value;
  const { question, ...purchase } = await readPurchase(fields.priceId, exchange);
  return { ...purchase, fields, question: { ...question, isForTask: fields.taskId !== null } };
}

/** @throws Response the page of a price that isn't sold */
export async function readPurchase(priceId: string, exchange: Exchange): Promise<Purchase> {
  const { context } = exchange;
  const user = await fetchMe(exchange);
  const { price, settings } = await readPrice(priceId, exchange);
  const question = {
    buyer: await buyerOf(user, context),
    price: priceOf(price.id),
    isCountryBlocked: settings.isPurchaseBlocked,
    flags: settings,
  };
  return { price, settings, user, question };
}

/** A photo is paid for once. */
export const isSinglePhoto = ({ fields, question: { price } }: Order): boolean =>
  fields.taskId !== null && price?.kind === 'pack' && price.pack === 'single_export';

/** The page of a paid photo, which downloads it. */
export const paidPhotoAddress = (taskId: string | null, search: string): string =>
  preserveVersionParam(resultAddress(taskId ?? '', { download: '1' }), search);

export interface Terms {
  readonly decision: PurchaseDecision;
  readonly isTrialEligible: boolean;
  readonly isTrial: boolean;
  readonly intro: IntroPrice | null;
}

export function termsOf({ fields, question }: Order): Terms {
  const { price } = question;
  const isPlan = price?.kind === 'plan';
  const isTrialEligible = isPlan && mayBuy({ ...question, trial: true }).isAllowed;
  const isTrial = isTrialEligible && fields.freeTrialEnabled;
  const offered = isPlan && !isTrial && !fields.withoutIntro ? introPriceOf(price.id) : undefined;
  const intro = offered && mayBuy({ ...question, introPrice: offered }).isAllowed ? offered : null;
  return { decision: mayBuy({ ...question, trial: isTrial, introPrice: intro }), isTrialEligible, isTrial, intro };
}

/** Members get receipts at their account's address. */
const isGuestPhoto = ({ fields, user }: Pick<Order, 'fields' | 'user'>): boolean =>
  fields.taskId !== null && (user?.isGuest ?? true);

export function questionsOf(order: Order): CheckoutQuestions {
  const { decision } = termsOf(order);
  return {
    asksForEmail: isGuestPhoto(order),
    asksForForfeit: decision.isAllowed && order.question.price?.kind === 'plan' && decision.forfeitCredits > 0,
  };
}

async function readPrice(priceId: string, exchange: Exchange): Promise<{ price: Price; settings: Settings }> {
  const { request, context } = exchange;
  const [price] = await listPrices(priceId || '?', exchange);
  const settings = await settingsOf(request, context, price?.currency);
  if (price) return { price, settings };
  const code = settings.isPurchaseBlocked ? 'billing.country_blocked' : 'prices.not_found';
  return throwRefusalPage(ApiError.of(code, context.requestId), { buyer: NEW_GUEST, price: undefined }, exchange);
}

async function listPrices(priceId: string, { context }: Exchange): Promise<readonly Price[]> {
  try {
    return (await callApi(priceRoutes.listPrices, { query: { priceId } }, { context })).prices;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'prices.not_found') return [];
    throw error;
  }
}

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
  /** Shows the form again with its values, or the page of what another form can't change. */
  const refuse = (error: ApiError) =>
    hasRefusalPage(error.code, order.question)
      ? throwRefusalPage(error, order.question, exchange)
      : data({ problem: problemViewOf(error), result: submission.reply() }, { status: error.status });
  const { body, terms, returnPath, ...payment } = paymentOf(submission.value, order, request);
  const decision = mayBuy({ ...order.question, ...terms });
  if (!decision.isAllowed) return refuse(ApiError.of(decision.code, context.requestId));
  try {
    const details = { priceId: body.priceId, method: methodOf(body.provider) };
    const { result } = await trackOperation({ kind: 'checkout', details }, { request, context }, () =>
      asVisitor({ request, context }, (token) =>
        retryWhileInProgress(() => openPayment(body, returnPath, { request, context, token, ...payment })),
      ),
    );
    // The form in the page tracks its own start.
    const isTracked = typeof result !== 'string';
    await trackStart({ kind: 'payment', details }, { request, context }, isTracked);
    if (questionsOf(order).asksForEmail)
      await (body.receiptEmail === null
        ? receiptCookie.clear(context)
        : receiptCookie.write(body.receiptEmail, context));
    if (typeof result === 'string') return redirectDocument(result, 303);
    const answer = { problem: null, result: null, confirmation: result };
    return data(answer, { headers: { 'cache-control': 'no-store' } });
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

function paymentOf(form: CheckoutFields, { fields, price, settings, user }: Order, request: Request) {
  const { search, searchParams } = new URL(request.url);
  const known = priceOf(price.id);
  const plan = known?.kind === 'plan' ? known : null;
  const provider: PaymentProviderName = form.method === 'wallet' ? 'paypal' : 'stripe';
  const introPrice = (plan && form.withIntroPrice && introPriceOf(plan.id)) || null;
  // A pack forfeits nothing.
  const forfeitCredits = plan ? (form.agreesToForfeit ? (user?.availableCredits ?? 0) : 0) : undefined;
  const unlockedExports = forfeitCredits ?? price.exports ?? 1;
  const { taskId } = fields;
  const trial = form.freeTrialEnabled;
  const version = searchParams.get('version');
  const query = new URLSearchParams({
    priceId: price.priceId,
    unlockedExports: String(unlockedExports),
    ...(taskId && { taskId, willDownloadAutomatically: 'true' }),
    ...(price.recurringInterval !== null && {
      freeTrialEnabled: String(trial),
      [REMINDER_FIELD]: String(form.emailReminderEnabled),
    }),
    ...(introPrice && { withIntroPrice: 'true' }),
    ...(version && { version }),
    method: methodOf(provider),
  });
  const returnPath = preserveVersionParam(`/checkout/return?${query}`, search);
  const captchaToken = captchaTokenOf(form, request);
  // Without a token the API offers the provider's own page only.
  const isInPage = form.inPage.includes(form.method) && (captchaToken !== null || !settings.hasCaptcha);
  const body = {
    priceId: price.priceId,
    provider,
    clientTaskId: taskId,
    unlockedExports,
    trial,
    introPriceId: plan && introPrice ? settings.paymentStrategies[plan.plan].periods[plan.period].introPriceId : null,
    version,
    receiptEmail: form.receiptEmail,
    returnPath: isInPage ? null : returnPath,
  };
  const terms = { trial, introPrice, provider, forfeitCredits };
  const idempotencyKey = keyOf(form.attempt ?? randomUUID(), body);
  return { body, terms, returnPath, captchaToken, idempotencyKey };
}

/** Idempotency key: a form sent twice pays once; with other choices it is another payment. */
const keyOf = (attempt: string, body: object): string =>
  `web-${attempt}-${createHash('sha256').update(JSON.stringify(body)).digest('hex').slice(0, 16)}`;

type CheckoutOrder = RouteRequest<typeof checkoutRoutes.createCheckout>['body'];

export async function openPaymentPage(
  order: CheckoutOrder & { readonly returnPath: string },
  caller: VerifiedCaller,
): Promise<string> {
  const payment = await openPayment(order, order.returnPath, caller);
  if (typeof payment !== 'string') throw ApiError.of('service.internal', caller.context.requestId);
  return payment;
}

/** @returns the payment page's address, or what the form confirms */
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
