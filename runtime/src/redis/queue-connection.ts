import { inMilliseconds } from '@clearframe/contract';
import { type BeforeApplicationShutdown, Injectable, Module } from '@nestjs/common';
import { RedisConfig } from './redis.config.js';

const MAX_RECONNECT_DELAY_MS = inMilliseconds.seconds(1);

/** The part of ioredis' options that is set. */
export interface QueueConnectionOptions {
  url: string;
  maxRetriesPerRequest: null;
  retryStrategy: (attempt: number) => number | null;
}

/**
 * Options of BullMQ's connections. They wait for Redis while it is unreachable. At shutdown they stop waiting: BullMQ's
 * `close` would otherwise not return before Redis does.
 */
@Injectable()
export class QueueConnection implements BeforeApplicationShutdown {
  private isClosing = false;

  constructor(private readonly config: RedisConfig) {}

  get options(): QueueConnectionOptions {
    return {
      url: this.config.url,
      maxRetriesPerRequest: null,
      retryStrategy: (attempt) => (this.isClosing ? null : Math.min(attempt * 100, MAX_RECONNECT_DELAY_MS)),
    };
  }

  beforeApplicationShutdown(): void {
    this.isClosing = true;
  }
}

@Module({ providers: [QueueConnection], exports: [QueueConnection] })
export class QueueConnectionModule {}
