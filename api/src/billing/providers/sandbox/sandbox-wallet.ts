import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../../platform/config/app.config.js';
import { PayPalConfig } from '../paypal/paypal.config.js';
import { PayPalPlans } from '../paypal/paypal-plans.js';
import { PayPalWallet } from '../paypal/paypal-wallet.js';
import { BillingClock, type WalletProvider } from '../port/payment-provider.js';

/** The PayPal adapter with the sandbox's approval page, which needs no script. */
@Injectable()
export class SandboxWallet extends PayPalWallet {
  constructor(
    config: PayPalConfig,
    plans: PayPalPlans,
    clock: BillingClock,
    private readonly app: AppConfig,
  ) {
    super(config, plans, clock);
  }

  override browserForm(): null {
    return null;
  }

  override async approvalPage({
    planId,
    amountCents,
    currency,
    customId,
    returnUrl,
  }: Parameters<WalletProvider['approvalPage']>[0]): Promise<string> {
    const common = { custom_id: customId, return_url: returnUrl };
    const [page, terms] =
      planId === null
        ? ['charge', { amount_cents: String(amountCents), currency }]
        : ['subscription', { plan_id: planId }];
    return `${this.app.publicUrl}/api/sandbox/pages/wallet/${page}?${new URLSearchParams({ ...common, ...terms })}`;
  }
}
