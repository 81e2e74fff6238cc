import { inMilliseconds, type PlanPrice, priceOf, TRIAL_DAYS, WEEKS_PER_PERIOD } from '@clearframe/contract';
import { ConfigurationError } from '@clearframe/runtime/config';
import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { ProviderUnavailable } from '../payment-provider.js';
import { PayPalConfig } from './paypal.config.js';
import { PayPalClient } from './paypal-client.js';
import { centsOf, currencyOf, type Plan, Plans } from './paypal-shapes.js';

/** PayPal's limit of ids in one request. */
const MAX_IDS = 10;
const MAX_IDS_LENGTH = 270;
const DAYS_OF: Readonly<Record<string, number>> = { DAY: 1, WEEK: 7 };

export interface PlanTerms {
  readonly price: PlanPrice;
  readonly trialDays: number;
}

export const periodMsOf = ({ price: { period } }: PlanTerms): number =>
  WEEKS_PER_PERIOD[period] * inMilliseconds.days(7);

@Injectable()
export class PayPalPlans implements OnApplicationBootstrap {
  private readonly logger = new Logger(PayPalPlans.name);
  private readonly terms: ReadonlyMap<string, PlanTerms>;
  private readonly client: PayPalClient;

  constructor(private readonly config: PayPalConfig) {
    this.client = new PayPalClient(config);
    this.terms = new Map([...termsIn(config.plans, 0), ...termsIn(config.trialPlans, TRIAL_DAYS)]);
  }

  /** @throws ConfigurationError for a plan that differs: the product must not sell it */
  async onApplicationBootstrap(): Promise<void> {
    const ids = [...this.terms.keys()];
    try {
      for (const batch of batchesOf(ids)) await this.check(batch);
    } catch (error) {
      if (!(error instanceof ProviderUnavailable)) throw error;
      // An outage of PayPal doesn't stop the product; the plans were checked at earlier starts.
      this.logger.warn(`the plans could not be compared: ${error.message}`);
    }
  }

  termsOf(planId: string): PlanTerms | undefined {
    return this.terms.get(planId);
  }

  plansOf(price: string): { readonly withTrial: string | null; readonly withoutTrial: string | null } {
    return {
      withTrial: this.config.trialPlans.get(price) ?? null,
      withoutTrial: this.config.plans.get(price) ?? null,
    };
  }

  private async check(ids: readonly string[]): Promise<void> {
    const query = new URLSearchParams({ plan_ids: ids.join(','), page_size: '20' });
    const { plans } = await this.client.get(`/v1/billing/plans?${query}`, Plans);
    for (const id of ids) {
      const terms = this.terms.get(id);
      const plan = plans.find((one) => one.id === id);
      if (!plan) throw new ConfigurationError(`PAYPAL_PLANS: ${id} of ${terms?.price.id} does not exist`);
      const difference = terms && differenceOf(terms, plan);
      if (difference) throw new ConfigurationError(`PAYPAL_PLANS: ${id} of ${terms.price.id} ${difference}`);
    }
  }
}

function batchesOf(ids: readonly string[]): string[][] {
  const batches: string[][] = [[]];
  for (const id of ids) {
    const last = batches.at(-1) ?? [];
    const isFull = last.length === MAX_IDS || [...last, id].join().length > MAX_IDS_LENGTH;
    if (isFull) batches.push([id]);
    else last.push(id);
  }
  return batches;
}

function* termsIn(ids: ReadonlyMap<string, string>, trialDays: number): Iterable<[string, PlanTerms]> {
  for (const [name, id] of ids) {
    const price = priceOf(name);
    if (price?.kind === 'plan') yield [id, { price, trialDays }];
  }
}

function differenceOf({ price, trialDays }: PlanTerms, { billing_cycles: cycles }: Plan): string | null {
  const regular = cycles.find(({ tenure_type: type }) => type === 'REGULAR');
  const fixed = regular?.pricing_scheme?.fixed_price;
  if (!regular || !fixed) return 'has no regular price';
  if (centsOf(fixed) !== price.amountCents) return `costs ${fixed.value}, not ${price.amountCents / 100}`;
  if (currencyOf(fixed) !== price.currency) return `is in ${fixed.currency_code}, not ${price.currency}`;
  const days = daysOf(regular);
  const expected = WEEKS_PER_PERIOD[price.period] * 7;
  if (days !== expected) return `recurs every ${days} days, not every ${expected}`;
  const trials = cycles.filter(({ tenure_type: type }) => type === 'TRIAL');
  const trial = trials.reduce((total, cycle) => total + daysOf(cycle) * (cycle.total_cycles ?? 1), 0);
  const isFree = trials.every(
    ({ pricing_scheme: scheme }) => !scheme?.fixed_price || centsOf(scheme.fixed_price) === 0,
  );
  return trial === trialDays && isFree ? null : `has a trial of ${trial} days, not ${trialDays} free ones`;
}

const daysOf = ({ frequency }: Plan['billing_cycles'][number]): number =>
  (DAYS_OF[frequency.interval_unit] ?? 0) * frequency.interval_count;
