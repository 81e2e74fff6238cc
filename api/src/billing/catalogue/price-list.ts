import { PLAN_EXPORTS, type Price, priceOf, WEEKS_PER_PERIOD } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { AppError } from '../../platform/errors/app-error.js';
import { ProviderPrices } from '../providers/port/payment-provider.js';

@Injectable()
export class PriceList {
  constructor(private readonly prices: ProviderPrices) {}

  get(priceId: string): Price {
    const name = this.prices.priceOf(priceId);
    const price = name === undefined ? undefined : priceOf(name);
    if (!price) throw new AppError('prices.not_found');
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
