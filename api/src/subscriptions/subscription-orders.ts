import { inMilliseconds, type SubscriptionStarted, TRIAL_DAYS } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import type { Subscription } from '../billing-accounts/billing-account.js';
import { type AccountChange, BillingAccounts } from '../billing-accounts/billing-accounts.js';
import type { PurchaseOwner } from '../payments/purchase-owner.js';
import { isUniqueViolation } from '../platform/database/statements.js';
import { AppError } from '../platform/errors/app-error.js';
import { PurchaseRules } from '../prices/purchase-rules.js';
import { ProviderSync } from '../provider-sync/provider-sync.js';
import { RefusedApprovals } from '../provider-sync/refused-approvals.js';
import { CardProvider } from '../providers/card-provider.js';
import { PaymentDeclined } from '../providers/provider-errors.js';
import { ProviderPrices } from '../providers/provider-prices.js';
import { decideOrder, newSubscription, type OrderDecision, type SubscriptionOrder } from './subscription-order.js';

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
    private readonly rules: PurchaseRules,
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
    const flags = await this.rules.flagsFor(owner.userId, version);
    const deciding = this.accounts.change<{ kind: OrderDecision['kind']; subscription: Subscription }>(
      owner.userId,
      (account, now) => {
        const decision = decideOrder(account, order, now, flags);
        switch (decision.kind) {
          case 'create': {
            const subscription = newSubscription(owner.userId, order, now);
            const result = { kind: decision.kind, subscription };
            return { events: [{ kind: 'subscription_ordered', subscription, fingerprint }], result };
          }
          case 'pay': {
            const { forfeitCredits } = order;
            const subscriptionId = decision.subscription.id;
            return { events: [{ kind: 'subscription_reordered', subscriptionId, forfeitCredits }], result: decision };
          }
          default:
            return { events: [], result: decision };
        }
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
