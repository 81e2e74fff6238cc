import { PLAN_EXPORTS, type Price, WEEKS_PER_PERIOD } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { ProviderPrices } from '../providers/port/provider-prices.js';
import { Offers } from './offers.js';

@Injectable()
export class PriceList {
  constructor(
    private readonly offers: Offers,
    private readonly prices: ProviderPrices,
  ) {}

  get(priceId: string): Price {
    const price = this.offers.find(priceId);
    const { id, amountCents, currency } = price;
    const plans = this.prices.walletPlansOf(id);
    const weeks =
      price.kind === 'pack' ? null : price.kind === 'plan' ? WEEKS_PER_PERIOD[price.period] : WEEKS_PER_PERIOD.weekly;
    return {
      id,
      priceId,
      amountCents,
      currency,
      recurringInterval: weeks === null ? null : 'week',
      recurringIntervalCount: weeks,
      exports: price.kind === 'intro' ? PLAN_EXPORTS[price.plan].weekly : price.exports,
      paypalPlanId: plans.withTrial,
      paypalPlanNoFtId: plans.withoutTrial,
    };
  }
}
