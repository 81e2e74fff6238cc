import { ConfigurationError, type Environment, readEnvironment } from '@clearframe/runtime/config';
import { z } from 'zod';

const schema = z.object({
  CLEARFRAME_ENV: z.string().optional(),
  MOBILE_PROVIDER: z.enum(['sandbox', 'none']).optional(),
});

/** The sandbox locally; none in production. */
export class MobileConfig {
  private constructor(readonly provider: 'sandbox' | 'none') {}

  static fromEnvironment(environment: Environment): MobileConfig {
    const env = readEnvironment(schema, environment);
    const isProduction = env.CLEARFRAME_ENV === 'production';
    if (isProduction && env.MOBILE_PROVIDER === 'sandbox') {
      throw new ConfigurationError(
        'MOBILE_PROVIDER: the sandbox grants free subscriptions and is refused in production',
      );
    }
    return new MobileConfig(env.MOBILE_PROVIDER ?? (isProduction ? 'none' : 'sandbox'));
  }
}
