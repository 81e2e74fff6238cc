import { inMilliseconds } from '@clearframe/contract';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Client } from 'pg';
import type { EntityManager } from 'typeorm';
import { DatabaseConfig } from '../platform/database/database.module.js';

const CHANNEL = 'clearframe_run_settled';
const CONNECT_TIMEOUT_MS = inMilliseconds.seconds(3);
const RECONNECT_MS = inMilliseconds.seconds(1);
/** In case a notification was lost with its connection. */
const RECHECK_MS = inMilliseconds.seconds(5);

export async function notifySettled(manager: EntityManager, runId: string): Promise<void> {
  await manager.query('SELECT pg_notify($1, $2)', [CHANNEL, runId]);
}

/** Uses PostgreSQL's LISTEN, so any process may settle the run. */
@Injectable()
export class RunNotifications implements OnApplicationShutdown {
  private readonly logger = new Logger(RunNotifications.name);
  private readonly waiting = new Map<string, Set<() => void>>();
  private listening: Promise<void> | null = null;
  private client: Client | null = null;
  private isClosed = false;

  constructor(private readonly config: DatabaseConfig) {}

  /**
   * Calls `check` now and whenever the run may have been settled, until it returns a result.
   * @returns undefined after `timeoutMs`
   */
  async waitFor<Result>(
    runId: string,
    timeoutMs: number,
    check: () => Promise<Result | undefined>,
  ): Promise<Result | undefined> {
    const deadline = Date.now() + timeoutMs;
    void this.listen();
    for (;;) {
      // Registered before the check, so that no notification is missed.
      const notified = this.next(runId, Math.min(RECHECK_MS, deadline - Date.now()));
      const result = await check();
      if (result !== undefined || Date.now() >= deadline) {
        notified.stop();
        return result;
      }
      await notified.promise;
    }
  }

  private next(runId: string, timeoutMs: number): { promise: Promise<void>; stop: () => void } {
    const { promise, resolve } = Promise.withResolvers<void>();
    const resolvers = this.waiting.get(runId) ?? new Set();
    this.waiting.set(runId, resolvers);
    const stop = (): void => {
      clearTimeout(timer);
      resolvers.delete(stop);
      if (resolvers.size === 0) this.waiting.delete(runId);
      resolve();
    };
    const timer = setTimeout(stop, Math.max(0, timeoutMs));
    resolvers.add(stop);
    return { promise, stop };
  }

  private wake(runId: string): void {
    for (const resolve of [...(this.waiting.get(runId) ?? [])]) resolve();
  }

  private wakeAll(): void {
    for (const runId of [...this.waiting.keys()]) this.wake(runId);
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
    client.on('notification', ({ payload }) => payload && this.wake(payload));
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

  async onApplicationShutdown(): Promise<void> {
    this.isClosed = true;
    this.wakeAll();
    await this.client?.end().catch(() => undefined);
  }
}
