import { Global, Injectable, Module, type OnApplicationShutdown } from '@nestjs/common';
import { Redis } from 'ioredis';
import { RedisConfig } from '../config/redis.config.js';
import { RootLog } from '../logging/logging.module.js';

const COMMAND_TIMEOUT_MS = 1_000;
const MAX_RECONNECT_DELAY_MS = 1_000;

/** The connection for short questions. It fails fast while Redis is away: a poll asks again anyway. */
@Injectable()
export class RedisClient extends Redis implements OnApplicationShutdown {
  constructor(config: RedisConfig, { log }: RootLog) {
    super(config.url, {
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      commandTimeout: COMMAND_TIMEOUT_MS,
      retryStrategy: (attempt) => Math.min(attempt * 100, MAX_RECONNECT_DELAY_MS),
    });
    // Once per outage: a client that reconnects says the same many times a second.
    let away = false;
    this.on('error', ({ message }: Error) => {
      if (!away) log.warn({ reason: message }, 'Redis is away');
      away = true;
    });
    this.on('ready', () => {
      if (away) log.info('Redis is back');
      away = false;
    });
  }

  onApplicationShutdown(): void {
    this.disconnect();
  }
}

@Global()
@Module({ providers: [RedisClient], exports: [RedisClient] })
export class RedisModule {}
