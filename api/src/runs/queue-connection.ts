import { RedisConfig } from '@clearframe/runtime/redis';
import { type BeforeApplicationShutdown, Injectable, Module } from '@nestjs/common';
import type { ConnectionOptions } from 'bullmq';

const MAX_RECONNECT_DELAY_MS = 1_000;

/**
 * BullMQ's connections to Redis. They wait for it while it is away. At shutdown they stop waiting: BullMQ's `close`
 * would otherwise not return before Redis does.
 */
@Injectable()
export class QueueConnection implements BeforeApplicationShutdown {
  private isClosing = false;

  constructor(private readonly config: RedisConfig) {}

  get options(): ConnectionOptions {
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
