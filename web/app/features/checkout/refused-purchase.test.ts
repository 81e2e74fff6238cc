import {
  NEW_GUEST,
  OPEN_SUBSCRIPTION_STATES,
  type OpenSubscription,
  PLANS,
  type PlanPrice,
  PRICES,
  PURCHASE_REFUSALS,
} from '@clearframe/contract';
import { expect, test } from 'vitest';
import { reasonOf } from './refused-purchase';

const plans = PRICES.filter((price): price is PlanPrice => price.kind === 'plan');
const OPEN: readonly (OpenSubscription | null)[] = [
  null,
  ...OPEN_SUBSCRIPTION_STATES.flatMap((state) =>
    [null, ...PLANS.map((plan) => plans.find((price) => price.plan === plan) ?? null)].map((price) => ({
      provider: 'stripe' as const,
      price,
      state,
      hasIntro: false,
    })),
  ),
];

/** They have pages of their own, or the form is shown again. */
const WITHOUT_REASON = [
  'billing.country_blocked',
  'billing.login_required',
  'billing.forfeit_unconfirmed',
  'billing.intro_unavailable',
  'billing.trial_unavailable',
  'subscriptions.not_found',
];

test('every other refusal of a purchase has a reason, whatever the buyer has', () => {
  const withoutReason = PURCHASE_REFUSALS.filter((code) =>
    OPEN.some((openSubscription) =>
      [...PRICES, undefined].some((price) => !reasonOf(code, { buyer: { ...NEW_GUEST, openSubscription }, price })),
    ),
  );
  expect(withoutReason.toSorted()).toEqual(WITHOUT_REASON.toSorted());
});
