import { ENVIRONMENT, type Environment } from '@clearframe/runtime/config';
import { type DynamicModule, Module, type Provider } from '@nestjs/common';
import { BillingClock } from './billing-clock.js';
import { CardProvider } from './card-provider.js';
import { CardAndWalletPrices } from './configured-prices.js';
import { PaymentProviders } from './payment-providers.js';
import { PaymentsConfig } from './payments.config.js';
import { PayPalConfig } from './paypal/paypal.config.js';
import { PayPalPlans } from './paypal/paypal-plans.js';
import { PayPalWallet } from './paypal/paypal-wallet.js';
import { ProviderPrices } from './provider-prices.js';
import { StripeConfig } from './stripe/stripe.config.js';
import { StripeCards } from './stripe/stripe-cards.js';
import { StripePrices } from './stripe/stripe-prices.js';
import { SystemClock, UnconfiguredCards, UnconfiguredPrices, UnconfiguredWallet } from './unconfigured-providers.js';
import { WalletProvider } from './wallet-provider.js';

const STRIPE: readonly Provider[] = [
  {
    provide: StripeConfig,
    inject: [ENVIRONMENT],
    useFactory: (environment: Environment) => StripeConfig.fromEnvironment(environment),
  },
  StripePrices,
];

const PAYPAL: readonly Provider[] = [
  {
    provide: PayPalConfig,
    inject: [ENVIRONMENT],
    useFactory: (environment: Environment) => PayPalConfig.fromEnvironment(environment),
  },
  PayPalPlans,
  { provide: ProviderPrices, useClass: CardAndWalletPrices },
];

const UNCONFIGURED: readonly Provider[] = [
  { provide: CardProvider, useClass: UnconfiguredCards },
  { provide: WalletProvider, useClass: UnconfiguredWallet },
  { provide: ProviderPrices, useClass: UnconfiguredPrices },
  PaymentProviders,
];

const adapters = (hasWallet: boolean): Provider[] => [
  ...STRIPE,
  PaymentProviders,
  { provide: CardProvider, useClass: StripeCards },
  { provide: WalletProvider, useClass: hasWallet ? PayPalWallet : UnconfiguredWallet },
  ...(hasWallet ? PAYPAL : [{ provide: ProviderPrices, useExisting: StripePrices }]),
];

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
      providers: [...(provider === 'none' ? UNCONFIGURED : adapters(hasWallet)), ...clock],
      exports: [CardProvider, PaymentProviders, WalletProvider, ProviderPrices, BillingClock],
    };
  }
}
