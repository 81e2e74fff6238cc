import { createHmac } from 'node:crypto';
import { type Environment, readEnvironment, secret } from '@clearframe/runtime/config';
import { z } from 'zod';

const schema = z.object({ CLEARFRAME_FINGERPRINT_SECRET: secret() });

/**
 * Hashes fingerprints of payment methods, which outlive accounts. Keyed, so that a card can't be tested against a hash;
 * changing the key makes all trials available again.
 */
export class Fingerprints {
  private constructor(private readonly key: string) {}

  static fromEnvironment(environment: Environment): Fingerprints {
    return new Fingerprints(readEnvironment(schema, environment).CLEARFRAME_FINGERPRINT_SECRET);
  }

  hash(fingerprint: string): string {
    return createHmac('sha256', this.key).update(fingerprint).digest('base64url');
  }
}
