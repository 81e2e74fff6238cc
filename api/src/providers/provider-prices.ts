import { type CataloguePrice, priceOf } from '@clearframe/contract';
import type { PayPalPlans } from './paypal/paypal-plans.js';
import type { StripePrices } from './stripe/stripe-prices.js';

/** Maps catalogue ids of prices to the providers' and back. */
export class ProviderPrices {
  /** Null for a provider that isn't configured: pages show prices by the catalogue's ids, although none can be bought. */
  constructor(
    private readonly cards: StripePrices | null,
    private readonly wallet: PayPalPlans | null,
  ) {}

  /** Undefined for a price of a provider or version that is no longer configured. */
  findId(price: string): string | undefined {
    return this.cards ? this.cards.findId(price) : price;
  }

  /** @throws Error for an unknown price */
  idOf(price: string): string {
    const id = this.findId(price);
    if (id === undefined) throw new Error(`no price is called ${price}`);
    return id;
  }

  /** Catalogue id of a card price or wallet plan. */
  priceOf(providerId: string): string | undefined {
    if (!this.cards) return priceOf(providerId)?.id;
    return this.cards.priceOf(providerId) ?? this.wallet?.termsOf(providerId)?.price.id;
  }

  findPrice(providerId: string): CataloguePrice | undefined {
    const name = this.priceOf(providerId);
    return name === undefined ? undefined : priceOf(name);
  }

  /** The wallet's plans of a price, with and without a free trial; null for none. */
  walletPlansOf(price: string): { readonly withTrial: string | null; readonly withoutTrial: string | null } {
    return this.wallet?.plansOf(price) ?? { withTrial: null, withoutTrial: null };
  }
}
