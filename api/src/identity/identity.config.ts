import { ConfigurationError, type Environment, readEnvironment } from '@clearframe/runtime/config';
import { z } from 'zod';

const schema = z.object({
  CLEARFRAME_ENV: z.string().optional(),
  IDENTITY_PROVIDER: z.enum(['sandbox', 'firebase', 'none']).optional(),
  // Read for every provider: an emulator is refused in production.
  FIREBASE_AUTH_EMULATOR_HOST: z.string().optional(),
});

export class IdentityConfig {
  private constructor(readonly provider: 'sandbox' | 'firebase' | 'none') {}

  static fromEnvironment(environment: Environment): IdentityConfig {
    const env = readEnvironment(schema, environment);
    const isProduction = env.CLEARFRAME_ENV === 'production';
    if (isProduction && env.IDENTITY_PROVIDER === 'sandbox') {
      throw new ConfigurationError(
        'IDENTITY_PROVIDER: the sandbox accepts any address without proof and is refused in production',
      );
    }
    if (isProduction && env.FIREBASE_AUTH_EMULATOR_HOST) {
      throw new ConfigurationError(
        'FIREBASE_AUTH_EMULATOR_HOST: the emulator accepts unsigned tokens and is refused in production',
      );
    }
    return new IdentityConfig(env.IDENTITY_PROVIDER ?? (isProduction ? 'none' : 'sandbox'));
  }
}
