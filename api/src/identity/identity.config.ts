import { z } from 'zod';
import { ConfigurationError, type Environment, readEnvironment } from '../platform/config/environment.js';

const schema = z.object({
  CLEARFRAME_ENV: z.string().optional(),
  IDENTITY_PROVIDER: z.enum(['sandbox', 'none']).optional(),
});

/** Which identity provider answers: the sandbox locally; in production none until one is configured. */
export class IdentityConfig {
  private constructor(readonly provider: 'sandbox' | 'none') {}

  static fromEnvironment(environment: Environment): IdentityConfig {
    const { CLEARFRAME_ENV, IDENTITY_PROVIDER } = readEnvironment(schema, environment);
    const isProduction = CLEARFRAME_ENV === 'production';
    if (isProduction && IDENTITY_PROVIDER === 'sandbox') {
      throw new ConfigurationError(
        'IDENTITY_PROVIDER: the sandbox lets anybody be anybody and is refused in production',
      );
    }
    return new IdentityConfig(IDENTITY_PROVIDER ?? (isProduction ? 'none' : 'sandbox'));
  }
}
