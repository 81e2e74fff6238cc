import { ENVIRONMENT, type Environment } from '@clearframe/runtime/config';
import { type DynamicModule, Module, type Provider } from '@nestjs/common';
import { BillingClock, SystemClock } from './billing-clock.js';
import { CardProvider, PaymentProviders, WalletProvider } from './payment-provider.js';
import { PaymentsConfig } from './payments.config.js';
import { PayPalConfig } from './paypal/paypal.config.js';
import { PayPalPlans } from './paypal/paypal-plans.js';
import { PayPalWallet } from './paypal/paypal-wallet.js';
import { ProviderPrices } from './provider-prices.js';
import { StripeConfig } from './stripe/stripe.config.js';
import { StripeCards } from './stripe/stripe-cards.js';
import { StripePrices } from './stripe/stripe-prices.js';
import { UnconfiguredCards, UnconfiguredWallet } from './unconfigured-providers.js';

/** Providers of the ports' implementations, by what is configured. */
function adapters(hasCards: boolean, hasWallet: boolean): Provider[] {
  return [
    PaymentProviders,
    ...(hasCards ? [configured(StripeConfig), StripePrices] : []),
    ...(hasWallet ? [configured(PayPalConfig), PayPalPlans] : []),
    { provide: CardProvider, useClass: hasCards ? StripeCards : UnconfiguredCards },
    { provide: WalletProvider, useClass: hasWallet ? PayPalWallet : UnconfiguredWallet },
    {
      provide: ProviderPrices,
      inject: [
        { token: StripePrices, optional: true },
        { token: PayPalPlans, optional: true },
      ],
      useFactory: (cards: StripePrices | null = null, wallet: PayPalPlans | null = null) =>
        new ProviderPrices(cards, wallet),
    },
  ];
}

const configured = <Config extends typeof StripeConfig | typeof PayPalConfig>(config: Config): Provider => ({
  provide: config,
  inject: [ENVIRONMENT],
  useFactory: (environment: Environment) => config.fromEnvironment(environment),
});

@Module({})
export class PaymentProvidersModule {
  /** Production loads nothing of the sandbox. */
  static async forEnvironment(environment: Environment): Promise<DynamicModule> {
    const { provider, hasWallet, sandboxUrl } = PaymentsConfig.fromEnvironment(environment);
    const clock: readonly Provider[] =
      provider === 'sandbox'
        ? (await import('./sandbox/sandbox-clock.js')).sandboxClock(sandboxUrl)
        : [{ provide: BillingClock, useClass: SystemClock }];
    return {
      module: PaymentProvidersModule,
      global: true,
      providers: [...adapters(provider !== 'none', hasWallet), ...clock],
      exports: [CardProvider, PaymentProviders, WalletProvider, ProviderPrices, BillingClock],
    };
  }
}
