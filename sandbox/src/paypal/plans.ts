import { inSeconds, type PlanPrice, PRICES, TRIAL_DAYS, WEEKS_PER_PERIOD } from '@clearframe/contract';
import { type Money, moneyOf } from './objects.js';

interface BillingCycle {
  readonly tenure_type: 'TRIAL' | 'REGULAR';
  readonly sequence: number;
  readonly total_cycles: number;
  readonly frequency: { readonly interval_unit: 'DAY' | 'WEEK'; readonly interval_count: number };
  readonly pricing_scheme: { readonly fixed_price: Money };
}

export interface Plan {
  readonly id: string;
  readonly product_id: string;
  readonly name: string;
  readonly status: 'ACTIVE' | 'INACTIVE';
  readonly billing_cycles: readonly BillingCycle[];
  readonly payment_preferences: object;
  readonly quantity_supported: false;
  readonly create_time: string;
  readonly _price: PlanPrice;
  readonly _hasTrial: boolean;
}

const PREFIX = 'sbx_plan_';
const TRIAL_SUFFIX = '_ft';

function planOf(price: PlanPrice, hasTrial: boolean): Plan {
  const trial: BillingCycle = {
    tenure_type: 'TRIAL',
    sequence: 1,
    total_cycles: 1,
    frequency: { interval_unit: 'DAY', interval_count: TRIAL_DAYS },
    pricing_scheme: { fixed_price: moneyOf(0, price.currency) },
  };
  const regular: BillingCycle = {
    tenure_type: 'REGULAR',
    sequence: hasTrial ? 2 : 1,
    total_cycles: 0,
    frequency: { interval_unit: 'WEEK', interval_count: WEEKS_PER_PERIOD[price.period] },
    pricing_scheme: { fixed_price: moneyOf(price.amountCents, price.currency) },
  };
  return {
    id: `${PREFIX}${price.id}${hasTrial ? TRIAL_SUFFIX : ''}`,
    product_id: 'sbx_prod_clearframe',
    name: price.id,
    status: price.isDeprecated ? 'INACTIVE' : 'ACTIVE',
    billing_cycles: hasTrial ? [trial, regular] : [regular],
    payment_preferences: { auto_bill_outstanding: true, payment_failure_threshold: 4 },
    quantity_supported: false,
    create_time: '2026-01-01T00:00:00Z',
    _price: price,
    _hasTrial: hasTrial,
  };
}

/** One for each recurring price, with and without a trial. */
export const PLANS: readonly Plan[] = PRICES.flatMap((price) =>
  price.kind === 'plan' ? [planOf(price, false), planOf(price, true)] : [],
);

const BY_ID = new Map(PLANS.map((plan) => [plan.id, plan]));

export const findPlan = (id: string): Plan | undefined => BY_ID.get(id);

/** Seconds until the first charge. */
export const trialSecondsOf = ({ _hasTrial: hasTrial }: Plan): number => (hasTrial ? inSeconds.days(TRIAL_DAYS) : 0);

export const periodSecondsOf = ({ _price: { period } }: Plan): number => WEEKS_PER_PERIOD[period] * inSeconds.days(7);
