import { type PlanPrice, planPriceOf, type SubscriptionInfo, type User } from '@clearframe/contract';
import { expect, it } from 'vitest';
import { ADA } from '../../../test/users';
import { erasureOf } from './erasure-view.server';

const formatDate = (iso: string) => ({ iso, text: iso.slice(0, 10) });
const PERSONAL = planPriceOf('personal', 'monthly', 'usd');
const subscribed = (changes: Partial<User['monetization']> = {}): User => ({
  ...ADA,
  monetization: { ...ADA.monetization, isSubscribed: true, subscriptionProvider: 'stripe', ...changes },
});
const info = (changes: Partial<SubscriptionInfo>): SubscriptionInfo => ({
  subscriptionId: 'sub',
  status: 'active',
  priceId: 'price',
  hasBeenCanceled: false,
  cancellationDate: null,
  currentPeriodEnd: '2026-12-22T10:00:00.000Z',
  trialEnd: null,
  portalSessionUrl: null,
  ...changes,
});

it.each<[string, User | null, PlanPrice | null, SubscriptionInfo | null, object]>([
  ['an unknown visitor', null, null, null, { email: null, subscription: null, credits: 0 }],
  ['a guest', { ...ADA, isGuest: true }, null, null, { email: null, subscription: null }],
  ['a member without anything', ADA, null, null, { email: ADA.email, subscription: null, giftUntil: null }],
  [
    'a running plan',
    subscribed(),
    PERSONAL,
    info({}),
    { subscription: { plan: 'personal', kind: 'paid', until: { text: '2026-12-22' } } },
  ],
  [
    'a cancelled plan that runs until its end',
    subscribed(),
    PERSONAL,
    info({ hasBeenCanceled: true, cancellationDate: '2026-12-22T10:00:00.000Z' }),
    { subscription: { kind: 'paid', until: { text: '2026-12-22' } } },
  ],
  [
    'a trial',
    subscribed(),
    PERSONAL,
    info({ status: 'trialing', trialEnd: '2026-12-01T00:00:00.000Z' }),
    { subscription: { kind: 'trial', until: { text: '2026-12-01' } } },
  ],
  [
    'a plan whose payment failed',
    subscribed(),
    PERSONAL,
    info({ status: 'past_due' }),
    { subscription: { kind: 'unpaid' } },
  ],
  [
    'a first payment that failed',
    { ...ADA, monetization: { ...ADA.monetization, hasIncompleteSubscription: true, subscriptionProvider: 'stripe' } },
    PERSONAL,
    info({ status: 'incomplete' }),
    { subscription: { kind: 'unpaid' } },
  ],
  [
    'a plan whose provider is unavailable',
    subscribed(),
    PERSONAL,
    null,
    { subscription: { plan: 'personal', kind: 'paid', until: null } },
  ],
  [
    'a mobile subscription',
    subscribed({ subscriptionProvider: 'mobile' }),
    null,
    null,
    { subscription: null, hasMobileSubscription: true },
  ],
  [
    'a gift and credits',
    { ...ADA, availableCredits: 3, giftCode: { isActive: true, expiryAt: '2027-01-01T00:00:00.000Z' } },
    null,
    null,
    { giftUntil: { text: '2027-01-01' }, credits: 3 },
  ],
  [
    'an expired gift',
    { ...ADA, giftCode: { isActive: false, expiryAt: '2026-01-01T00:00:00.000Z' } },
    null,
    null,
    { giftUntil: null },
  ],
])('lists the losses of %s', (_case, user, price, subscription, erasure) => {
  expect(erasureOf({ user, price, subscription }, formatDate)).toMatchObject(erasure);
});
