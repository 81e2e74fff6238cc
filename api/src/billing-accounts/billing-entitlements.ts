import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { BillingClock } from '../providers/billing-clock.js';
import { ProviderPrices } from '../providers/provider-prices.js';
import { type EntitlementSource, ProvidesEntitlements, type UserEntitlements } from '../sessions/entitlements.js';
import { BillingStateRepository } from './billing-state.repository.js';
import { isIntroAvailable, openStateOf } from './buyer.js';
import { type AccountEntitlements, type BillingState, entitlementsOf, type SubscriptionState } from './entitlements.js';

@Injectable()
@ProvidesEntitlements()
export class BillingEntitlements implements EntitlementSource {
  constructor(
    private readonly states: BillingStateRepository,
    private readonly clock: BillingClock,
    private readonly prices: ProviderPrices,
  ) {}

  async entitlementsOf(userId: string, manager?: EntityManager): Promise<UserEntitlements> {
    const now = this.clock.now();
    const state = await this.states.load(userId, manager);
    return this.present(entitlementsOf(state, now), state, now);
  }

  private present(
    entitlements: AccountEntitlements<SubscriptionState>,
    { subscriptions }: BillingState<SubscriptionState>,
    now: Date,
  ): UserEntitlements {
    const open = openStateOf(subscriptions, now);
    const { running, managed, gift } = entitlements;
    const isOnWire = managed !== null && managed.provider !== 'mobile';
    return {
      subscribedPlan: entitlements.subscribedPlan,
      subscriptionProvider: entitlements.subscriptionProvider,
      isGiftCodeActive: entitlements.isGiftCodeActive,
      availableCredits: entitlements.availableCredits,
      exports: {
        limit: entitlements.exports,
        used: entitlements.exportsUsed,
        renewsAt: entitlements.renewsAt?.toISOString() ?? null,
      },
      giftCode: gift && { isActive: entitlements.isGiftCodeActive, expiryAt: gift.expiresAt.toISOString() },
      monetization: {
        trialAvailable: !entitlements.hadTrial,
        hasIncompleteSubscription: entitlements.isIncomplete,
        isSubscribed: running !== null,
        subscriptionIncludesTrial: Boolean(managed?.trialEnd),
        subscriptionWithIntroPrice: managed?.hasIntro ?? false,
        subscriptionProvider: managed?.provider ?? null,
        subscriptionId: managed?.providerId ?? null,
        priceId: isOnWire ? (this.prices.findId(managed.priceId) ?? null) : null,
        introAvailable: isIntroAvailable(subscriptions),
        openSubscription: open && {
          provider: open.provider,
          priceId: open.price && (this.prices.findId(open.price.id) ?? null),
          state: open.state,
          hasIntro: open.hasIntro,
        },
      },
      mobileOracleBackendId: subscriptions.find(({ provider }) => provider === 'mobile')?.providerId ?? null,
    };
  }
}
