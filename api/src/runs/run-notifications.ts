import { inMilliseconds } from '@clearframe/contract';
import { type BeforeApplicationShutdown, Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Client } from 'pg';
import type { EntityManager } from 'typeorm';
import { DatabaseConfig } from '../platform/database/database.module.js';

const CHANNEL = 'clearframe_run_settled';
const CONNECT_TIMEOUT_MS = inMilliseconds.seconds(3);
const RECONNECT_MS = inMilliseconds.seconds(1);
/** In case a notification was lost with its connection. */
const RECHECK_MS = inMilliseconds.seconds(5);

/** Wakes requests that wait for one of the ids: the run's, its subject's. */
export async function notifySettled(manager: EntityManager, ...ids: readonly string[]): Promise<void> {
  await manager.query('SELECT pg_notify($1, $2)', [CHANNEL, ids.join(' ')]);
}

/** Uses PostgreSQL's LISTEN, so any process may settle the run. */
@Injectable()
export class RunNotifications implements BeforeApplicationShutdown, OnApplicationShutdown {
  private readonly logger = new Logger(RunNotifications.name);
  private readonly waiting = new Map<string, Set<() => void>>();
  private listening: Promise<void> | null = null;
  private client: Client | null = null;
  private isClosed = false;

  constructor(private readonly config: DatabaseConfig) {}

  /**
   * Calls `check` now and whenever the run may have been settled, until it returns a result.
   * @param id of the run or its subject
   * @returns undefined after `timeoutMs`, when the signal is aborted and when the process ends
   */
  async waitFor<Result>(
    id: string,
    timeoutMs: number,
    check: () => Promise<Result | undefined>,
    signal?: AbortSignal,
  ): Promise<Result | undefined> {
    const deadline = Date.now() + timeoutMs;
    void this.listen();
    for (;;) {
      // Registered before the check, so that no notification is missed.
      const notified = this.next(id, Math.min(RECHECK_MS, deadline - Date.now()), signal);
      try {
        const result = await check();
        if (result !== undefined || this.isClosed || signal?.aborted || Date.now() >= deadline) return result;
        await notified.promise;
      } finally {
        notified.stop();
      }
    }
  }

  private next(id: string, timeoutMs: number, signal?: AbortSignal): { promise: Promise<void>; stop: () => void } {
    const { promise, resolve } = Promise.withResolvers<void>();
    const resolvers = this.waiting.get(id) ?? new Set();
    this.waiting.set(id, resolvers);
    const stop = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
      resolvers.delete(stop);
      if (resolvers.size === 0) this.waiting.delete(id);
      resolve();
    };
    signal?.addEventListener('abort', stop);
    const timer = setTimeout(stop, Math.max(0, timeoutMs));
    resolvers.add(stop);
    return { promise, stop };
  }

  private wake(id: string): void {
    for (const resolve of [...(this.waiting.get(id) ?? [])]) resolve();
  }

  private wakeAll(): void {
    for (const id of [...this.waiting.keys()]) this.wake(id);
  }

  private listen(): Promise<void> {
    this.listening ??= this.connect().catch((error: Error) => {
      this.logger.warn(`not listening for settled runs: ${error.message}`);
      this.listening = null;
    });
    return this.listening;
  }

  private async connect(): Promise<void> {
    const client = new Client({
      connectionString: this.config.url,
      application_name: 'clearframe-api-listen',
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      // Limits LISTEN.
      query_timeout: CONNECT_TIMEOUT_MS,
      keepAlive: true,
    });
    client.on('notification', ({ payload = '' }) => {
      for (const id of payload.split(' ')) this.wake(id);
    });
    client.on('error', () => undefined);
    client.on('end', () => this.reconnect(client));
    this.client = client;
    try {
      await client.connect();
      await client.query(`LISTEN ${CHANNEL}`);
    } catch (error) {
      // Its end starts the next attempt.
      void client.end().catch(() => undefined);
      throw error;
    }
    // Runs settled before LISTEN were not notified.
    this.wakeAll();
  }

  private reconnect(client: Client): void {
    if (this.isClosed || this.client !== client) return;
    this.listening = null;
    setTimeout(() => {
      if (!this.isClosed && this.waiting.size > 0) void this.listen();
    }, RECONNECT_MS).unref();
  }

  /** Answers requests that wait, for which the server would wait. */
  beforeApplicationShutdown(): void {
    this.isClosed = true;
    this.wakeAll();
  }

  async onApplicationShutdown(): Promise<void> {
    this.isClosed = true;
    await this.client?.end().catch(() => undefined);
  }
}
