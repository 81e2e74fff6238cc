import { Injectable } from '@nestjs/common';
import { PayPalPlans } from './paypal/paypal-plans.js';
import { ProviderPrices } from './provider-prices.js';
import { StripePrices } from './stripe/stripe-prices.js';

@Injectable()
export class CardAndWalletPrices extends ProviderPrices {
  constructor(
    private readonly prices: StripePrices,
    private readonly plans: PayPalPlans,
  ) {
    super();
  }

  override findId(price: string): string | undefined {
    return this.prices.findId(price);
  }

  override priceOf(providerId: string): string | undefined {
    return this.prices.priceOf(providerId) ?? this.plans.termsOf(providerId)?.price.id;
  }

  override walletPlansOf(price: string): { readonly withTrial: string | null; readonly withoutTrial: string | null } {
    return this.plans.plansOf(price);
  }
}
