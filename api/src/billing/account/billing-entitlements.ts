import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import {
  type EntitlementSource,
  ProvidesEntitlements,
  type UserEntitlements,
} from '../../identity/caller/entitlements.js';
import { BillingClock, ProviderPrices } from '../providers/port/payment-provider.js';
import { isIntroAvailable, openStateOf } from './state/buyer.js';
import {
  type AccountEntitlements,
  type BillingState,
  entitlementsOf,
  type SubscriptionState,
} from './state/entitlements.js';

/** Only what entitlements need, as JSON has it. */
interface BillingStateRow {
  readonly subscriptions: readonly SubscriptionJson[];
  readonly gifts: readonly { readonly expiresAt: string }[];
  readonly credits: number;
  readonly had_trial: boolean;
}
type Dated = 'currentPeriodStart' | 'currentPeriodEnd' | 'trialEnd' | 'supersededAt';
type SubscriptionJson = Omit<SubscriptionState, Dated | 'createdAt'> & {
  readonly [Name in Dated]: string | null;
} & { readonly createdAt: string; readonly used: number };

/** Ended ones give nothing and are left out, however many there were. */
const BILLING_STATE = `
  SELECT
    coalesce((SELECT json_agg(json_build_object(
      'id', s.id, 'provider', s.provider, 'providerId', s.provider_id, 'priceId', s.price_id, 'status', s.status,
      'createdAt', s.created_at, 'currentPeriodStart', s.current_period_start,
      'currentPeriodEnd', s.current_period_end, 'trialEnd', s.trial_end, 'hasIntro', s.has_intro,
      'paidCents', s.paid_cents, 'isDisputed', s.is_disputed, 'supersededAt', s.superseded_at,
      'used', (SELECT count(*) FROM export_uses e WHERE e.source = 'period' AND e.subscription_id = s.id
               AND e.period_start = s.current_period_start)))
      FROM subscriptions s WHERE s.user_id = $1 AND s.status NOT IN ('abandoned', 'incomplete_expired')), '[]')
      AS subscriptions,
    coalesce((SELECT json_agg(json_build_object('expiresAt', g.expires_at))
      FROM gift_redemptions g WHERE g.user_id = $1), '[]') AS gifts,
    (SELECT coalesce(sum(c.amount), 0)::int FROM credit_entries c WHERE c.user_id = $1) AS credits,
    EXISTS (SELECT FROM trial_uses t WHERE t.user_id = $1) AS had_trial`;

const dateOf = (text: string | null): Date | null => (text === null ? null : new Date(text));

/** Reads what entitlements follow from in one statement and derives them as the rest of billing does. */
@Injectable()
@ProvidesEntitlements()
export class BillingEntitlements implements EntitlementSource {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly clock: BillingClock,
    private readonly prices: ProviderPrices,
  ) {}

  async entitlementsOf(userId: string, manager: EntityManager = this.database.manager): Promise<UserEntitlements> {
    const now = await this.clock.now();
    const [row]: BillingStateRow[] = await manager.query(BILLING_STATE, [userId]);
    if (!row) throw new Error('a query without FROM answered no row');
    const state = billingStateFrom(row);
    return this.present(entitlementsOf(state, now), state, now);
  }

  /** Provider no longer configured: null instead of failing the request. */
  private wireIdOf(priceId: string): string | null {
    try {
      return this.prices.idOf(priceId);
    } catch {
      return null;
    }
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
        priceId: isOnWire ? this.wireIdOf(managed.priceId) : null,
        introAvailable: isIntroAvailable(subscriptions),
        openSubscription: open && {
          provider: open.provider,
          priceId: open.price && this.wireIdOf(open.price.id),
          state: open.state,
          hasIntro: open.hasIntro,
        },
      },
      mobileOracleBackendId: subscriptions.find(({ provider }) => provider === 'mobile')?.providerId ?? null,
    };
  }
}

function billingStateFrom(row: BillingStateRow): BillingState<SubscriptionState> {
  const used = new Map(row.subscriptions.map((subscription) => [subscription.id, subscription.used]));
  return {
    subscriptions: row.subscriptions.map((json) => ({
      ...json,
      createdAt: new Date(json.createdAt),
      currentPeriodStart: dateOf(json.currentPeriodStart),
      currentPeriodEnd: dateOf(json.currentPeriodEnd),
      trialEnd: dateOf(json.trialEnd),
      supersededAt: dateOf(json.supersededAt),
    })),
    gifts: row.gifts.map(({ expiresAt }) => ({ expiresAt: new Date(expiresAt) })),
    credits: row.credits,
    hadTrial: row.had_trial,
    usedOf: (subscriptionId) => used.get(subscriptionId) ?? 0,
  };
}
