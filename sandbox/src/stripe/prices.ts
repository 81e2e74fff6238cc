import { PRICES, priceOf, TRIAL_DAYS, WEEKS_PER_PERIOD } from '@clearframe/contract';
import { invalidRequest, noSuch } from './errors.js';
import type { Price, TrialOffer } from './objects.js';

const PRICE = 'sbx_price_';
const OFFER = 'sbx_to_';
const CREATED = Date.UTC(2024, 0, 1) / 1000;
const DAYS_PER_WEEK = 7;

/** The catalogue's prices as an operator would create them at Stripe. Null for an unknown id. */
export function findPrice(id: string): Price | null {
  const price = id.startsWith(PRICE) ? priceOf(id.slice(PRICE.length)) : undefined;
  if (!price) return null;
  const weeks = price.kind === 'plan' ? WEEKS_PER_PERIOD[price.period] : TRIAL_DAYS / DAYS_PER_WEEK;
  const isRecurring = price.kind !== 'pack';
  return {
    id,
    object: 'price',
    livemode: false,
    created: CREATED,
    active: true,
    currency: price.currency,
    unit_amount: price.amountCents,
    type: isRecurring ? 'recurring' : 'one_time',
    recurring: isRecurring
      ? { interval: 'week', interval_count: weeks, usage_type: 'licensed', trial_period_days: null }
      : null,
    product: price.kind === 'pack' ? `sbx_prod_${price.pack}` : `sbx_prod_${price.plan}`,
    lookup_key: price.id,
    nickname: null,
    metadata: {},
  };
}

export function requireRecurringPrice(id: string, param: string): Price {
  const price = findPrice(id);
  if (!price) throw noSuch('price', id, param, 400);
  if (price.type !== 'recurring') {
    throw invalidRequest(
      'price_type',
      'The price specified is set to `type=one_time` but this field only accepts prices with `type=recurring`.',
      param,
    );
  }
  return price;
}

export const listPrices = (): Price[] =>
  PRICES.map(({ id }) => findPrice(`${PRICE}${id}`)).filter((price) => price !== null);

/** An introductory price, which the plan's price follows. */
export function findTrialOffer(id: string): TrialOffer | null {
  const intro = id.startsWith(OFFER) ? priceOf(id.slice(OFFER.length)) : undefined;
  if (intro?.kind !== 'intro') return null;
  return {
    id,
    object: 'product_catalog.trial_offer',
    livemode: false,
    price: `${PRICE}${intro.id}`,
    duration: { type: 'relative', relative: { iterations: 1 } },
    end_behavior: { type: 'transition', transition: { price: `${PRICE}${intro.planPriceId}` } },
  };
}
