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
import { preserveVersionParam } from '../../http/internal-address';
import { throwPageFor } from '../../http/problem.server';
import { fetchMe } from '../../session/me.server';
import { resultAddress } from '../../session/task-addresses';
import type { Exchange } from '../../session/visitor.server';
import { buyerOf } from '../plans/buyer.server';
import { type CheckoutQuestions, type OrderFields, parseOrder } from './checkout-form';
import { readPrice } from './price.server';

export interface Order {
  readonly fields: OrderFields;
  readonly price: Price;
  readonly settings: Settings;
  readonly user: User | null;
  readonly question: PurchaseRequest;
}

/**
 * @param source the checkout's query, or its form
 * @throws Response the page of an impossible order
 */
export async function readOrder(source: URLSearchParams, exchange: Exchange): Promise<Order> {
  const { context } = exchange;
  const parsed = parseOrder(source);
  if (parsed.status !== 'success') return throwPageFor('request.invalid', context);
  const fields = parsed.value;
  const user = await fetchMe(exchange);
  const { price, settings } = await readPrice(fields.priceId, exchange);
  const question: PurchaseRequest = {
    buyer: await buyerOf(user, context),
    price: priceOf(price.id),
    isCountryBlocked: settings.isPurchaseBlocked,
    flags: settings,
    isForTask: fields.taskId !== null,
  };
  return { fields, price, settings, user, question };
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
