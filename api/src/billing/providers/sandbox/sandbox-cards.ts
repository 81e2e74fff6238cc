import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../../platform/config/app.config.js';
import { StripeConfig } from '../stripe/stripe.config.js';
import { StripeCards } from '../stripe/stripe-cards.js';
import { StripePrices } from '../stripe/stripe-prices.js';

/** The Stripe adapter with the sandbox's payment page, which needs no script. */
@Injectable()
export class SandboxCards extends StripeCards {
  constructor(
    config: StripeConfig,
    prices: StripePrices,
    private readonly app: AppConfig,
  ) {
    super(config, prices);
  }

  override browserForm(): null {
    return null;
  }

  override paymentPage(clientSecret: string, returnUrl: string): string {
    const query = new URLSearchParams({ client_secret: clientSecret, return_url: returnUrl });
    return `${this.app.publicUrl}/api/sandbox/pages/checkout?${query}`;
  }
}
