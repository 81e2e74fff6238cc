import { randomBytes } from 'node:crypto';
import { ConfigurationError, type Environment, readEnvironment } from '@clearframe/runtime/config';
import { hashSync } from '@node-rs/argon2';
import { z } from 'zod';

export const MIN_PASSWORD_LENGTH = 8;

const schema = z.object({
  CLEARFRAME_ENV: z.string().optional(),
  CLEARFRAME_STAFF_PASSWORD_HASH: z
    .string()
    .regex(/^\$argon2id\$/, { error: 'is not an argon2id hash' })
    .optional(),
  CLEARFRAME_STAFF_PASSWORD: z.string().optional(),
});

export class StaffConfig {
  private constructor(
    readonly passwordHash: string | null,
    readonly generatedPassword: string | null,
    /** Shorter than {@link MIN_PASSWORD_LENGTH}: usable on a developer's machine. */
    readonly isWeak: boolean,
  ) {}

  static fromEnvironment(environment: Environment): StaffConfig {
    const env = readEnvironment(schema, environment);
    if (env.CLEARFRAME_STAFF_PASSWORD_HASH) return new StaffConfig(env.CLEARFRAME_STAFF_PASSWORD_HASH, null, false);
    if (env.CLEARFRAME_ENV === 'production') {
      if (!env.CLEARFRAME_STAFF_PASSWORD) return new StaffConfig(null, null, false);
      throw new ConfigurationError(
        'CLEARFRAME_STAFF_PASSWORD: in production, set CLEARFRAME_STAFF_PASSWORD_HASH instead',
      );
    }
    const given = env.CLEARFRAME_STAFF_PASSWORD;
    const password = given ?? randomBytes(12).toString('base64url');
    // argon2id by default.
    return new StaffConfig(hashSync(password), given ? null : password, password.length < MIN_PASSWORD_LENGTH);
  }
}
