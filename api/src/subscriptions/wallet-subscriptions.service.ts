import type { SubscriptionStarted } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import type { Subscription } from '../billing-accounts/billing-account.js';
import type { AccountChange } from '../billing-accounts/billing-accounts.js';
import { CheckoutRepository } from '../payments/checkout.repository.js';
import { ownerOf, type PurchaseOwner } from '../payments/purchases.service.js';
import { AppError } from '../platform/errors/app-error.js';
import { requireLogin } from '../prices/offers.js';
import { ProviderSync } from '../provider-sync/provider-sync.js';
import { RefusedApprovals } from '../provider-sync/refused-approvals.js';
import { type SubscriptionSnapshot, WalletProvider } from '../providers/payment-provider.js';
import { ProviderPrices } from '../providers/provider-prices.js';
import type { Caller } from '../sessions/caller.js';
import { SessionService } from '../sessions/session.service.js';
import { presentStarted, type SubscriptionOrder, SubscriptionOrders } from './subscription-orders.js';

interface WalletRequest {
  readonly subscriptionId: string;
  readonly unlockedExports: number;
  readonly version?: string | null;
}

const FINAL_REFUSALS = ['subscriptions.exists', 'billing.trial_unavailable'];

@Injectable()
export class WalletSubscriptionsService {
  constructor(
    private readonly orders: SubscriptionOrders,
    private readonly sync: ProviderSync,
    private readonly checkouts: CheckoutRepository,
    private readonly refused: RefusedApprovals,
    private readonly wallet: WalletProvider,
    private readonly prices: ProviderPrices,
    private readonly sessions: SessionService,
  ) {}

  /** Approvals that can never be fulfilled are refused, ended and refunded. */
  async subscribe(
    caller: Caller,
    { subscriptionId, unlockedExports, version }: WalletRequest,
  ): Promise<SubscriptionStarted> {
    requireLogin(caller);
    const snapshot = await this.readOwn(caller, subscriptionId);
    const terms = { unlockedExports, version };
    const fulfilling = this.fulfill(ownerOf(caller, this.sessions), snapshot, terms).catch(async (error: unknown) => {
      if (error instanceof AppError && FINAL_REFUSALS.includes(error.code)) {
        await this.refused.refuseSubscription(caller.userId, snapshot, error.code);
      }
      throw error;
    });
    return presentStarted(await fulfilling);
  }

  /**
   * Idempotent.
   * @throws AppError as `decideOrder`, or the reason of an earlier refusal
   */
  async fulfill(
    owner: PurchaseOwner,
    snapshot: SubscriptionSnapshot,
    { unlockedExports, version }: Omit<WalletRequest, 'subscriptionId'>,
  ): Promise<AccountChange<Subscription> | null> {
    const order = this.orderOf(snapshot, unlockedExports);
    const { fingerprint } = snapshot;
    const { subscription } = await this.orders.place(owner, order, { fingerprint, version });
    return this.sync.subscription(subscription.id);
  }

  /**
   * @throws AppError `subscriptions.not_found` for an unknown, inactive or another user's subscription; the reason of a
   * refusal
   */
  async readOwn(caller: Caller, providerId: string): Promise<SubscriptionSnapshot> {
    const snapshot = await this.wallet.readSubscription(providerId);
    if (!snapshot || !(await this.checkouts.isOwn(snapshot.reference, caller))) {
      throw new AppError('subscriptions.not_found');
    }
    if (snapshot.status === 'active' || snapshot.status === 'trialing') return snapshot;
    throw new AppError((await this.refused.reasonOf(providerId)) ?? 'payments.declined');
  }

  /** @throws AppError `prices.not_for_sale` for an unknown or former plan */
  orderOf(snapshot: SubscriptionSnapshot, forfeitCredits: number): SubscriptionOrder {
    const price = this.prices.findPrice(snapshot.priceId);
    if (price?.kind !== 'plan' || price.isDeprecated) throw new AppError('prices.not_for_sale');
    return {
      provider: this.wallet.name,
      providerId: snapshot.id,
      customerId: null,
      price,
      intro: null,
      paymentMethodId: null,
      trial: snapshot.trialEnd !== null,
      forfeitCredits,
    };
  }
}
