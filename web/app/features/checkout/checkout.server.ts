import { createHash, randomUUID } from 'node:crypto';
import {
  checkoutRoutes,
  EmailAddress,
  type ErrorCode,
  formatPrice,
  type IntroPrice,
  introPriceOf,
  mayBuy,
  type PaymentProviderName,
  type Price,
  type PurchaseDecision,
  type PurchaseRequest,
  priceOf,
  priceRoutes,
  type Settings,
  TRIAL_DAYS,
  type User,
} from '@clearframe/contract';
import {
  type ActionFunctionArgs,
  type AppLoadContext,
  data,
  type LoaderFunctionArgs,
  redirect,
  redirectDocument,
} from '@remix-run/node';
import { ApiError, callApi } from '../../api.server';
import { languageOf, translatorFor } from '../../i18n/i18n.server';
import { keepLanding } from '../../landing';
import { asApiError, problemViewOf, throwPageFor, throwProblemPage } from '../../problem.server';
import { readSmallForm } from '../../small-form.server';
import { asVisitor } from '../../visitor.server';
import { loadMe } from '../account/account.server';
import { buyerOf } from '../plans/buyer.server';
import { settingsOf } from '../settings/settings.server';
import { CAPTCHA_FIELD } from './captcha';
import { captchaTokenIn } from './captcha.server';
import type { OrderView, PayMethod } from './order';
import { problemNamed } from './problems.server';
import { payAddress } from './provider-pages';
import { refusePage } from './refuse.server';
import { untilAnswered } from './until-answered.server';

const NO_STORE = { 'cache-control': 'no-store' };
const ATTEMPT = /^[0-9a-f-]{36}$/;
const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;
/** Refusals that another page answers. */
const LEADS_AWAY: readonly ErrorCode[] = ['billing.country_blocked', 'billing.login_required'];

/** What an address or a form says about an order. */
interface Wish {
  readonly priceId: string;
  readonly taskId: string | null;
  readonly wantsTrial: boolean;
  /** The intro offer was refused before. */
  readonly withoutIntro: boolean;
}

const wishIn = (fields: URLSearchParams): Wish => ({
  priceId: fields.get('priceId') ?? '',
  taskId: fields.get('taskId') || null,
  wantsTrial: fields.get('freeTrialEnabled') === 'true',
  withoutIntro: fields.get('withoutIntro') === 'true',
});

/** Everything about an order that the page and the payment need. */
interface Order {
  readonly wish: Wish;
  readonly price: Price;
  readonly settings: Settings;
  readonly user: User | null;
  readonly question: PurchaseRequest;
}

async function readOrder(wish: Wish, request: Request, context: AppLoadContext, headers: Headers): Promise<Order> {
  const user = await loadMe(request, context, headers);
  try {
    const { prices } = await callApi(priceRoutes.listPrices, { query: { priceId: wish.priceId || '?' } }, { context });
    const [price] = prices;
    if (!price) return throwPageFor('prices.not_found', context);
    const settings = await settingsOf(request, context, price.currency);
    const question: PurchaseRequest = {
      buyer: await buyerOf(user, context),
      price: priceOf(price.id),
      isCountryBlocked: settings.isPurchaseBlocked,
      flags: settings,
      isForTask: wish.taskId !== null,
    };
    return { wish, price, settings, user, question };
  } catch (error) {
    request.signal.throwIfAborted();
    throw error instanceof Response ? error : throwProblemPage(asApiError(error, context), headers);
  }
}

/** The terms that the page offers. What isn't available to the visitor is left out: the page says what is charged. */
interface Terms {
  readonly decision: PurchaseDecision;
  readonly mayTry: boolean;
  readonly isTrial: boolean;
  /** What is paid first instead of the price, or null. */
  readonly intro: IntroPrice | null;
}

function termsOf({ wish, question }: Order): Terms {
  const { price } = question;
  const isPlan = price?.kind === 'plan';
  const mayTry = isPlan && mayBuy({ ...question, trial: true }).isAllowed;
  const isTrial = mayTry && wish.wantsTrial;
  const offered = isPlan && !isTrial && !wish.withoutIntro ? introPriceOf(price.id) : undefined;
  const intro = offered && mayBuy({ ...question, introPrice: offered }).isAllowed ? offered : null;
  return { decision: mayBuy({ ...question, trial: isTrial, introPrice: intro }), mayTry, isTrial, intro };
}

/** Sums up what is about to be paid. */
export async function loadCheckout({ request, context }: LoaderFunctionArgs) {
  const headers = new Headers(NO_STORE);
  const { search, searchParams } = new URL(request.url);
  const order = await readOrder(wishIn(searchParams), request, context, headers);
  const terms = termsOf(order);
  const { decision } = terms;
  if (!decision.isAllowed) return refusePage(decision.code, { request, context, headers });
  if (decision.kind === 'upgrade' || decision.kind === 'change_period') {
    const query = new URLSearchParams({ priceId: order.price.priceId });
    throw redirect(keepLanding(`/upgrade/confirm?${query}`, search), { status: 303, headers });
  }
  const [language, t] = await Promise.all([languageOf(request), translatorFor(request, 'tiers')]);
  const problem = problemNamed(searchParams.get('problem'));
  return data({ order: viewOf(order, terms, decision, language), problem, title: t('checkout.title') }, { headers });
}

/** Guests buy one picture; members get receipts at their account's address. */
const isGuestsPicture = ({ wish, user }: Pick<Order, 'wish' | 'user'>): boolean =>
  wish.taskId !== null && (user?.isGuest ?? true);

type Allowed = Extract<PurchaseDecision, { isAllowed: true }>;

function viewOf({ wish, price, settings, user }: Order, terms: Terms, decision: Allowed, language: string): OrderView {
  const { mayTry, isTrial, intro } = terms;
  const known = priceOf(price.id);
  const amount = formatPrice(price.amountCents, price.currency);
  const shared = {
    priceId: price.priceId,
    price: amount,
    hasWallet: decision.providers.includes('paypal'),
    withoutIntro: wish.withoutIntro,
    withIntro: intro !== null,
    taskId: wish.taskId,
    asksForEmail: isGuestsPicture({ wish, user }),
    attempt: randomUUID(),
  };
  if (known?.kind === 'pack') {
    return {
      ...shared,
      item: { kind: 'pack', pack: known.pack, exports: known.exports },
      dueNow: amount,
      next: null,
      trial: { isOffered: false, isChosen: false, hasReminder: false },
      forfeits: 0,
    };
  }
  if (known?.kind !== 'plan') throw new Error(`${price.id} can't be bought`);
  const firstPeriodMs = isTrial ? TRIAL_DAYS * DAY_MS : (price.recurringIntervalCount ?? 1) * WEEK_MS;
  const date = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' });
  return {
    ...shared,
    item: { kind: 'plan', plan: known.plan, period: known.period },
    dueNow: formatPrice(isTrial ? 0 : (intro?.amountCents ?? price.amountCents), price.currency),
    next: { price: amount, date: date.format(new Date(Date.now() + firstPeriodMs)) },
    trial: { isOffered: mayTry, isChosen: isTrial, hasReminder: !settings.disableEmailReminder },
    forfeits: decision.forfeitCredits,
  };
}

/** Asks the API how to pay what the form says, and sends the payer there. Nothing is left out: it is agreed, or refused. */
export async function pay({ request, context }: ActionFunctionArgs) {
  const fields = await readSmallForm(request, context);
  const headers = new Headers(NO_STORE);
  const order = await readOrder(wishIn(fields), request, context, headers);
  const payment = paymentIn(fields, order, request);
  const { trial, introPrice, provider, forfeitCredits, receiptEmail } = payment;
  if (receiptEmail !== null && !EmailAddress.safeParse(receiptEmail).success) {
    return data({ problem: null, invalidEmail: receiptEmail }, { status: 422, headers });
  }
  const decision = mayBuy({ ...order.question, trial, introPrice, provider, forfeitCredits });
  if (!decision.isAllowed) {
    if (LEADS_AWAY.includes(decision.code)) return refusePage(decision.code, { request, context, headers });
    return refusal(ApiError.of(decision.code, context.requestId), headers);
  }
  try {
    const { result } = await asVisitor(request, context, headers, (token) =>
      untilAnswered(() => payPageOf(order, payment, { request, context, token })),
    );
    // Not a page of ours: the browser has to go there itself.
    return redirectDocument(result, { status: 303, headers });
  } catch (error) {
    if (error instanceof Response) throw error;
    request.signal.throwIfAborted();
    return refusal(asApiError(error, context), headers);
  }
}

/** A country where nothing is sold has a page of its own; everything else is said where it happened. */
export function refusal(problem: ApiError, headers: Headers) {
  if (problem.code === 'billing.country_blocked') return redirect('/unavailable', { status: 303, headers });
  return data({ problem: problemViewOf(problem), invalidEmail: null }, { status: problem.status, headers });
}

/** Everything the form agrees to. */
interface Payment {
  readonly method: PayMethod;
  readonly provider: PaymentProviderName;
  /** Names this attempt to pay, so that sending the form twice pays once. */
  readonly attempt: string;
  readonly trial: boolean;
  readonly introPrice: IntroPrice | null;
  readonly introPriceId: string | null;
  /** Absent for a pack. */
  readonly forfeitCredits: number | undefined;
  readonly wantsReminder: boolean;
  readonly version: string | null;
  readonly captchaToken: string | null;
  /** As it was typed; null where none was. */
  readonly receiptEmail: string | null;
}

function paymentIn(fields: URLSearchParams, { wish, price, settings, user }: Order, request: Request): Payment {
  const isTrue = (name: string) => fields.get(name) === 'true';
  const method: PayMethod = fields.get('method') === 'wallet' ? 'wallet' : 'card';
  const known = priceOf(price.id);
  const introPrice = known?.kind === 'plan' && isTrue('withIntroPrice') ? (introPriceOf(known.id) ?? null) : null;
  const attempt = fields.get('attempt') ?? '';
  return {
    method,
    provider: method === 'wallet' ? 'paypal' : 'stripe',
    attempt: ATTEMPT.test(attempt) ? attempt : randomUUID(),
    trial: wish.wantsTrial,
    introPrice,
    introPriceId:
      introPrice && known?.kind === 'plan'
        ? settings.paymentStrategies[known.plan].periods[known.period].introPriceId
        : null,
    forfeitCredits:
      known?.kind === 'plan' ? (isTrue('agreesToForfeit') ? (user?.availableCredits ?? 0) : 0) : undefined,
    wantsReminder: isTrue('emailReminderEnabled'),
    version: new URL(request.url).searchParams.get('version'),
    captchaToken: captchaTokenIn(fields, request),
    receiptEmail: isGuestsPicture({ wish, user }) ? fields.get('receiptEmail')?.trim() || null : null,
  };
}

interface Calling {
  readonly request: Request;
  readonly context: AppLoadContext;
  readonly token: string;
}

async function payPageOf({ wish, price }: Order, payment: Payment, calling: Calling): Promise<string> {
  const { provider, trial, introPriceId, version, captchaToken } = payment;
  const unlockedExports = payment.forfeitCredits ?? price.exports ?? 1;
  const body = {
    priceId: price.priceId,
    provider,
    clientTaskId: wish.taskId,
    unlockedExports,
    trial,
    introPriceId,
    version,
    receiptEmail: payment.receiptEmail,
  };
  const checkout = await callApi(
    checkoutRoutes.createCheckout,
    { body },
    { ...calling, captchaToken, idempotencyKey: keyOf(payment, body) },
  );
  return payAddress(checkout, price, `/checkout/return?${returnQuery(wish, price, payment, unlockedExports)}`);
}

/** The form sent twice is one payment; sent with another choice, it is another. */
const keyOf = ({ attempt }: Payment, body: object): string =>
  `web-${attempt}-${createHash('sha256').update(JSON.stringify(body)).digest('hex').slice(0, 16)}`;

/** What the way back from the payment page has to know. */
function returnQuery(wish: Wish, price: Price, payment: Payment, unlockedExports: number): URLSearchParams {
  const { trial, introPrice, wantsReminder, version, captchaToken } = payment;
  const query = new URLSearchParams({ priceId: price.priceId, unlockedExports: String(unlockedExports) });
  if (wish.taskId) {
    query.set('taskId', wish.taskId);
    query.set('willDownloadAutomatically', 'true');
  }
  if (price.recurringInterval !== null) {
    query.set('freeTrialEnabled', String(trial));
    query.set('emailReminderEnabled', String(wantsReminder));
  }
  if (introPrice) query.set('withIntroPrice', 'true');
  if (version) query.set('version', version);
  if (captchaToken) query.set(CAPTCHA_FIELD, captchaToken);
  return query;
}
