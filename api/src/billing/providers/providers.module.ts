import type { Environment } from '@clearframe/runtime/config';
import { type DynamicModule, Module } from '@nestjs/common';
import { BillingClock, CardProvider, ProviderPrices, WalletProvider } from './port/payment-provider.js';
import { PaymentsConfig } from './port/payments.config.js';
import { SandboxPaymentsModule } from './sandbox/sandbox-payments.module.js';
import { SystemClock, UnconfiguredCards, UnconfiguredPrices, UnconfiguredWallet } from './unconfigured-providers.js';

@Module({})
export class PaymentProvidersModule {
  static forEnvironment(environment: Environment): DynamicModule {
    if (PaymentsConfig.fromEnvironment(environment).provider === 'sandbox') {
      return {
        module: PaymentProvidersModule,
        global: true,
        imports: [SandboxPaymentsModule],
        exports: [SandboxPaymentsModule],
      };
    }
    const providers = [
      { provide: CardProvider, useClass: UnconfiguredCards },
      { provide: WalletProvider, useClass: UnconfiguredWallet },
      { provide: ProviderPrices, useClass: UnconfiguredPrices },
      { provide: BillingClock, useClass: SystemClock },
    ];
    return {
      module: PaymentProvidersModule,
      global: true,
      providers,
      exports: [CardProvider, WalletProvider, ProviderPrices, BillingClock],
    };
  }
}
