import { randomUUID } from 'node:crypto';
import {
  type IntroPrice,
  inMilliseconds,
  type PlanPrice,
  type SalesFlags,
  type SubscriptionStarted,
  TRIAL_DAYS,
} from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import {
  type BillingAccount,
  type BillingEvent,
  type Subscription,
  UNREAD_SUBSCRIPTION,
} from '../billing-accounts/billing-account.js';
import { type AccountChange, BillingAccounts } from '../billing-accounts/billing-accounts.js';
import { billingStateOf, entitlementsOf, hasOpenInvoice, isOpen } from '../billing-accounts/entitlements.js';
import type { PurchaseOwner } from '../payments/purchases.service.js';
import { isUniqueViolation } from '../platform/database/statements.js';
import { AppError } from '../platform/errors/app-error.js';
import { Offers, requireMayBuy } from '../prices/offers.js';
import { ProviderSync } from '../provider-sync/provider-sync.js';
import { RefusedApprovals } from '../provider-sync/refused-approvals.js';
import { CardProvider, PaymentDeclined, type ProviderName } from '../providers/payment-provider.js';
import { ProviderPrices } from '../providers/provider-prices.js';

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
  ...UNREAD_SUBSCRIPTION,
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
  hasIntro: order.intro !== null,
  currency: order.price.currency,
  forfeitCredits: order.forfeitCredits,
  replacesId,
  createdAt: now,
});

type OrderDecision =
  | { readonly kind: 'create' }
  | { readonly kind: 'existing' | 'pay' | 'void'; readonly subscription: Subscription };

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

export interface OrderTerms {
  /** Fingerprint of the payment method; null when the provider has none. */
  readonly fingerprint: string | null;
  readonly version?: string | null;
}

export interface OrderedSubscription {
  readonly subscription: Subscription;
  /** Its open invoice is to be paid with the order's payment method. */
  readonly paysOpenInvoice: boolean;
}

/** Longer than any call to a provider: a subscription not created by then won't be. */
export const CREATION_TIMEOUT_MS = inMilliseconds.minutes(10);

/** Each attempt sees changes of the previous one at the provider; two concurrent tabs need three. */
export const MAX_ATTEMPTS = 3;

@Injectable()
export class SubscriptionOrders {
  constructor(
    private readonly accounts: BillingAccounts,
    private readonly sync: ProviderSync,
    private readonly offers: Offers,
    private readonly refused: RefusedApprovals,
    private readonly cards: CardProvider,
    private readonly prices: ProviderPrices,
  ) {}

  /**
   * Stores the subscription before the provider is called, so that an interrupted order is found by its row. Voids an
   * incomplete subscription that it replaces.
   * @throws AppError as `decideOrder`
   */
  async place(owner: PurchaseOwner, order: SubscriptionOrder, terms: OrderTerms): Promise<OrderedSubscription> {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      const { kind, subscription } = await this.decide(owner, order, terms);
      if (kind !== 'void') return { subscription, paysOpenInvoice: kind === 'pay' };
      await this.voidIncomplete(subscription);
    }
    throw new AppError('subscriptions.exists');
  }

  private async decide(owner: PurchaseOwner, order: SubscriptionOrder, { fingerprint, version }: OrderTerms) {
    const flags = await this.offers.flagsFor(owner.userId, version);
    const deciding = this.accounts.change<{ kind: OrderDecision['kind']; subscription: Subscription }>(
      owner.userId,
      (account, now) => {
        const decision = decideOrder(account, order, now, flags);
        const { kind } = decision;
        const subscription = kind === 'create' ? newSubscription(owner.userId, order, now) : decision.subscription;
        const { id: subscriptionId } = subscription;
        const events: Record<typeof kind, readonly BillingEvent[]> = {
          create: [{ kind: 'subscription_ordered', subscription, fingerprint }],
          pay: [{ kind: 'subscription_reordered', subscriptionId, forfeitCredits: order.forfeitCredits }],
          existing: [],
          void: [],
        };
        return { events: events[kind], result: { kind, subscription } };
      },
      {
        before: async (manager) => {
          await owner.hold(manager);
          await this.refused.requireNotRefused(manager, order.providerId);
        },
      },
    );
    const { result } = await deciding.catch((error: unknown) => {
      if (isUniqueViolation(error, 'trial_uses_fingerprint_hash_key')) throw new AppError('billing.trial_unavailable');
      if (isUniqueViolation(error, 'subscriptions_provider_provider_id_key')) {
        throw new AppError('subscriptions.not_found');
      }
      throw error;
    });
    return result;
  }

  private async voidIncomplete({ id, providerId }: Subscription): Promise<void> {
    if (!providerId) return;
    await this.sync.change(id, () => this.cards.voidIncompleteSubscription(providerId, `void:${id}`));
  }

  /** @throws PaymentDeclined only for one that replaces another: a first charge can be paid with another card */
  async create(subscription: Subscription): Promise<AccountChange<Subscription> | null> {
    const { id, customerId, paymentMethodId, priceId, introPriceId, asksTrial, replacesId } = subscription;
    if (!customerId) throw new Error(`a subscription by card without a customer: ${id}`);
    const order = {
      customerId,
      paymentMethodId,
      priceId: this.prices.idOf(priceId),
      introPriceId: introPriceId && this.prices.idOf(introPriceId),
      trialDays: asksTrial ? TRIAL_DAYS : null,
      reference: id,
      failIfUnpaid: replacesId !== null,
      key: `subscribe:${id}`,
    };
    return this.sync.change(id, () =>
      this.cards.createSubscription(order).catch(async (error: unknown) => {
        if (error instanceof PaymentDeclined) await this.abandon(id);
        throw error;
      }),
    );
  }

  /** Idempotent by period and card. The provider charges an invoice once anyway. */
  async payOpenInvoice(
    { id, providerId, currentPeriodStart }: Subscription,
    paymentMethodId: string,
  ): Promise<AccountChange<Subscription> | null> {
    if (!providerId) throw new Error(`no invoice of a subscription that the provider has not created: ${id}`);
    const key = `pay:${id}:${currentPeriodStart?.toISOString()}:${paymentMethodId}`;
    return this.sync.change(id, () => this.cards.payOpenInvoice({ subscriptionId: providerId, paymentMethodId, key }));
  }

  /** Charges an incomplete subscription once more, with the card of its order. Idempotent. */
  async retryFirstCharge({ id, providerId, paymentMethodId }: Subscription): Promise<void> {
    if (!providerId || !paymentMethodId) return;
    const payment = { subscriptionId: providerId, paymentMethodId, key: `retry:${id}` };
    await this.sync.change(id, () => this.cards.payOpenInvoice(payment));
  }

  /**
   * Gives up a pending subscription; if the provider has created it after all, the next reading corrects this.
   * @returns false for one without owner
   */
  async abandon(subscriptionId: string): Promise<boolean> {
    const owned = await this.accounts.changeOwningAccount('subscriptions', subscriptionId, (_account, at) => ({
      events: [{ kind: 'subscription_abandoned', subscriptionId, at }],
      result: null,
    }));
    return owned !== null;
  }
}

/** @throws AppError `subscriptions.not_found` without owner or provider id */
export function presentStarted(change: AccountChange<Subscription> | null): SubscriptionStarted {
  const { status, providerId } = change?.result ?? { status: null, providerId: null };
  if (!status || !providerId || status === 'pending' || status === 'abandoned') {
    throw new AppError('subscriptions.not_found');
  }
  return { status, subscriptionId: providerId };
}
