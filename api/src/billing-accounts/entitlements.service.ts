import { type Role, type RoleEntitlements, roleOf, type User } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { BillingClock } from '../providers/billing-clock.js';
import { ProviderPrices } from '../providers/provider-prices.js';
import { BillingStateRepository } from './billing-state.repository.js';
import {
  type BillingState,
  entitlementsOf,
  isIntroAvailable,
  nextEndOf,
  openStateOf,
  type SubscriptionState,
} from './entitlements.js';

export interface UserEntitlements extends Omit<RoleEntitlements, 'isGuest' | 'isFree'> {
  readonly exports: { readonly limit: number | null; readonly used: number; readonly renewsAt: string | null };
  readonly giftCode: User['giftCode'];
  readonly monetization: User['monetization'];
  readonly mobileOracleBackendId: string | null;
}

/** Columns of `users` that determine the role together with entitlements. */
export interface RoleFlags {
  readonly isGuest: boolean;
  readonly isFree: boolean;
}

export const resolveRole = ({ isGuest, isFree }: RoleFlags, entitlements: UserEntitlements): Role =>
  roleOf({ ...entitlements, isGuest, isFree });

@Injectable()
export class Entitlements {
  constructor(
    private readonly states: BillingStateRepository,
    private readonly clock: BillingClock,
    private readonly prices: ProviderPrices,
  ) {}

  async entitlementsOf(userId: string, manager?: EntityManager): Promise<UserEntitlements> {
    return this.ofState(await this.states.load(userId, manager));
  }

  /** When the entitlements may change by themselves; null for never. */
  async changeAt(userId: string): Promise<Date | null> {
    return nextEndOf(await this.states.load(userId), this.clock.now());
  }

  ofState(state: BillingState<SubscriptionState>): UserEntitlements {
    const now = this.clock.now();
    const { subscriptions } = state;
    const entitlements = entitlementsOf(state, now);
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
