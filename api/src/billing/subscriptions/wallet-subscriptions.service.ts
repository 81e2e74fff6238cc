import { priceOf, type SubscriptionStarted } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import type { Caller } from '../../identity/caller/caller.js';
import { SessionService } from '../../identity/sessions/session.service.js';
import { AppError } from '../../platform/errors/app-error.js';
import type { AccountChange } from '../account/billing-accounts.js';
import type { Subscription } from '../account/state/billing-account.js';
import { requireLogin } from '../catalogue/offers.js';
import { ProviderPrices, type SubscriptionSnapshot, WalletProvider } from '../providers/port/payment-provider.js';
import { mapProviderErrors } from '../providers/port/provider-errors.js';
import { CheckoutRepository } from '../purchases/checkout.repository.js';
import { ownerOf, type PurchaseOwner } from '../purchases/purchase-owner.js';
import { ProviderSync } from '../sync/provider-sync.js';
import { RefusedApprovals } from '../sync/refused-approvals.js';
import type { SubscriptionOrder } from './subscription-order.js';
import { SubscriptionOrders, started } from './subscription-orders.js';

interface WalletRequest {
  readonly subscriptionId: string;
  readonly unlockedExports: number;
  readonly version?: string | null;
}

/** With another subscription running or no trial left, an approval can't be fulfilled later either. */
const FINAL_REFUSALS = ['subscriptions.exists', 'billing.trial_unavailable'];

/** Fulfills subscriptions that the payer approved in the wallet. */
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

  /** An approval that can never be fulfilled is refused, ended and refunded. */
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
    return started(await fulfilling);
  }

  /**
   * Records a subscription that runs in the wallet. Idempotent.
   * @throws AppError as `decideOrder`, or with the reason of an earlier refusal
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
   * @throws AppError `subscriptions.not_found` for one that is unknown, not running, or another user's; the reason for
   *   one that was refused
   */
  async readOwn(caller: Caller, providerId: string): Promise<SubscriptionSnapshot> {
    const snapshot = await mapProviderErrors(this.wallet.readSubscription(providerId));
    if (!snapshot || !(await this.checkouts.isOwn(snapshot.reference, caller))) {
      throw new AppError('subscriptions.not_found');
    }
    if (snapshot.status === 'active' || snapshot.status === 'trialing') return snapshot;
    throw new AppError((await this.refused.reasonOf(providerId)) ?? 'payments.declined');
  }

  /** @throws AppError `prices.not_for_sale` for a plan that isn't in the catalogue or no longer sold */
  orderOf(snapshot: SubscriptionSnapshot, forfeitCredits: number): SubscriptionOrder {
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
}
