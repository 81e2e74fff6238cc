import { type Environment, readEnvironment, secret } from '@clearframe/runtime/config';
import { z } from 'zod';

const schema = z.object({ CLEARFRAME_SIGNING_SECRET: secret() });

/** Signs URLs of the disk store. */
export class SigningConfig {
  private constructor(readonly secret: string) {}

  static fromEnvironment(environment: Environment): SigningConfig {
    return new SigningConfig(readEnvironment(schema, environment).CLEARFRAME_SIGNING_SECRET);
  }
}
