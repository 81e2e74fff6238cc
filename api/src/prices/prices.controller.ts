import { type Price, priceRoutes, type RouteInput } from '@clearframe/contract';
import { Controller } from '@nestjs/common';
import { Input, Route } from '../platform/http/route.decorator.js';
import { PriceList } from './price-list.js';

@Controller()
export class PricesController {
  constructor(private readonly prices: PriceList) {}

  @Route(priceRoutes.listPrices)
  listPrices(@Input() { query }: RouteInput<typeof priceRoutes.listPrices>): { prices: Price[] } {
    return { prices: query.priceId.map((id) => this.prices.get(id)) };
  }
}
