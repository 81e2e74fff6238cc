import { inMilliseconds } from '@clearframe/contract';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { DatabaseConfig } from '../../../../platform/config/database.config.js';
import { databaseOptions } from '../../../../platform/database/database.module.js';
import { waitBriefly } from './shutdown.js';
import { LEDGER_ENTITIES } from './system.entities.js';

/** Few, since transactions are serialized. */
const POOL_SIZE = 4;
/** Requests wait for a connection this long. */
const TIMEOUT_MS = inMilliseconds.seconds(30);

/**
 * Connections of its own, as a real provider has: a request that holds a connection of the product's pool while it calls
 * the provider can't block the provider.
 */
@Injectable()
export class SandboxDatabase implements OnApplicationShutdown {
  private opening: Promise<DataSource> | undefined;

  constructor(private readonly config: DatabaseConfig) {}

  /** Opened at first use, so that the product starts before its database. */
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
    await waitBriefly(Promise.resolve(this.opening?.then((source) => source.destroy())));
  }
}
