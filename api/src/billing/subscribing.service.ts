import { priceOf, type SubscriptionStarted, TRIAL_DAYS } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import type { Caller } from '../identity/caller.js';
import { SessionService } from '../identity/session.service.js';
import { AppError } from '../platform/errors/app-error.js';
import type { Subscription } from './account/billing-account.js';
import { BillingAccounts, type Changed } from './billing-accounts.js';
import { CustomersService } from './customers.service.js';
import { Offers, requireLogin } from './offers.js';
import {
  CardProvider,
  PaymentDeclined,
  ProviderPrices,
  type SubscriptionSnapshot,
  WalletProvider,
} from './payment-provider.js';
import { asking, isTaken } from './provider-errors.js';
import { ProviderSync } from './provider-sync.js';
import { isReferenceOf } from './reference.js';
import { acceptSubscription, newSubscription, type SubscriptionOrder } from './subscription-order.js';

interface CardOrder {
  readonly paymentMethodId: string;
  readonly priceId: string;
  readonly trial: boolean;
  readonly unlockedExports: number;
  readonly introPriceId?: string | null;
}

interface WalletOrder {
  readonly subscriptionId: string;
  readonly unlockedExports: number;
}

/** Beginning a subscription. */
@Injectable()
export class SubscribingService {
  constructor(
    private readonly accounts: BillingAccounts,
    private readonly sync: ProviderSync,
    private readonly offers: Offers,
    private readonly customers: CustomersService,
    private readonly cards: CardProvider,
    private readonly wallet: WalletProvider,
    private readonly prices: ProviderPrices,
    private readonly sessions: SessionService,
  ) {}

  async byCard(caller: Caller, body: CardOrder): Promise<SubscriptionStarted> {
    requireLogin(caller);
    const price = this.offers.plan(body.priceId);
    const intro = this.offers.intro(body.introPriceId, price);
    if (intro && body.trial) throw new AppError('billing.intro_unavailable');
    const customerId = await this.customers.ensure(caller.userId);
    const method = await asking(this.cards.readPaymentMethod(body.paymentMethodId));
    if (method?.customerId !== customerId) throw new AppError('payments.method_not_usable');
    const order: SubscriptionOrder = {
      provider: 'stripe',
      providerId: null,
      customerId,
      price,
      intro,
      paymentMethodId: method.id,
      trial: body.trial,
      forfeitCredits: body.unlockedExports,
    };
    const subscription = await this.order(caller, order, method.fingerprint);
    return started(
      subscription.providerId ? await this.sync.subscription(subscription.id) : await this.create(subscription),
    );
  }

  /** The row is there before the provider is asked: whatever breaks off from here on is found by it. */
  private async order(caller: Caller, order: SubscriptionOrder, fingerprint: string | null): Promise<Subscription> {
    const ordering = this.accounts.change<Subscription>(
      caller.userId,
      (account, now) => {
        const existing = acceptSubscription(account, order, now);
        if (existing) return { events: [], result: existing };
        const subscription = newSubscription(caller.userId, order, now);
        return { events: [{ kind: 'subscription_ordered', subscription, fingerprint }], result: subscription };
      },
      { before: (manager) => this.sessions.hold(manager, caller) },
    );
    const { result } = await ordering.catch((error: unknown) => {
      if (isTaken(error, 'trial_uses_fingerprint_key')) throw new AppError('billing.trial_unavailable');
      if (isTaken(error, 'subscriptions_provider_provider_id_key')) throw new AppError('subscriptions.not_found');
      throw error;
    });
    return result;
  }

  /** The same row makes the same call with the same key, however often: a second click gets the first one's answer. */
  async create(subscription: Subscription, failIfUnpaid = false): Promise<Changed<Subscription> | null> {
    const { id, customerId, paymentMethodId, priceId, introPriceId, asksTrial } = subscription;
    if (!customerId) throw new Error(`a subscription by card without a customer: ${id}`);
    const readNo = await this.sync.beginReading();
    const creating = this.cards.createSubscription({
      customerId,
      paymentMethodId,
      priceId: this.prices.idOf(priceId),
      introPriceId: introPriceId && this.prices.idOf(introPriceId),
      trialDays: asksTrial ? TRIAL_DAYS : null,
      reference: id,
      failIfUnpaid,
      key: `subscribe:${id}`,
    });
    const snapshot = await asking(
      creating.catch(async (error: unknown) => {
        if (error instanceof PaymentDeclined) await this.abandon(id);
        throw error;
      }),
    );
    return this.sync.applySubscription(id, snapshot, readNo);
  }

  private abandon(subscriptionId: string): Promise<unknown> {
    return this.accounts.changeOwner('subscriptions', subscriptionId, (_account, at) => ({
      events: [{ kind: 'subscription_abandoned', subscriptionId, at }],
      result: null,
    }));
  }

  /** The payer has made it in the wallet already; here it is looked at and, if all is well, taken on. */
  async byWallet(caller: Caller, { subscriptionId, unlockedExports }: WalletOrder): Promise<SubscriptionStarted> {
    requireLogin(caller);
    const snapshot = await this.readOwn(caller, subscriptionId);
    const order = this.walletOrder(snapshot, unlockedExports);
    const subscription = await this.order(caller, order, snapshot.fingerprint).catch(async (error: unknown) => {
      // With another one running or no trial left it can never be taken on; with credits to lose, it still can.
      const isHopeless =
        error instanceof AppError && ['subscriptions.exists', 'billing.trial_unavailable'].includes(error.code);
      if (isHopeless) await this.sendBack(snapshot);
      throw error;
    });
    return started(await this.sync.subscription(subscription.id));
  }

  /** @throws AppError `subscriptions.not_found` for one that is none, not running, or somebody else's */
  async readOwn(caller: Caller, providerId: string): Promise<SubscriptionSnapshot> {
    const snapshot = await asking(this.wallet.readSubscription(providerId));
    const isMine = snapshot && isReferenceOf(snapshot.reference, caller);
    if (!isMine) throw new AppError('subscriptions.not_found');
    if (snapshot.status !== 'active' && snapshot.status !== 'trialing') throw new AppError('payments.declined');
    return snapshot;
  }

  /** @throws AppError `prices.not_for_sale` for a plan that is not, or no longer, ours */
  walletOrder(snapshot: SubscriptionSnapshot, forfeitCredits: number): SubscriptionOrder {
    const name = this.prices.priceOf(snapshot.priceId);
    const price = name === undefined ? undefined : priceOf(name);
    if (price?.kind !== 'plan' || price.isDeprecated) throw new AppError('prices.not_for_sale');
    return {
      provider: 'paypal',
      providerId: snapshot.id,
      customerId: null,
      price,
      intro: null,
      paymentMethodId: null,
      trial: snapshot.trialEnd !== null,
      forfeitCredits,
    };
  }

  /** Ends a subscription of the wallet that nobody here has any use for, and gives back what it took. */
  async sendBack({ id, paidCents }: SubscriptionSnapshot): Promise<void> {
    await asking(this.wallet.endSubscription(id, `send-back:${id}`));
    if (paidCents > 0) await asking(this.wallet.refundSubscription(id, paidCents, `send-back:${id}:refund`));
  }
}

/** @throws AppError `subscriptions.not_found` when nobody owns it any more */
export function started(changed: Changed<Subscription> | null): SubscriptionStarted {
  const { status, providerId } = changed?.result ?? { status: null, providerId: null };
  if (!status || !providerId || status === 'pending' || status === 'abandoned') {
    throw new AppError('subscriptions.not_found');
  }
  return { status, subscriptionId: providerId };
}
