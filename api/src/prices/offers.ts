import {
  type CataloguePrice,
  type IntroPrice,
  introPriceOf,
  type PackPrice,
  type PlanPrice,
} from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { AppError } from '../platform/errors/app-error.js';
import { ProviderPrices } from '../providers/provider-prices.js';
import type { Caller } from '../sessions/caller.js';

export function requireLogin({ isGuest }: Caller): void {
  if (isGuest) throw new AppError('billing.login_required');
}

/** Finds prices by the ids of requests. Former prices are found, but not for sale. */
@Injectable()
export class Offers {
  constructor(private readonly prices: ProviderPrices) {}

  /** @throws AppError `prices.not_found`, `prices.not_for_sale` */
  pack(priceId: string): PackPrice {
    const price = this.find(priceId);
    if (price.kind !== 'pack' || price.isDeprecated) throw new AppError('prices.not_for_sale');
    return price;
  }

  /** @throws AppError `prices.not_found`, `prices.not_for_sale` */
  plan(priceId: string): PlanPrice {
    const price = this.find(priceId);
    if (price.kind !== 'plan' || price.isDeprecated) throw new AppError('prices.not_for_sale');
    return price;
  }

  /**
   * Includes former prices, whose open invoices can still be paid.
   * @throws AppError `prices.not_found`, `prices.not_for_sale`
   */
  planOrFormer(priceId: string): PlanPrice {
    const price = this.find(priceId);
    if (price.kind !== 'plan') throw new AppError('prices.not_for_sale');
    return price;
  }

  /** @throws AppError `prices.not_for_sale` when it does not lead to the plan's price */
  intro(priceId: string | null | undefined, planPrice: PlanPrice): IntroPrice | null {
    if (!priceId) return null;
    const price = introPriceOf(planPrice.id);
    if (!price || this.find(priceId).id !== price.id) throw new AppError('prices.not_for_sale');
    return price;
  }

  /** @throws AppError `prices.not_found` */
  find(priceId: string): CataloguePrice {
    const price = this.prices.findPrice(priceId);
    if (!price) throw new AppError('prices.not_found');
    return price;
  }
}
