import { inMilliseconds } from '@clearframe/contract';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { DatabaseConfig } from '../../../../platform/config/database.config.js';
import { databaseOptions } from '../../../../platform/database/database.module.js';
import { waitWithTimeout } from './shutdown.js';
import { LEDGER_ENTITIES } from './system.entities.js';

/** Transactions are serialized. */
const POOL_SIZE = 4;
/** Time that requests wait for a connection. */
const TIMEOUT_MS = inMilliseconds.seconds(30);

/**
 * A separate connection pool, like a real provider's: a request that holds a connection of the product's pool can't
 * block the provider.
 */
@Injectable()
export class SandboxDatabase implements OnApplicationShutdown {
  private opening: Promise<DataSource> | undefined;

  constructor(private readonly config: DatabaseConfig) {}

  /** On first use, so that the product can start before its database. */
  open(): Promise<DataSource> {
    this.opening ??= this.connect();
    return this.opening;
  }

  private async connect(): Promise<DataSource> {
    const options = databaseOptions(this.config);
    const source = new DataSource({
      ...options,
      entities: LEDGER_ENTITIES,
      extra: {
        ...options.extra,
        max: POOL_SIZE,
        connectionTimeoutMillis: TIMEOUT_MS,
        application_name: 'clearframe-sandbox',
      },
    });
    try {
      return await source.initialize();
    } catch (error) {
      this.opening = undefined;
      throw error;
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await waitWithTimeout(Promise.resolve(this.opening?.then((source) => source.destroy())));
  }
}
