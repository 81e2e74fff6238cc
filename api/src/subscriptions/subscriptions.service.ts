import type {
  OpenSubscriptions,
  PastSubscriptions,
  SubscriptionInfo,
  SubscriptionProvider,
} from '@clearframe/contract';
import { Injectable, Logger } from '@nestjs/common';
import { AccountRepository } from '../billing-accounts/account.repository.js';
import type { Subscription } from '../billing-accounts/billing-account.js';
import {
  billingStateOf,
  byBestPlan,
  chargeableOf,
  entitlementsOf,
  grantsPlan,
  isEnding,
  isOpen,
} from '../billing-accounts/entitlements.js';
import { AppError } from '../platform/errors/app-error.js';
import { ProviderSync } from '../provider-sync/provider-sync.js';
import { BillingClock } from '../providers/billing-clock.js';
import {
  CardProvider,
  PaymentProviders,
  type ProviderName,
  ProviderUnavailable,
  type SubscriptionSnapshot,
} from '../providers/payment-provider.js';
import { ProviderPrices } from '../providers/provider-prices.js';
import type { Caller } from '../sessions/caller.js';

type CreatedSubscription = Subscription & { readonly provider: ProviderName; readonly providerId: string };
const isCreated = (subscription: Subscription): subscription is CreatedSubscription =>
  subscription.providerId !== null && subscription.provider !== 'mobile';

@Injectable()
export class SubscriptionsService {
  private readonly logger = new Logger(SubscriptionsService.name);

  constructor(
    private readonly accounts: AccountRepository,
    private readonly sync: ProviderSync,
    private readonly cards: CardProvider,
    private readonly providers: PaymentProviders,
    private readonly prices: ProviderPrices,
    private readonly clock: BillingClock,
  ) {}

  /** @param id the provider's; absent: the one that can be managed */
  async get(caller: Caller, provider: SubscriptionProvider, id?: string): Promise<SubscriptionInfo> {
    return this.present(await this.findOwn(caller.userId, provider, id));
  }

  /** Several can run at once, for instance after a purchase in two tabs that a provider reported late. */
  async open({ userId }: Caller): Promise<OpenSubscriptions> {
    const data: OpenSubscriptions['data'] = [];
    for (const subscription of await this.listOpen(userId)) {
      data.push({ provider: subscription.provider, ...(await this.present(subscription)) });
    }
    return { data, hasMore: false };
  }

  async cancel(caller: Caller, provider: SubscriptionProvider, id?: string): Promise<SubscriptionInfo> {
    return this.cancelCreated(await this.findOwn(caller.userId, provider, id));
  }

  /** Cancels at the end of the paid period; at once when nothing is paid or in the wallet, which supports nothing else. */
  async cancelCreated(subscription: CreatedSubscription): Promise<SubscriptionInfo> {
    // It may have been resumed in the provider's portal.
    const current = subscription.cancelAtPeriodEnd ? await this.read(subscription) : subscription;
    if (current.status === 'canceled' || current.cancelAtPeriodEnd) return this.present(current);
    const ended = await this.change(current, (readNo) => this.stopRenewal(current, `cancel:${current.id}:${readNo}`));
    if (!isEnding(ended)) throw new ProviderUnavailable(`${ended.id} still renews`);
    return this.present(ended);
  }

  /**
   * The state after a change. If the provider refuses the call, an earlier attempt or the provider itself may have made
   * the change already: reads the current state.
   */
  private async change(
    subscription: CreatedSubscription,
    changing: (readNo: number) => Promise<SubscriptionSnapshot>,
  ): Promise<CreatedSubscription> {
    const { id } = subscription;
    const changed = await this.sync.change(id, changing).catch((error: unknown) => {
      if (error instanceof AppError) throw error;
      this.logger.warn({ subscriptionId: id, err: error }, 'the provider refused a change; reading its state');
      return this.sync.subscription(id);
    });
    return changed && isCreated(changed.result) ? changed.result : subscription;
  }

  private async read(subscription: CreatedSubscription): Promise<CreatedSubscription> {
    const read = await this.sync.subscription(subscription.id);
    return read && isCreated(read.result) ? read.result : subscription;
  }

  private stopRenewal({ provider, providerId: id, status }: CreatedSubscription, key: string) {
    return this.providers.of(provider).cancelSubscription({ id, status }, key);
  }

  /** @throws AppError `subscriptions.not_restartable` when not cancelled or not restartable */
  async restart(caller: Caller, provider: SubscriptionProvider, id?: string): Promise<SubscriptionInfo> {
    const subscription = await this.findOwn(caller.userId, provider, id);
    if (!subscription.cancelAtPeriodEnd || !isOpen(subscription)) {
      throw new AppError('subscriptions.not_restartable');
    }
    const restarted = await this.change(subscription, (readNo) =>
      this.cards.setCancelAtPeriodEnd(subscription.providerId, false, `restart:${subscription.id}:${readNo}`),
    );
    if (restarted.cancelAtPeriodEnd || !isOpen(restarted)) throw new AppError('subscriptions.not_restartable');
    return this.present(restarted);
  }

  /** Past subscriptions by card, in the provider's order. */
  async past(
    { userId }: Caller,
    { limit, startingAfter }: { readonly limit: number; readonly startingAfter?: string },
  ): Promise<PastSubscriptions> {
    const customerId = await this.accounts.findCustomerId(userId);
    const all = customerId ? await this.cards.listSubscriptions(customerId) : [];
    const before = startingAfter ? all.findIndex(({ id }) => id === startingAfter) : -1;
    if (startingAfter && before < 0) throw new AppError('subscriptions.not_found');
    const page = all.slice(before + 1, before + 1 + limit);
    return {
      subscriptions: page.map(({ id, status, priceId, createdAt, endedAt }) => ({
        subscriptionId: id,
        status,
        priceId,
        createdAt: createdAt.toISOString(),
        endedAt: endedAt?.toISOString() ?? null,
      })),
      hasMore: all.length > before + 1 + limit,
    };
  }

  /**
   * The subscription that grants the plan.
   * @throws AppError `subscriptions.managed_elsewhere` for the mobile app's, `subscriptions.not_found` for none
   */
  async find(userId: string, provider: SubscriptionProvider): Promise<CreatedSubscription> {
    const { managed } = await this.loadSubscriptions(userId);
    if (managed?.provider === 'mobile') throw new AppError('subscriptions.managed_elsewhere');
    if (!managed || managed.provider !== provider || !isCreated(managed)) throw new AppError('subscriptions.not_found');
    return managed;
  }

  private async findOwn(userId: string, provider: SubscriptionProvider, id?: string): Promise<CreatedSubscription> {
    if (id !== undefined) {
      const own = (await this.listOpen(userId)).find((one) => one.provider === provider && one.providerId === id);
      if (!own) throw new AppError('subscriptions.not_found');
      return own;
    }
    const { managed, charged } = await this.loadSubscriptions(userId);
    const candidate = managed?.provider === provider ? undefined : charged.find((other) => other.provider === provider);
    return candidate && isCreated(candidate) ? candidate : this.find(userId, provider);
  }

  /** Running ones, the best first, then those with an open invoice. */
  private async listOpen(userId: string): Promise<CreatedSubscription[]> {
    const { subscriptions } = await this.accounts.load(userId);
    const now = this.clock.now();
    const running = subscriptions.filter((one) => grantsPlan(one, now)).sort(byBestPlan);
    const others = chargeableOf(subscriptions).filter((one) => !running.includes(one));
    return [...running, ...others].filter(isCreated);
  }

  private async loadSubscriptions(userId: string) {
    const account = await this.accounts.load(userId);
    const { managed } = entitlementsOf(billingStateOf(account), this.clock.now());
    return { managed, charged: chargeableOf(account.subscriptions) };
  }

  private async present(subscription: CreatedSubscription): Promise<SubscriptionInfo> {
    const { status, currentPeriodEnd, cancelAtPeriodEnd, canceledAt, endedAt, trialEnd } = subscription;
    if (status === 'pending' || status === 'abandoned') throw new AppError('subscriptions.not_found');
    const hasBeenCanceled = cancelAtPeriodEnd || canceledAt !== null || status === 'canceled';
    return {
      subscriptionId: subscription.providerId,
      status,
      priceId: this.prices.idOf(subscription.priceId),
      hasBeenCanceled,
      cancellationDate: hasBeenCanceled ? this.endOf(subscription.provider, currentPeriodEnd, endedAt) : null,
      currentPeriodEnd: currentPeriodEnd?.toISOString() ?? null,
      trialEnd: trialEnd?.toISOString() ?? null,
      portalSessionUrl: await this.portalOf(subscription),
    };
  }

  /** Access lasts until the end of the paid period, also where cancelling is immediate. */
  private endOf(provider: ProviderName, periodEnd: Date | null, endedAt: Date | null): string | null {
    const end = this.providers.of(provider).cancelsAtPeriodEnd ? (endedAt ?? periodEnd) : (periodEnd ?? endedAt);
    return end?.toISOString() ?? null;
  }

  /** Cards have customers, the wallet has none. */
  private async portalOf({ customerId }: CreatedSubscription): Promise<string | null> {
    if (!customerId) return null;
    return this.cards.openPortal(customerId).catch((error: Error) => {
      this.logger.warn(`the portal could not be opened: ${error.message}`);
      return null;
    });
  }
}
