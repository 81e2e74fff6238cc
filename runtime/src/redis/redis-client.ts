import { inMilliseconds } from '@clearframe/contract';
import { Global, Injectable, Module, type OnApplicationShutdown } from '@nestjs/common';
import { z } from 'zod';
import { type Environment, readEnvironment } from '../config/index.js';
import { type Dependency, ReadinessCheck } from '../health/index.js';
import { RootLog } from '../logging/index.js';
import { WatchedRedis } from './watched-redis.js';

const schema = z.object({
  REDIS_URL: z.url({ error: 'is missing or not a redis:// URL', protocol: /^rediss?$/ }),
});

export class RedisConfig {
  constructor(readonly url: string) {}

  static fromEnvironment(environment: Environment): RedisConfig {
    return new RedisConfig(readEnvironment(schema, environment).REDIS_URL);
  }
}

const COMMAND_TIMEOUT_MS = inMilliseconds.seconds(1);
const MAX_RECONNECT_DELAY_MS = inMilliseconds.seconds(1);

/** For short commands. They fail at once while Redis is unreachable; callers have a fallback. */
@Injectable()
export class RedisClient extends WatchedRedis implements OnApplicationShutdown {
  constructor(config: RedisConfig, { log }: RootLog) {
    super(config.url, {
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      commandTimeout: COMMAND_TIMEOUT_MS,
      retryStrategy: (attempt) => Math.min(attempt * 100, MAX_RECONNECT_DELAY_MS),
    });
    // Once per outage: reconnecting repeats the error several times a second.
    let isDown = false;
    this.on('error', ({ message }: Error) => {
      if (!isDown) log.warn({ reason: message }, 'Redis is unreachable');
      isDown = true;
    });
    this.on('ready', () => {
      if (isDown) log.info('Redis is reachable again');
      isDown = false;
    });
  }

  onApplicationShutdown(): void {
    this.disconnect();
  }
}

@Injectable()
@ReadinessCheck({ name: 'redis' })
class RedisHealth implements Dependency {
  constructor(private readonly redis: RedisClient) {}

  check(): Promise<unknown> {
    return this.redis.ping();
  }
}

/** Needs a global {@link RedisConfig} and {@link RootLog}. Declares the readiness check `redis`. */
@Global()
@Module({ providers: [RedisClient, RedisHealth], exports: [RedisClient] })
export class RedisModule {}
