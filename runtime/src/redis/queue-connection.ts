import { setTimeout } from 'node:timers/promises';
import { inMilliseconds } from '@clearframe/contract';
import { type BeforeApplicationShutdown, Injectable, Module } from '@nestjs/common';
import { createIORedisClient, RedisConnection } from 'bullmq';
import { RedisConfig } from './redis-client.js';
import { WatchedRedis } from './watched-redis.js';

const MAX_RECONNECT_DELAY_MS = inMilliseconds.seconds(1);
/** For the timer of a planned attempt to fire. */
const TIMER_MARGIN_MS = 20;

/** Connection options of BullMQ and ioredis. */
export interface QueueConnectionOptions {
  url: string;
  maxRetriesPerRequest: null;
  retryStrategy: (attempt: number) => number | null;
}

/** Opens BullMQ's connections, which have {@link QueueConnectionOptions}. */
RedisConnection.clientFactory = ({
  url,
  ...options
}: ConstructorParameters<typeof WatchedRedis>[1] & { url?: string }) => {
  if (url === undefined) throw new Error('a connection of BullMQ has no URL');
  return createIORedisClient(new WatchedRedis(url, options));
};

/** BullMQ's connections wait for an unreachable Redis, except at shutdown, where `close` would wait too. */
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

  /** Resolves when no connection waits for a retry: ioredis never ends a client disconnected during that wait. */
  async stopReconnecting(): Promise<void> {
    this.isClosing = true;
    const waitMs = this.nextAttemptAt + TIMER_MARGIN_MS - Date.now();
    if (waitMs > 0) await setTimeout(waitMs);
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.stopReconnecting();
  }
}

/** Provides {@link QueueConnection}; needs a global {@link RedisConfig}. */
@Module({ providers: [QueueConnection], exports: [QueueConnection] })
export class QueueConnectionModule {}

/** The part of a BullMQ worker that {@link watchConnections} uses. */
interface ConnectingWorker {
  waitUntilReady(): Promise<unknown>;
}

/**
 * Returns whether all connections of a worker of BullMQ have been open. Before, it has no job, and has to be closed by
 * force: `close` would wait for ever for a connection that was lost while it opened, because ioredis keeps its first
 * command for another attempt and at shutdown makes none.
 */
export function watchConnections(worker: ConnectingWorker): () => boolean {
  let haveOpened = false;
  worker.waitUntilReady().then(
    () => {
      haveOpened = true;
    },
    () => undefined,
  );
  return () => haveOpened;
}
