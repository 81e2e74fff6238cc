import { PRICES } from '@clearframe/contract';
import { ConfigurationError, type Environment, readEnvironment, Settings } from '@clearframe/runtime/config';
import { z } from 'zod';
import { idsIn, type ProviderIds, refuseOtherServers, text, url } from '../provider-settings.js';

const schema = z.object({
  CLEARFRAME_ENV: z.string().optional(),
  PAYPAL_CLIENT_ID: text,
  PAYPAL_CLIENT_SECRET: text,
  PAYPAL_MERCHANT_ID: text,
  PAYPAL_WEBHOOK_ID: text,
  PAYPAL_PLANS: text,
  PAYPAL_TRIAL_PLANS: text,
  PAYPAL_API_URL: url().optional(),
  PAYPAL_SCRIPT_URL: url().optional(),
  PAYPAL_AUTOMATIC_PAYMENTS_URL: url().default('https://www.paypal.com/myaccount/autopay/'),
});

const API_URL = 'https://api-m.paypal.com';
const SCRIPT_URL = 'https://www.paypal.com/sdk/js';

interface PayPalSettings {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Our account; payments to other accounts are ignored. */
  readonly merchantId: string;
  readonly webhookId: string;
  readonly plans: ProviderIds;
  readonly trialPlans: ProviderIds;
  readonly apiUrl: string;
  /** Script of the buttons in the browser; null for a server that has none. */
  readonly scriptUrl: string | null;
  readonly automaticPaymentsUrl: string;
}

export class PayPalConfig extends Settings<PayPalSettings>() {
  /** @throws ConfigurationError when a recurring price of the catalogue has no plan */
  static fromEnvironment(environment: Environment): PayPalConfig {
    const env = readEnvironment(schema, environment);
    refuseOtherServers(env, 'PayPal', ['PAYPAL_API_URL', 'PAYPAL_SCRIPT_URL']);
    const recurring = PRICES.filter(({ kind }) => kind === 'plan');
    const plans = idsIn('PAYPAL_PLANS', env.PAYPAL_PLANS, recurring);
    const trialPlans = idsIn('PAYPAL_TRIAL_PLANS', env.PAYPAL_TRIAL_PLANS, recurring);
    const both = [...plans.values()].find((id) => [...trialPlans.values()].includes(id));
    if (both !== undefined) throw new ConfigurationError(`PAYPAL_TRIAL_PLANS: ${both} is also one of PAYPAL_PLANS`);
    return new PayPalConfig({
      clientId: env.PAYPAL_CLIENT_ID,
      clientSecret: env.PAYPAL_CLIENT_SECRET,
      merchantId: env.PAYPAL_MERCHANT_ID,
      webhookId: env.PAYPAL_WEBHOOK_ID,
      plans,
      trialPlans,
      apiUrl: (env.PAYPAL_API_URL ?? API_URL).replace(/\/$/, ''),
      scriptUrl: env.PAYPAL_SCRIPT_URL ?? (env.PAYPAL_API_URL ? null : SCRIPT_URL),
      automaticPaymentsUrl: env.PAYPAL_AUTOMATIC_PAYMENTS_URL,
    });
  }
}
