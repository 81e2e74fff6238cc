import { hkdfSync } from 'node:crypto';
import { type Environment, readEnvironment, secret } from '@clearframe/runtime/config';
import { z } from 'zod';

const schema = z.object({ CLEARFRAME_JWT_SECRET: secret() });
const KEY_BYTES = 32;

export class SealConfig {
  private constructor(readonly key: Uint8Array) {}

  static fromEnvironment(environment: Environment): SealConfig {
    const { CLEARFRAME_JWT_SECRET } = readEnvironment(schema, environment);
    return new SealConfig(new Uint8Array(hkdfSync('sha256', CLEARFRAME_JWT_SECRET, '', 'clearframe seal', KEY_BYTES)));
  }
}
