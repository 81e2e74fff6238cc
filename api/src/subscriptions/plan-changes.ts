import { inMilliseconds, type PlanPrice, type SubscriptionProvider, type UpgradePreview } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import type { Subscription } from '../billing-accounts/billing-account.js';
import { type AccountChange, BillingAccounts } from '../billing-accounts/billing-accounts.js';
import { grantsPlan, planPriceOfSubscription } from '../billing-accounts/entitlements.js';
import { prorationOf } from '../billing-accounts/proration.js';
import { AppError } from '../platform/errors/app-error.js';
import { isPlanChange, Offers, requireMayBuy } from '../prices/offers.js';
import { ProviderSync } from '../provider-sync/provider-sync.js';
import type { Caller } from '../sessions/caller.js';
import { SubscriptionsService } from './subscriptions.service.js';

/** Which running subscription may be replaced, by which price, and what comes back of it. */
@Injectable()
export class PlanChanges {
  constructor(
    private readonly billing: BillingAccounts,
    private readonly sync: ProviderSync,
    private readonly offers: Offers,
    private readonly subscriptions: SubscriptionsService,
  ) {}

  async preview({ userId }: Caller, provider: SubscriptionProvider, newPriceId?: string): Promise<UpgradePreview> {
    const current = await this.current(userId, provider);
    const { result: old } = current;
    if (newPriceId) await this.check(current, this.offers.plan(newPriceId));
    else if (planPriceOfSubscription(old)?.plan !== 'personal') throw new AppError('subscriptions.not_upgradable');
    const { now } = await this.billing.change(userId, (_account, at) => ({
      events: [{ kind: 'upgrade_previewed', subscriptionId: old.id, at }],
      result: null,
    }));
    const { remainingCents, daysLeft, isTrialing } = prorationOf(old, now);
    const prorationDate = Math.floor(now.getTime() / inMilliseconds.seconds(1));
    return { remainingAmountCents: remainingCents, currency: old.currency, daysLeft, isTrialing, prorationDate };
  }

  /** @throws AppError `billing.intro_unavailable`: the intro price is for new subscribers */
  priceOf(newPriceId: string, introPriceId: string | null | undefined): PlanPrice {
    const price = this.offers.plan(newPriceId);
    if (this.offers.intro(introPriceId, price)) throw new AppError('billing.intro_unavailable');
    return price;
  }

  /**
   * The running subscription, if the price may replace it.
   * @throws AppError of `mayBuy`; `subscriptions.not_found`, `subscriptions.managed_elsewhere`,
   * `subscriptions.not_upgradable`
   */
  async require(userId: string, provider: SubscriptionProvider, price: PlanPrice): Promise<Subscription> {
    const current = await this.current(userId, provider);
    await this.check(current, price);
    return current.result;
  }

  private async check({ account, now, result: old }: AccountChange<Subscription>, price: PlanPrice): Promise<void> {
    if (old.provider === 'mobile') throw new AppError('subscriptions.managed_elsewhere');
    if (old.priceId === price.id) throw new AppError('subscriptions.not_upgradable');
    const flags = await this.offers.flagsFor(account.userId, null);
    const { kind } = requireMayBuy(account, false, now, { price, flags, provider: old.provider });
    if (!isPlanChange(kind)) throw new AppError('subscriptions.not_upgradable');
  }

  /** Synced first, to include recent refunds. */
  private async current(userId: string, provider: SubscriptionProvider): Promise<AccountChange<Subscription>> {
    const { id } = await this.subscriptions.find(userId, provider);
    const synced = await this.sync.subscription(id);
    if (!synced) throw new AppError('subscriptions.not_found');
    if (!isReplaceable(synced.result, synced.now)) throw new AppError('subscriptions.not_upgradable');
    return synced;
  }
}

export const isReplaceable = (subscription: Subscription, now: Date): boolean =>
  grantsPlan(subscription, now) && subscription.status !== 'canceled' && planPriceOfSubscription(subscription) !== null;
