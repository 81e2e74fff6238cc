import {
  type IntroPrice,
  introPriceOf,
  mayBuy,
  type Price,
  type PurchaseDecision,
  type PurchaseRequest,
  priceOf,
  type Settings,
  type User,
} from '@clearframe/contract';
import { asApiError, throwProblemPage } from '../../../http/problem.server';
import { loadMe } from '../../../session/me.server';
import type { Exchange } from '../../../session/visitor.server';
import { readPrice } from '../payment/price.server';
import { buyerOf } from '../plans/buyer.server';
import type { CheckoutQuestions } from './checkout-form';

/** What an address or a form says about an order. */
export interface Wish {
  readonly priceId: string;
  readonly taskId: string | null;
  readonly wantsTrial: boolean;
  /** The intro offer was refused before. */
  readonly withoutIntro: boolean;
}

export const wishIn = (fields: URLSearchParams): Wish => ({
  priceId: fields.get('priceId') ?? '',
  taskId: fields.get('taskId') || null,
  wantsTrial: fields.get('freeTrialEnabled') === 'true',
  withoutIntro: fields.get('withoutIntro') === 'true',
});

/** Everything about an order that the page and the payment need. */
export interface Order {
  readonly wish: Wish;
  readonly price: Price;
  readonly settings: Settings;
  readonly user: User | null;
  readonly question: PurchaseRequest;
}

export async function readOrder(wish: Wish, exchange: Exchange): Promise<Order> {
  const { request, context, headers } = exchange;
  const user = await loadMe(request, context, headers);
  try {
    const { price, settings } = await readPrice(wish.priceId, exchange);
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
export interface Terms {
  readonly decision: PurchaseDecision;
  readonly mayTry: boolean;
  readonly isTrial: boolean;
  /** What is paid first instead of the price, or null. */
  readonly intro: IntroPrice | null;
}

export function termsOf({ wish, question }: Order): Terms {
  const { price } = question;
  const isPlan = price?.kind === 'plan';
  const mayTry = isPlan && mayBuy({ ...question, trial: true }).isAllowed;
  const isTrial = mayTry && wish.wantsTrial;
  const offered = isPlan && !isTrial && !wish.withoutIntro ? introPriceOf(price.id) : undefined;
  const intro = offered && mayBuy({ ...question, introPrice: offered }).isAllowed ? offered : null;
  return { decision: mayBuy({ ...question, trial: isTrial, introPrice: intro }), mayTry, isTrial, intro };
}

/** Guests buy one picture; members get receipts at their account's address. */
const isGuestsPicture = ({ wish, user }: Pick<Order, 'wish' | 'user'>): boolean =>
  wish.taskId !== null && (user?.isGuest ?? true);

/** What the form of this order asks. */
export function questionsOf(order: Order): CheckoutQuestions {
  const { decision } = termsOf(order);
  return {
    asksForEmail: isGuestsPicture(order),
    asksForForfeit: decision.isAllowed && order.question.price?.kind === 'plan' && decision.forfeitCredits > 0,
  };
}
