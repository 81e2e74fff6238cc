import { setTimeout } from 'node:timers/promises';
import { inMilliseconds } from '@clearframe/contract';
import { type BeforeApplicationShutdown, Injectable, Module } from '@nestjs/common';
import { RedisConfig } from './redis.config.js';

const MAX_RECONNECT_DELAY_MS = inMilliseconds.seconds(1);
/** After the planned time of an attempt, for its timer to fire. */
const TIMER_MARGIN_MS = 20;

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
  private nextAttemptAt = 0;

  constructor(private readonly config: RedisConfig) {}

  get options(): QueueConnectionOptions {
    return {
      url: this.config.url,
      maxRetriesPerRequest: null,
      retryStrategy: (attempt) => {
        if (this.isClosing) return null;
        const delay = Math.min(attempt * 100, MAX_RECONNECT_DELAY_MS);
        this.nextAttemptAt = Math.max(this.nextAttemptAt, Date.now() + delay);
        return delay;
      },
    };
  }

  /** Resolves when no connection waits for another attempt: ioredis never ends a client that is disconnected meanwhile. */
  async stopReconnecting(): Promise<void> {
    this.isClosing = true;
    const waitMs = this.nextAttemptAt + TIMER_MARGIN_MS - Date.now();
    if (waitMs > 0) await setTimeout(waitMs);
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.stopReconnecting();
  }
}

@Module({ providers: [QueueConnection], exports: [QueueConnection] })
export class QueueConnectionModule {}
