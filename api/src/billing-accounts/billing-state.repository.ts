import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { prepared } from '../platform/database/statements.js';
import type { BillingState, SubscriptionState } from './entitlements.js';

/** Dates are JSON strings. */
export interface BillingStateJson {
  readonly subscriptions: readonly SubscriptionJson[];
  readonly gifts: readonly { readonly expiresAt: string }[];
  readonly credits: number;
  readonly hadTrial: boolean;
}
type Dated = 'currentPeriodStart' | 'currentPeriodEnd' | 'trialEnd' | 'supersededAt';
type SubscriptionJson = Omit<SubscriptionState, Dated | 'createdAt'> & {
  readonly [Name in Dated]: string | null;
} & { readonly createdAt: string; readonly used: number };

/**
 * A user's {@link BillingStateJson} as a column of any statement. Leaves out subscriptions that never started, whose number
 * is unbounded.
 * @param userId an SQL expression
 */
export const billingStateColumn = (userId: string): string => `json_build_object(
    'subscriptions', coalesce((SELECT json_agg(json_build_object(
      'id', s.id, 'provider', s.provider, 'providerId', s.provider_id, 'priceId', s.price_id, 'status', s.status,
      'createdAt', s.created_at, 'currentPeriodStart', s.current_period_start,
      'currentPeriodEnd', s.current_period_end, 'trialEnd', s.trial_end, 'hasIntro', s.has_intro,
      'paidCents', s.paid_cents, 'isDisputed', s.is_disputed, 'supersededAt', s.superseded_at,
      'used', (SELECT count(*) FROM export_uses e WHERE e.source = 'period' AND e.subscription_id = s.id
               AND e.period_start = s.current_period_start)))
      FROM subscriptions s WHERE s.user_id = ${userId} AND s.status NOT IN ('abandoned', 'incomplete_expired')), '[]'),
    'gifts', coalesce((SELECT json_agg(json_build_object('expiresAt', g.expires_at))
      FROM gift_redemptions g WHERE g.user_id = ${userId}), '[]'),
    'credits', (SELECT coalesce(sum(c.amount), 0)::int FROM credit_entries c WHERE c.user_id = ${userId}),
    'hadTrial', EXISTS (SELECT FROM trial_uses t WHERE t.user_id = ${userId}))`;

const BILLING_STATE = prepared(`SELECT ${billingStateColumn('$1')} AS billing`);

const dateOf = (text: string | null): Date | null => (text === null ? null : new Date(text));

@Injectable()
export class BillingStateRepository {
  constructor(@InjectDataSource() private readonly database: DataSource) {}

  async load(userId: string, manager: EntityManager = this.database.manager): Promise<BillingState<SubscriptionState>> {
    const [row]: { billing: BillingStateJson }[] = await manager.query(BILLING_STATE, [userId]);
    if (!row) throw new Error('a query without FROM returned no row');
    return billingStateFrom(row.billing);
  }
}

export function billingStateFrom(row: BillingStateJson): BillingState<SubscriptionState> {
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
    hadTrial: row.hadTrial,
    usedOf: (subscriptionId) => used.get(subscriptionId) ?? 0,
  };
}
