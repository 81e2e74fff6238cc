import { randomUUID } from 'node:crypto';
import type { IntroPrice, PlanPrice, SalesFlags } from '@clearframe/contract';
import type { BillingAccount, Subscription } from '../billing-accounts/billing-account.js';
import { billingStateOf, entitlementsOf, hasOpenInvoice, isOpen } from '../billing-accounts/entitlements.js';
import { AppError } from '../platform/errors/app-error.js';
import { requireMayBuy } from '../prices/purchase-rules.js';
import type { ProviderName } from '../providers/payment-provider.js';

export interface SubscriptionOrder {
  readonly provider: ProviderName;
  readonly providerId: string | null;
  readonly customerId: string | null;
  readonly price: PlanPrice;
  readonly intro: IntroPrice | null;
  readonly paymentMethodId: string | null;
  readonly trial: boolean;
  readonly forfeitCredits: number;
}

export const newSubscription = (
  userId: string,
  order: SubscriptionOrder,
  now: Date,
  replacesId: string | null = null,
): Subscription => ({
  id: randomUUID(),
  userId,
  provider: order.provider,
  providerId: order.providerId,
  customerId: order.customerId,
  priceId: order.price.id,
  introPriceId: order.intro?.id ?? null,
  paymentMethodId: order.paymentMethodId,
  asksTrial: order.trial,
  status: 'pending',
  currentPeriodStart: null,
  currentPeriodEnd: null,
  trialEnd: null,
  cancelAtPeriodEnd: false,
  canceledAt: null,
  endedAt: null,
  hasIntro: order.intro !== null,
  paidCents: 0,
  currency: order.price.currency,
  isDisputed: false,
  forfeitCredits: order.forfeitCredits,
  forfeitedAt: null,
  replacesId,
  supersededAt: null,
  previewedAt: null,
  readNo: 0,
  createdAt: now,
});

export type OrderDecision =
  | { readonly kind: 'create' }
  | { readonly kind: 'existing'; readonly subscription: Subscription }
  | { readonly kind: 'pay'; readonly subscription: Subscription }
  | { readonly kind: 'void'; readonly subscription: Subscription };

/**
 * @throws AppError of `mayBuy`; `subscriptions.exists` when the order would replace the running subscription, which
 * takes an upgrade
 */
export function decideOrder(
  account: BillingAccount,
  order: SubscriptionOrder,
  now: Date,
  flags: SalesFlags,
): OrderDecision {
  if (entitlementsOf(billingStateOf(account), now).running?.provider === 'mobile') {
    throw new AppError('subscriptions.managed_elsewhere');
  }
  const open = account.subscriptions.filter(
    (subscription) => subscription.provider !== 'mobile' && isOpen(subscription),
  );
  const same = open.find((subscription) => isRepeated(subscription, order));
  if (same && !paysOpenInvoice(same, order)) return { kind: 'existing', subscription: same };
  if (!same && !open.every(isVoidable)) throw new AppError('subscriptions.exists');
  const { kind } = requireMayBuy(account, false, now, {
    price: order.price,
    introPrice: order.intro,
    flags,
    trial: order.trial,
    provider: order.provider,
    forfeitCredits: order.forfeitCredits,
  });
  if (kind === 'retry' && same) return { kind: 'pay', subscription: same };
  if (kind !== 'subscribe') throw new AppError('subscriptions.exists');
  const [voided] = open;
  return voided ? { kind: 'void', subscription: voided } : { kind: 'create' };
}

/**
 * In the wallet every approval creates a subscription; by card the same price is the same order, unless a first charge
 * is outstanding and would now differ.
 */
function isRepeated(subscription: Subscription, order: SubscriptionOrder): boolean {
  if (subscription.provider !== order.provider) return false;
  if (order.providerId) return subscription.providerId === order.providerId;
  if (subscription.priceId !== order.price.id) return false;
  const isSameFirstCharge =
    subscription.introPriceId === (order.intro?.id ?? null) && subscription.asksTrial === order.trial;
  return isSameFirstCharge || !isVoidable(subscription);
}

/** Whether the order pays an open invoice with another card than the declined one. */
const paysOpenInvoice = (subscription: Subscription, { paymentMethodId }: SubscriptionOrder): boolean =>
  hasOpenInvoice(subscription) && paymentMethodId !== null && paymentMethodId !== subscription.paymentMethodId;

/** Its first charge, by card, is outstanding: the wallet's are made with the approval. */
const isVoidable = ({ providerId, status }: Subscription): boolean => providerId !== null && status === 'incomplete';
