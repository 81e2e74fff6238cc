import { inMilliseconds } from '@clearframe/contract';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { RootLog } from '../logging/index.js';
import { RedisConfig } from './redis.config.js';
import { WatchedRedis } from './watched-redis.js';

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
