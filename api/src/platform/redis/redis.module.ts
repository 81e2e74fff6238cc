import { Global, Injectable, Logger, Module, type OnApplicationShutdown } from '@nestjs/common';
import { Redis } from 'ioredis';
import { RedisConfig } from '../config/services.config.js';

const COMMAND_TIMEOUT_MS = 1_000;
const MAX_RECONNECT_DELAY_MS = 1_000;

/** The connection for short questions. It fails fast while Redis is away, so that nobody waits for it. */
@Injectable()
export class RedisClient extends Redis implements OnApplicationShutdown {
  constructor(config: RedisConfig) {
    super(config.url, {
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      commandTimeout: COMMAND_TIMEOUT_MS,
      retryStrategy: (attempt) => Math.min(attempt * 100, MAX_RECONNECT_DELAY_MS),
    });
    const logger = new Logger(RedisClient.name);
    // Once per outage: a reconnecting client repeats the same error many times a second.
    let away = false;
    this.on('error', (error: Error) => {
      if (!away) logger.warn(`Redis is away: ${error.message}`);
      away = true;
    });
    this.on('ready', () => {
      if (away) logger.log('Redis is back');
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
