import { ConfigurationError, ENVIRONMENT, type Environment, readEnvironment } from '@clearframe/runtime/config';
import type { FactoryProvider } from '@nestjs/common';
import { z } from 'zod';

const schema = z.object({
  CLEARFRAME_ENV: z.string().optional(),
  PAYMENTS_PROVIDER: z.enum(['stripe', 'sandbox', 'none']).optional(),
  PAYPAL_CLIENT_ID: z.string().optional(),
  SANDBOX_URL: z.url({ error: 'is not an absolute URL', protocol: /^https?$/ }).optional(),
});

/** @throws ConfigurationError for the sandbox in production */
export function paymentsProviderIn(environment: Environment): 'stripe' | 'sandbox' | 'none' {
  const { CLEARFRAME_ENV, PAYMENTS_PROVIDER: provider } = readEnvironment(schema, environment);
  const isProduction = CLEARFRAME_ENV === 'production';
  if (isProduction && provider === 'sandbox') {
    throw new ConfigurationError('PAYMENTS_PROVIDER: the sandbox moves no money and is refused in production');
  }
  return provider ?? (isProduction ? 'none' : 'sandbox');
}

/** `stripe`: also PayPal if it is configured. By default the sandbox locally and none in production. */
export class PaymentsConfig {
  private constructor(
    readonly provider: 'stripe' | 'sandbox' | 'none',
    readonly hasWallet: boolean,
    readonly sandboxUrl: string,
  ) {}

  static fromEnvironment(environment: Environment): PaymentsConfig {
    const env = readEnvironment(schema, environment);
    const provider = paymentsProviderIn(environment);
    if (provider === 'sandbox' && !env.SANDBOX_URL) throw new ConfigurationError('SANDBOX_URL: is missing');
    const hasWallet = provider !== 'none' && Boolean(env.PAYPAL_CLIENT_ID);
    return new PaymentsConfig(provider, hasWallet, env.SANDBOX_URL ?? '');
  }
}

export const PAYMENTS_CONFIG: FactoryProvider<PaymentsConfig> = {
  provide: PaymentsConfig,
  inject: [ENVIRONMENT],
  useFactory: (environment: Environment) => PaymentsConfig.fromEnvironment(environment),
};
