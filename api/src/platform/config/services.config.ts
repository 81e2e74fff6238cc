import { z } from 'zod';
import { type Environment, readEnvironment } from './environment.js';

const database = z.object({
  DATABASE_URL: z.url({ error: 'is missing or not a postgres:// address', protocol: /^postgres(ql)?$/ }),
});

/** Where PostgreSQL is. */
export class DatabaseConfig {
  private constructor(readonly url: string) {}

  static fromEnvironment(environment: Environment): DatabaseConfig {
    return new DatabaseConfig(readEnvironment(database, environment).DATABASE_URL);
  }
}

const redis = z.object({
  REDIS_URL: z.url({ error: 'is missing or not a redis:// address', protocol: /^rediss?$/ }),
});

/** Where Redis is. */
export class RedisConfig {
  private constructor(readonly url: string) {}

  static fromEnvironment(environment: Environment): RedisConfig {
    return new RedisConfig(readEnvironment(redis, environment).REDIS_URL);
  }
}
