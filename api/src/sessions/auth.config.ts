import { type Environment, readEnvironment, secret } from '@clearframe/runtime/config';
import { z } from 'zod';

const schema = z.object({ CLEARFRAME_JWT_SECRET: secret() });

export class AuthConfig {
  private constructor(readonly key: Uint8Array) {}

  static fromEnvironment(environment: Environment): AuthConfig {
    return new AuthConfig(new TextEncoder().encode(readEnvironment(schema, environment).CLEARFRAME_JWT_SECRET));
  }
}
