import { ConfigurationError, type Environment, readEnvironment } from '@clearframe/runtime/config';
import { z } from 'zod';

const schema = z.object({
  CLEARFRAME_ENV: z.string().optional(),
  PAYMENTS_PROVIDER: z.enum(['sandbox', 'none']).optional(),
  PAYMENTS_SANDBOX_WEBHOOK_URL: z.url({ error: 'is not an absolute URL', protocol: /^https?$/ }).optional(),
});

/** The sandbox locally; none in production. */
export class PaymentsConfig {
  private constructor(
    readonly provider: 'sandbox' | 'none',
    /** Webhook address of the sandbox; null for the process itself. */
    readonly sandboxWebhookUrl: string | null,
  ) {}

  static fromEnvironment(environment: Environment): PaymentsConfig {
    const env = readEnvironment(schema, environment);
    const isProduction = env.CLEARFRAME_ENV === 'production';
    if (isProduction && env.PAYMENTS_PROVIDER === 'sandbox') {
      throw new ConfigurationError('PAYMENTS_PROVIDER: the sandbox moves no money and is refused in production');
    }
    return new PaymentsConfig(
      env.PAYMENTS_PROVIDER ?? (isProduction ? 'none' : 'sandbox'),
      env.PAYMENTS_SANDBOX_WEBHOOK_URL ?? null,
    );
  }
}
