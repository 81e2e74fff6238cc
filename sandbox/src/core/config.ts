import { join, resolve } from 'node:path';
import { ConfigurationError, type Environment, port, readEnvironment } from '@clearframe/runtime/config';
import { z } from 'zod';

const url = () => z.url({ error: 'is not an absolute URL', protocol: /^https?$/ });

const schema = z.object({
  CLEARFRAME_ENV: z.string().optional(),
  CLEARFRAME_DATA: z.string().default('.data'),
  SANDBOX_PORT: port(4002),
  SANDBOX_HOST: z.string().default('127.0.0.1'),
  DATABASE_URL: z.string({ error: 'is missing' }),
  PUBLIC_URL: url(),
  STRIPE_SECRET_KEY: z.string({ error: 'is missing' }),
  STRIPE_WEBHOOK_SECRET: z.string({ error: 'is missing' }),
  SANDBOX_STRIPE_WEBHOOK_URL: url().optional(),
  PAYPAL_CLIENT_ID: z.string({ error: 'is missing' }),
  PAYPAL_CLIENT_SECRET: z.string({ error: 'is missing' }),
  PAYPAL_WEBHOOK_ID: z.string({ error: 'is missing' }),
  PAYPAL_MERCHANT_ID: z.string({ error: 'is missing' }),
  SANDBOX_PAYPAL_WEBHOOK_URL: url().optional(),
  RECAPTCHA_SECRET_KEY: z.string({ error: 'is missing' }),
  ZENDESK_EMAIL: z.string({ error: 'is missing' }),
  ZENDESK_API_TOKEN: z.string({ error: 'is missing' }),
});

export interface SandboxConfig {
  readonly host: string;
  readonly port: number;
  readonly databaseUrl: string;
  readonly publicUrl: string;
  /** Where the product writes mail while it has no mail server. Absent: no mailbox. */
  readonly mailFolder?: string;
  /** Absent: no captcha. */
  readonly captchaSecretKey?: string;
  /** An agent's address and token. Absent: no support desk. */
  readonly zendesk?: { readonly email: string; readonly token: string };
  readonly stripe: {
    readonly secretKey: string;
    readonly webhookSecret: string;
    /** Null: events are stored, not sent. */
    readonly webhookUrl: string | null;
  };
  readonly paypal: {
    readonly clientId: string;
    readonly clientSecret: string;
    /** The product's account, which receives payments. */
    readonly merchantId: string;
    readonly webhookId: string;
    readonly webhookUrl: string | null;
  };
}

/** @throws ConfigurationError in production, where the sandbox never runs */
export function sandboxConfig(environment: Environment): SandboxConfig {
  const env = readEnvironment(schema, environment);
  if (env.CLEARFRAME_ENV === 'production') {
    throw new ConfigurationError('CLEARFRAME_ENV: the sandbox moves no money and does not run in production');
  }
  return {
    host: env.SANDBOX_HOST,
    port: env.SANDBOX_PORT,
    databaseUrl: env.DATABASE_URL,
    publicUrl: env.PUBLIC_URL,
    mailFolder: join(resolve(env.CLEARFRAME_DATA), 'mail'),
    captchaSecretKey: env.RECAPTCHA_SECRET_KEY,
    zendesk: { email: env.ZENDESK_EMAIL, token: env.ZENDESK_API_TOKEN },
    stripe: {
      secretKey: env.STRIPE_SECRET_KEY,
      webhookSecret: env.STRIPE_WEBHOOK_SECRET,
      webhookUrl: env.SANDBOX_STRIPE_WEBHOOK_URL ?? null,
    },
    paypal: {
      clientId: env.PAYPAL_CLIENT_ID,
      clientSecret: env.PAYPAL_CLIENT_SECRET,
      merchantId: env.PAYPAL_MERCHANT_ID,
      webhookId: env.PAYPAL_WEBHOOK_ID,
      webhookUrl: env.SANDBOX_PAYPAL_WEBHOOK_URL ?? null,
    },
  };
}
