import { intervalOf, PLAN_EXPORTS, type Price } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { ProviderPrices } from '../providers/provider-prices.js';
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
    const recurring = price.kind === 'pack' ? null : intervalOf(price.kind === 'plan' ? price.period : 'weekly');
    return {
      id,
      priceId,
      amountCents,
      currency,
      recurringInterval: recurring?.interval ?? null,
      recurringIntervalCount: recurring?.count ?? null,
      exports: price.kind === 'intro' ? PLAN_EXPORTS[price.plan].weekly : price.exports,
      paypalPlanId: plans.withTrial,
      paypalPlanNoFtId: plans.withoutTrial,
    };
  }
}
