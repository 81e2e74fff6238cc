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
import type { OrderView, PhotoView } from './order';
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
  // Another purchase may have changed the number since.
  const hasAgreedToForfeit = view.forfeits > 0 && searchParams.get(FORFEIT_PARAMETER) === String(view.forfeits);
  const problem = problemInAddress(searchParams.get('problem'));
  return {
    order: { ...view, hasAgreedToForfeit, receiptEmail, photo: task && photoOf(task, context) },
    problem,
    title: t('checkout.title'),
  };
}

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

function viewOf(
  order: Order,
  terms: Terms,
  decision: Allowed,
  { language, wantsReminder, runningEnd }: ViewOptions,
): Omit<OrderView, 'receiptEmail' | 'photo' | 'hasAgreedToForfeit'> {
  const { fields, price, settings } = order;
  const { isTrialEligible, isTrial, intro } = terms;
  const known = priceOf(price.id);
  const amount = formatPrice(price.amountCents, price.currency);
  const shared = {
    priceId: price.priceId,
    price: amount,
    hasWallet: decision.providers.includes('paypal'),
    cardForm: settings.payments.stripe && {
      ...settings.payments.stripe,
      mode: known?.kind === 'pack' ? ('payment' as const) : ('setup' as const),
      amountCents: price.amountCents,
      currency: price.currency,
    },
    walletForm: settings.payments.paypal && {
      ...settings.payments.paypal,
      intent: known?.kind === 'pack' ? ('capture' as const) : ('subscription' as const),
      amountCents: price.amountCents,
      currency: price.currency,
    },
    withoutIntro: fields.withoutIntro,
    withIntro: intro !== null,
    taskId: fields.taskId,
    captchaAction: checkoutRoutes.createCheckout.path,
    asksForEmail: questionsOf(order).asksForEmail,
    attempt: randomUUID(),
  };
  if (known?.kind === 'pack') {
    return {
      ...shared,
      item: {
        kind: 'pack',
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
    item: { kind: 'plan', plan: known.plan, period: known.period },
    contents: comparedContents(settings, known.plan, known.period),
    dueNow: formatPrice(isTrial ? 0 : (intro?.amountCents ?? price.amountCents), price.currency),
    next: { price: amount, date: shortDate(runningEnd ?? new Date(Date.now() + firstPeriodMs), language) },
    trial: {
      isOffered: isTrialEligible,
      isChosen: isTrial,
      hasReminder: !settings.disableEmailReminder,
      days: isTrial ? trialDaysFrom(new Date(), language, settings) : null,
      exports: allowedExportsOf(known, true),
      wantsReminder,
    },
    forfeits: decision.forfeitCredits,
  };
}

/** 'Nov 28'; with the year when it isn't the current one. */
function shortDate(date: Date, language: string): string {
  const isThisYear = date.getUTCFullYear() === new Date().getUTCFullYear();
  return dateFormat(language, { month: 'short', day: 'numeric', ...(!isThisYear && { year: 'numeric' }) })(date);
}

/** The newest result that is no preview: what is paid for. */
export function photoOf({ input, result }: Task, { settings }: AppLoadContext): PhotoView | null {
  const output = result.outputs.find(({ isPreview }) => !isPreview);
  if (!output?.display) return null;
  const { url, thumbnailUrl, width, height } = output.display;
  return {
    url: browserAddress(url, settings),
    thumbnailUrl: browserAddress(thumbnailUrl, settings),
    display: { width, height },
    fileName: input.fileName,
    size: { width: output.width, height: output.height },
  };
}
