import { ConfigurationError, type Environment, readEnvironment } from '@clearframe/runtime/config';
import { z } from 'zod';

const schema = z.object({
  CLEARFRAME_ENV: z.string().optional(),
  IDENTITY_PROVIDER: z.enum(['sandbox', 'firebase', 'none']).optional(),
  // Asked for whatever the provider: an emulator in production is a mistake that nobody should live with.
  FIREBASE_AUTH_EMULATOR_HOST: z.string().optional(),
});

/** Which identity provider answers: the sandbox locally; in production none until one is configured. */
export class IdentityConfig {
  private constructor(readonly provider: 'sandbox' | 'firebase' | 'none') {}

  static fromEnvironment(environment: Environment): IdentityConfig {
    const env = readEnvironment(schema, environment);
    const isProduction = env.CLEARFRAME_ENV === 'production';
    if (isProduction && env.IDENTITY_PROVIDER === 'sandbox') {
      throw new ConfigurationError(
        'IDENTITY_PROVIDER: the sandbox lets anybody be anybody and is refused in production',
      );
    }
    if (isProduction && env.FIREBASE_AUTH_EMULATOR_HOST) {
      throw new ConfigurationError(
        'FIREBASE_AUTH_EMULATOR_HOST: the emulator takes tokens that nobody has signed and is refused in production',
      );
    }
    return new IdentityConfig(env.IDENTITY_PROVIDER ?? (isProduction ? 'none' : 'sandbox'));
  }
}
