import type { LoginProvider } from '@clearframe/contract';
import { ConfigurationError, type Environment, readEnvironment } from '@clearframe/runtime/config';
import { z } from 'zod';
import { notConfigured } from '../platform/errors/app-error.js';

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

export interface Identity {
  /** The provider's user id; the only key of an account. */
  readonly uid: string;
  /** Null when the provider gives none. */
  readonly email: string | null;
  /** An unverified address proves nothing. */
  readonly isEmailVerified: boolean;
  readonly source: LoginProvider;
}

export abstract class IdentityProvider {
  /**
   * @throws AppError `users.identity_rejected` for an invalid or expired token, one of another project, or one of an
   * unsupported sign-in provider; `service.unavailable` while the token can't be verified
   */
  abstract verify(idToken: string): Promise<Identity>;
  abstract delete(uid: string): Promise<void>;
}

export class UnconfiguredIdentity extends IdentityProvider {
  override async verify(): Promise<Identity> {
    throw notConfigured('sign-in');
  }

  override async delete(): Promise<void> {
    throw notConfigured('sign-in');
  }
}
