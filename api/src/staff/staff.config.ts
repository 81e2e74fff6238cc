import { randomBytes } from 'node:crypto';
import { ConfigurationError, type Environment, readEnvironment } from '@clearframe/runtime/config';
import { hashSync } from '@node-rs/argon2';
import { z } from 'zod';

/** In characters. */
export const SHORTEST_PASSWORD = 8;

const schema = z.object({
  CLEARFRAME_ENV: z.string().optional(),
  CLEARFRAME_STAFF_PASSWORD_HASH: z
    .string()
    .regex(/^\$argon2id\$/, { error: 'is no argon2id hash' })
    .optional(),
  CLEARFRAME_STAFF_PASSWORD: z
    .string()
    .min(SHORTEST_PASSWORD, { error: `needs at least ${SHORTEST_PASSWORD} characters` })
    .optional(),
});

/** The staff password, as a hash. */
export class StaffConfig {
  private constructor(
    /** Null closes the menu: no password is right. */
    readonly passwordHash: string | null,
    /** One that was made up because none was given: whoever started the product is told. */
    readonly madeUpPassword: string | null,
  ) {}

  static fromEnvironment(environment: Environment): StaffConfig {
    const env = readEnvironment(schema, environment);
    if (env.CLEARFRAME_STAFF_PASSWORD_HASH) return new StaffConfig(env.CLEARFRAME_STAFF_PASSWORD_HASH, null);
    if (env.CLEARFRAME_ENV === 'production') {
      if (!env.CLEARFRAME_STAFF_PASSWORD) return new StaffConfig(null, null);
      throw new ConfigurationError(
        'CLEARFRAME_STAFF_PASSWORD: in production only CLEARFRAME_STAFF_PASSWORD_HASH will do',
      );
    }
    const given = env.CLEARFRAME_STAFF_PASSWORD;
    const password = given ?? randomBytes(12).toString('base64url');
    // argon2id is what the library makes unless told otherwise.
    return new StaffConfig(hashSync(password), given ? null : password);
  }
}
