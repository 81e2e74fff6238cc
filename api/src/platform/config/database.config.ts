import { type Environment, readEnvironment } from '@clearframe/runtime/config';
import { z } from 'zod';

const schema = z.object({
  DATABASE_URL: z.url({ error: 'is missing or not a postgres:// URL', protocol: /^postgres(ql)?$/ }),
});

export class DatabaseConfig {
  private constructor(readonly url: string) {}

  static fromEnvironment(environment: Environment): DatabaseConfig {
    return new DatabaseConfig(readEnvironment(schema, environment).DATABASE_URL);
  }
}
