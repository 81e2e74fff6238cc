import { randomUUID } from 'node:crypto';
import {
  formatPrice,
  type IntroPrice,
  introPriceOf,
  type Price,
  paymentRoutes,
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
import { type ApiError, callApi } from '../../api.server';
import { languageOf, translatorFor } from '../../i18n/i18n.server';
import { asApiError, problemViewOf, throwPageFor, throwProblemPage } from '../../problem.server';
import { readSmallForm } from '../../small-form.server';
import { asVisitor, startLogin } from '../../visitor.server';
import { loadMe } from '../account/account.server';
import { settingsOf } from '../settings/settings.server';
import type { OrderView, PayMethod } from './order';
import { problemNamed } from './problems.server';
import { cardPage, walletChargePage, walletSubscriptionPage } from './provider-pages';
import { untilAnswered } from './until-answered.server';

const NO_STORE = { 'cache-control': 'no-store' };
const ATTEMPT = /^[0-9a-f-]{36}$/;
const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;

/** What an address or a form says about an order. */
interface Wish {
  readonly priceId: string;
  readonly taskId: string | null;
  readonly wantsTrial: boolean;
  /** The intro offer was refused before: it is for somebody new. */
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
  readonly mayTry: boolean;
  /** What is paid first instead of the price, or null. */
  readonly intro: IntroPrice | null;
}

async function readOrder(wish: Wish, request: Request, context: AppLoadContext, headers: Headers): Promise<Order> {
  const user = await loadMe(request, context, headers);
  try {
    const { prices } = await callApi(priceRoutes.listPrices, { query: { priceId: wish.priceId || '?' } }, { context });
    const [price] = prices;
    if (!price) return throwPageFor('prices.not_found', context);
    const settings = await settingsOf(request, context, price.currency);
    const isPlan = price.recurringInterval !== null;
    const mayTry = isPlan && settings.isFreeTrialEnabled && (user?.monetization.trialAvailable ?? true);
    const mayIntro = isPlan && settings.isIntroPriceEnabled && !wish.withoutIntro && !(mayTry && wish.wantsTrial);
    return { wish, price, settings, user, mayTry, intro: (mayIntro && introPriceOf(price.id)) || null };
  } catch (error) {
    request.signal.throwIfAborted();
    throw error instanceof Response ? error : throwProblemPage(asApiError(error, context), headers);
  }
}

/** Sums up what is about to be paid. */
export async function loadCheckout({ request, context }: LoaderFunctionArgs) {
  const headers = new Headers(NO_STORE);
  const { searchParams } = new URL(request.url);
  const order = await readOrder(wishIn(searchParams), request, context, headers);
  if (needsLogin(order)) throw await startLogin(request, context, headers);
  const [language, t] = await Promise.all([languageOf(request), translatorFor(request, 'tiers')]);
  const problem = problemNamed(searchParams.get('problem'));
  return data({ order: viewOf(order, language), problem, title: t('checkout.title') }, { headers });
}

/** A guest can pay for one picture, and for nothing else. */
const needsLogin = ({ user, wish, price }: Order): boolean =>
  (user?.isGuest ?? true) && !(wish.taskId && price.recurringInterval === null && price.exports === 1);

function viewOf({ wish, price, settings, user, mayTry, intro }: Order, language: string): OrderView {
  const known = priceOf(price.id);
  const amount = formatPrice(price.amountCents, price.currency);
  const shared = {
    priceId: price.priceId,
    price: amount,
    // The wallet's plans know no intro price.
    hasWallet: intro === null,
    withoutIntro: wish.withoutIntro,
    taskId: wish.taskId,
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
  const isTrial = wish.wantsTrial && mayTry;
  const firstPeriodMs = isTrial ? TRIAL_DAYS * DAY_MS : (price.recurringIntervalCount ?? 1) * WEEK_MS;
  const date = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' });
  return {
    ...shared,
    item: { kind: 'plan', plan: known.plan, period: known.period },
    dueNow: formatPrice(isTrial ? 0 : (intro?.amountCents ?? price.amountCents), price.currency),
    next: { price: amount, date: date.format(new Date(Date.now() + firstPeriodMs)) },
    trial: { isOffered: mayTry, isChosen: isTrial, hasReminder: !settings.disableEmailReminder },
    forfeits: user?.availableCredits ?? 0,
  };
}

/** Sends the payer to the provider's page. */
export async function pay({ request, context }: ActionFunctionArgs) {
  const fields = await readSmallForm(request, context);
  const headers = new Headers(NO_STORE);
  const order = await readOrder(wishIn(fields), request, context, headers);
  if (needsLogin(order)) throw await startLogin(request, context, headers);
  const method: PayMethod = fields.get('method') === 'wallet' ? 'wallet' : 'card';
  const attempt = ATTEMPT.test(fields.get('attempt') ?? '') ? String(fields.get('attempt')) : randomUUID();
  try {
    const { result } = await asVisitor(request, context, headers, (token) =>
      untilAnswered(() => payPageOf(order, fields, { method, attempt }, { request, context, token })),
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
  return data({ problem: problemViewOf(problem) }, { status: problem.status, headers });
}

interface Attempt {
  readonly method: PayMethod;
  readonly attempt: string;
}
interface Calling {
  readonly request: Request;
  readonly context: AppLoadContext;
  readonly token: string;
}

async function payPageOf(
  { wish, price, user, mayTry, intro }: Order,
  fields: URLSearchParams,
  { method, attempt }: Attempt,
  { request, context, token }: Calling,
): Promise<string> {
  const customId = `${user?.webUserId}-${attempt.slice(0, 8)}`;
  const isTrial = mayTry && wish.wantsTrial;
  const agreedForfeit = fields.get('agreesToForfeit') === 'true' ? String(user?.availableCredits ?? 0) : '0';
  const isPack = price.recurringInterval === null;
  const query = new URLSearchParams({
    priceId: price.priceId,
    unlockedExports: isPack ? String(price.exports ?? 1) : agreedForfeit,
    ...(wish.taskId ? { taskId: wish.taskId, willDownloadAutomatically: 'true' } : {}),
    ...(isPack
      ? {}
      : {
          freeTrialEnabled: String(isTrial),
          emailReminderEnabled: String(fields.get('emailReminderEnabled') === 'true'),
        }),
    ...(intro ? { withIntroPrice: 'true' } : {}),
  });
  const version = new URL(request.url).searchParams.get('version');
  if (version) query.set('version', version);
  const returnUrl = `/checkout/return?${query}`;
  const call = { request, context, token, idempotencyKey: `web-${attempt}` };
  if (isPack) {
    if (method === 'wallet') return walletChargePage(price.amountCents, price.currency, customId, returnUrl);
    const body = { priceId: price.priceId, clientTaskId: wish.taskId, unlockedExports: price.exports ?? 1 };
    const { clientSecret } = await callApi(paymentRoutes.createPaymentIntent, { body }, call);
    return cardPage(clientSecret, returnUrl);
  }
  if (method === 'wallet') {
    const planId = isTrial ? price.paypalPlanId : price.paypalPlanNoFtId;
    if (planId) return walletSubscriptionPage(planId, customId, returnUrl);
  }
  const { clientSecret } = await callApi(paymentRoutes.createSetupIntent, { body: {} }, call);
  return cardPage(clientSecret, returnUrl);
}
