import { z } from 'zod';
import { type Environment, readEnvironment } from '../config/index.js';

const schema = z.object({
  REDIS_URL: z.url({ error: 'is missing or not a redis:// URL', protocol: /^rediss?$/ }),
});

export class RedisConfig {
  constructor(readonly url: string) {}

  static fromEnvironment(environment: Environment): RedisConfig {
    return new RedisConfig(readEnvironment(schema, environment).REDIS_URL);
  }
}
