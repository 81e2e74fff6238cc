import { inMilliseconds } from '@clearframe/contract';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { DatabaseConfig } from '../../../../platform/config/database.config.js';
import { databaseOptions } from '../../../../platform/database/database.module.js';
import { waitBriefly } from './shutdown.js';
import { LEDGER_ENTITIES } from './system.entities.js';

/** Few: whatever the company does, it does one after the other. */
const POOL_SIZE = 4;
/** Whoever calls while many do waits in the queue. */
const TIMEOUT_MS = inMilliseconds.seconds(30);

/**
 * Connections of the company's own. A company far away would not take them from the product's pool either: a request
 * that holds one of those while it asks the company can't keep the company from answering.
 */
@Injectable()
export class SandboxDatabase implements OnApplicationShutdown {
  private opening: Promise<DataSource> | undefined;

  constructor(private readonly config: DatabaseConfig) {}

  /** Opened at first use, so that a database that is late does not keep the product from starting. */
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
