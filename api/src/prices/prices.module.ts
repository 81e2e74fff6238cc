import { intervalOf, PLAN_EXPORTS, type Price, priceRoutes, type RouteInput } from '@clearframe/contract';
import { Controller, Module } from '@nestjs/common';
import { ExperimentsModule } from '../experiments/experiments.module.js';
import { Input, Route } from '../platform/http/route.decorator.js';
import { ProviderPrices } from '../providers/provider-prices.js';
import { Offers } from './offers.js';

@Controller()
class PricesController {
  constructor(
    private readonly offers: Offers,
    private readonly prices: ProviderPrices,
  ) {}

  @Route(priceRoutes.listPrices)
  listPrices(@Input() { query }: RouteInput<typeof priceRoutes.listPrices>): { prices: Price[] } {
    return { prices: query.priceId.map((id) => this.present(id)) };
  }

  private present(priceId: string): Price {
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

@Module({
  imports: [ExperimentsModule],
  controllers: [PricesController],
  providers: [Offers],
  exports: [Offers],
})
export class PricesModule {}
