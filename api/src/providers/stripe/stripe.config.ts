import { PRICES } from '@clearframe/contract';
import { type Environment, readEnvironment, Settings } from '@clearframe/runtime/config';
import { z } from 'zod';
import { publicUrlIn } from '../../platform/config/app.config.js';
import { idsIn, type ProviderIds, refuseOtherServers, text, url } from '../provider-settings.js';

/** Script of the SDK's API version. */
const SCRIPT_URL = 'https://js.stripe.com/endive/stripe.js';

const schema = z.object({
  CLEARFRAME_ENV: z.string().optional(),
  STRIPE_SECRET_KEY: text,
  STRIPE_PUBLISHABLE_KEY: text,
  STRIPE_WEBHOOK_SECRET: text,
  STRIPE_PRICES: text,
  STRIPE_TRIAL_OFFERS: text,
  STRIPE_API_URL: url().optional(),
  STRIPE_SCRIPT_URL: url().optional(),
});

interface StripeSettings {
  readonly secretKey: string;
  readonly publishableKey: string;
  readonly webhookSecret: string;
  readonly prices: ProviderIds;
  readonly trialOffers: ProviderIds;
  /** Base URL of the sandbox; null for Stripe. */
  readonly apiUrl: URL | null;
  /** Script of the form in the browser; null for a server that has none. */
  readonly scriptUrl: string | null;
  readonly portalReturnUrl: string;
}

export class StripeConfig extends Settings<StripeSettings>() {
  static fromEnvironment(environment: Environment): StripeConfig {
    const env = readEnvironment(schema, environment);
    refuseOtherServers(env, 'Stripe', ['STRIPE_API_URL', 'STRIPE_SCRIPT_URL']);
    const intros = PRICES.filter(({ kind }) => kind === 'intro');
    return new StripeConfig({
      secretKey: env.STRIPE_SECRET_KEY,
      publishableKey: env.STRIPE_PUBLISHABLE_KEY,
      webhookSecret: env.STRIPE_WEBHOOK_SECRET,
      prices: idsIn('STRIPE_PRICES', env.STRIPE_PRICES, PRICES),
      trialOffers: idsIn('STRIPE_TRIAL_OFFERS', env.STRIPE_TRIAL_OFFERS, intros),
      apiUrl: env.STRIPE_API_URL ? new URL(env.STRIPE_API_URL) : null,
      scriptUrl: env.STRIPE_SCRIPT_URL ?? (env.STRIPE_API_URL ? null : SCRIPT_URL),
      portalReturnUrl: `${publicUrlIn(environment)}/account`,
    });
  }
}
