import { type CataloguePrice, priceOf } from '@clearframe/contract';

/** Maps catalogue ids of prices to the provider's and back. */
export abstract class ProviderPrices {
  /** Undefined for a price of a provider or version that is no longer configured. */
  abstract findId(price: string): string | undefined;

  /** @throws Error for an unknown price */
  idOf(price: string): string {
    const id = this.findId(price);
    if (id === undefined) throw new Error(`no price is called ${price}`);
    return id;
  }

  /** Catalogue id of a card price or wallet plan. */
  abstract priceOf(providerId: string): string | undefined;
  findPrice(providerId: string): CataloguePrice | undefined {
    const name = this.priceOf(providerId);
    return name === undefined ? undefined : priceOf(name);
  }

  /** The wallet's plans of a price, with and without a free trial; null for none. */
  abstract walletPlansOf(price: string): { readonly withTrial: string | null; readonly withoutTrial: string | null };
}
