import { randomUUID } from 'node:crypto';
import {
  allowedExportsOf,
  centsEach,
  checkoutRoutes,
  dateFormat,
  formatPrice,
  type PurchaseDecision,
  priceOf,
  subscriptionRoutes,
  type Task,
  TRIAL_DAYS,
} from '@clearframe/contract';
import { type AppLoadContext, type LoaderFunctionArgs, redirect } from '@remix-run/node';
import { seeOther } from '../../http/answer.server';
import { ApiError, callApi } from '../../http/api.server';
import { browserAddress } from '../../http/api-addresses.server';
import { plainFields } from '../../http/form.server';
import { languageOf, translatorFor } from '../../i18n/i18n.server';
import { asMember } from '../../session/visitor.server';
import { comparedContents } from '../plans/plan-contents.server';
import { isPaidFor, readTaskToBuy } from '../plans/task-to-buy.server';
import { trialDaysFrom } from '../plans/trial-days.server';
import { FORFEIT_PARAMETER } from './forfeit-address';
import {
  isSinglePhoto,
  type Order,
  paidPhotoAddress,
  questionsOf,
  readOrder,
  type Terms,
  termsOf,
} from './order.server';
import { receiptCookie } from './receipt-cookie.server';
import { problemInAddress, throwRefusalPage } from './refusals.server';
import { REMINDER_FIELD } from './return-parameters';

const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;

export async function loadCheckout({ request, context }: LoaderFunctionArgs) {
  const { search, searchParams } = new URL(request.url);
  const order = await readOrder(plainFields(search), { request, context });
  const task = await readTaskToBuy(order.fields.taskId, { request, context });
  if (isPaidFor(task) && isSinglePhoto(order)) {
    throw redirect(paidPhotoAddress(order.fields.taskId, search), 303);
  }
  const terms = termsOf(order);
  const { decision } = terms;
  if (!decision.isAllowed) {
    const refusal = ApiError.of(decision.code, context.requestId);
    return throwRefusalPage(refusal, order.question, { request, context });
  }
  if (decision.kind === 'upgrade' || decision.kind === 'change_period') {
    const query = new URLSearchParams({ priceId: order.price.priceId });
    throw seeOther(`/upgrade/confirm?${query}`, request);
  }
  const [language, t, receiptEmail, runningEnd] = await Promise.all([
    languageOf(request),
    translatorFor(request, 'tiers'),
    receiptCookie.read(request, context),
    decision.kind === 'retry' ? readPeriodEnd(request, context) : null,
  ]);
  const wantsReminder = searchParams.get(REMINDER_FIELD) !== 'false';
  const view = viewOf(order, terms, decision, { language, wantsReminder, runningEnd });
  return {
    order: {
      ...view,
      // Another purchase may have changed the number since.
      hasAgreedToForfeit: view.forfeits > 0 && searchParams.get(FORFEIT_PARAMETER) === String(view.forfeits),
      /** Entered before a payment that didn't succeed. */
      receiptEmail,
      /** Null without a photo, and when it can't be shown. */
      photo: task && photoOf(task, context),
    },
    problem: problemInAddress(searchParams.get('problem')),
    title: t('checkout.title'),
  };
}

export type OrderView = Awaited<ReturnType<typeof loadCheckout>>['order'];
export type CardFormView = NonNullable<OrderView['cardForm']>;
export type WalletFormView = NonNullable<OrderView['walletForm']>;
export type PhotoView = NonNullable<OrderView['photo']>;

/** End of the period whose open invoice is paid. Paying late doesn't move it. Null when the provider is unavailable. */
async function readPeriodEnd(request: Request, context: AppLoadContext): Promise<Date | null> {
  const input = { params: { provider: 'stripe' }, query: {} } as const;
  try {
    const { currentPeriodEnd } = await asMember(request, context, (token) =>
      callApi(subscriptionRoutes.getSubscription, input, { request, context, token }),
    );
    const end = currentPeriodEnd ? new Date(currentPeriodEnd) : null;
    return end && end.getTime() > Date.now() ? end : null;
  } catch (error) {
    request.signal.throwIfAborted();
    if (!(error instanceof ApiError)) throw error;
    context.logger.warn({ code: error.code }, 'could not read the subscription to pay');
    return null;
  }
}

interface ViewOptions {
  readonly language: string;
  readonly wantsReminder: boolean;
  /** Null for a new subscription. */
  readonly runningEnd: Date | null;
}

type Allowed = Extract<PurchaseDecision, { isAllowed: true }>;

function viewOf(order: Order, terms: Terms, decision: Allowed, { language, wantsReminder, runningEnd }: ViewOptions) {
  const { fields, price, settings } = order;
  const { isTrialEligible, isTrial, intro } = terms;
  const known = priceOf(price.id);
  const amount = formatPrice(price.amountCents, price.currency);
  const isPack = known?.kind === 'pack';
  const shared = {
    priceId: price.priceId,
    price: amount,
    hasWallet: decision.providers.includes('paypal'),
    /** Null: cards are entered on the provider's page. */
    cardForm: settings.payments.stripe && {
      ...settings.payments.stripe,
      mode: isPack ? ('payment' as const) : ('setup' as const),
      amountCents: price.amountCents,
      currency: price.currency,
    },
    /** Null: payments by wallet are approved on its page. */
    walletForm: settings.payments.paypal && {
      ...settings.payments.paypal,
      intent: isPack ? ('capture' as const) : ('subscription' as const),
      amountCents: price.amountCents,
      currency: price.currency,
    },
    withoutIntro: fields.withoutIntro,
    /** The intro price is paid first. */
    withIntro: intro !== null,
    taskId: fields.taskId,
    /** Path of the route that the form calls. */
    captchaAction: checkoutRoutes.createCheckout.path,
    /** A guest may enter an email for the receipt and a link to the photo. */
    asksForEmail: questionsOf(order).asksForEmail,
    attempt: randomUUID(),
  };
  if (known?.kind === 'pack') {
    return {
      ...shared,
      item: {
        kind: 'pack' as const,
        pack: known.pack,
        exports: known.exports,
        priceEach: formatPrice(centsEach(known), known.currency),
      },
      contents: null,
      dueNow: amount,
      next: null,
      trial: { isOffered: false, isChosen: false, hasReminder: false, days: null, exports: null, wantsReminder },
      forfeits: 0,
    };
  }
  if (known?.kind !== 'plan') throw new Error(`${price.id} can't be bought`);
  const firstPeriodMs = isTrial ? TRIAL_DAYS * DAY_MS : (price.recurringIntervalCount ?? 1) * WEEK_MS;
  return {
    ...shared,
    item: { kind: 'plan' as const, plan: known.plan, period: known.period },
    contents: comparedContents(settings, known.plan, known.period),
    dueNow: formatPrice(isTrial ? 0 : (intro?.amountCents ?? price.amountCents), price.currency),
    /** The next charge; null for one-time payments. */
    next: { price: amount, date: shortDate(runningEnd ?? new Date(Date.now() + firstPeriodMs), language) },
    trial: {
      isOffered: isTrialEligible,
      isChosen: isTrial,
      hasReminder: !settings.disableEmailReminder,
      days: isTrial ? trialDaysFrom(new Date(), language, settings) : null,
      exports: allowedExportsOf(known, true),
      wantsReminder,
    },
    /** Downloads lost by subscribing. */
    forfeits: decision.forfeitCredits,
  };
}

/** 'Nov 28'; with the year when it isn't the current one. */
function shortDate(date: Date, language: string): string {
  const isThisYear = date.getUTCFullYear() === new Date().getUTCFullYear();
  return dateFormat(language, { month: 'short', day: 'numeric', ...(!isThisYear && { year: 'numeric' }) })(date);
}

/** The newest result that is no preview: what is paid for. */
export function photoOf({ input, result }: Task, { settings }: AppLoadContext) {
  const output = result.outputs.find(({ isPreview }) => !isPreview);
  if (!output?.display) return null;
  const { url, thumbnailUrl, width, height } = output.display;
  return {
    /** Display file; signed and short-lived. */
    url: browserAddress(url, settings),
    thumbnailUrl: browserAddress(thumbnailUrl, settings),
    display: { width, height },
    fileName: input.fileName,
    /** Of the file to download, in pixels. */
    size: { width: output.width, height: output.height },
  };
}
