import { ConfigurationError, type Environment, readEnvironment } from '@clearframe/runtime/config';
import { z } from 'zod';
import { notConfigured } from '../platform/errors/app-error.js';
import { sandboxUrlIn } from '../platform/sandbox.js';

const schema = z.object({
  CLEARFRAME_ENV: z.string().optional(),
  MOBILE_PROVIDER: z.enum(['sandbox', 'none']).optional(),
});

export class MobileConfig {
  private constructor(readonly sandboxUrl: string | null) {}

  static fromEnvironment(environment: Environment): MobileConfig {
    const env = readEnvironment(schema, environment);
    if (env.CLEARFRAME_ENV === 'production' && env.MOBILE_PROVIDER === 'sandbox') {
      throw new ConfigurationError(
        'MOBILE_PROVIDER: the sandbox grants free subscriptions and is refused in production',
      );
    }
    const url = sandboxUrlIn(environment);
    if (env.MOBILE_PROVIDER === 'sandbox' && url === null) throw new ConfigurationError('SANDBOX_URL: is missing');
    return new MobileConfig(env.MOBILE_PROVIDER === 'none' ? null : url);
  }
}

export interface MobileAccount {
  readonly oracleBackendId: string;
  readonly email: string;
  readonly isEmailVerified: boolean;
  readonly isSubscribed: boolean;
  readonly currentPeriodEnd: Date | null;
}

export abstract class MobileAccounts {
  abstract find(oracleBackendId: string): Promise<MobileAccount | null>;
}

export class UnconfiguredMobile extends MobileAccounts {
  async find(): Promise<never> {
    throw notConfigured('mobile accounts');
  }
}
