import {
  type DynamicModule,
  type FactoryProvider,
  Global,
  Module,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import type { AddressSigning } from './disk/disk-store.js';
import { ObjectStore } from './object-store.js';
import { openObjectStore } from './open-object-store.js';
import { StorageConfig } from './storage.config.js';
import { StorageHealth } from './storage-health.js';

const ADDRESS_SIGNING = Symbol('address signing');

/**
 * Provides the configured {@link ObjectStore} everywhere and declares the readiness check `storage`. Needs a global
 * {@link StorageConfig}. Imported as it is, addresses of the disk store can't be signed.
 */
@Global()
@Module({
  providers: [
    {
      provide: ObjectStore,
      inject: [StorageConfig, { token: ADDRESS_SIGNING, optional: true }],
      useFactory: openObjectStore,
    },
    StorageHealth,
  ],
  exports: [ObjectStore],
})
export class ObjectStoreModule implements OnModuleInit, OnApplicationShutdown {
  constructor(private readonly store: ObjectStore) {}

  /** For a process that gives out addresses of the disk store. */
  static signing(signing: Pick<FactoryProvider<AddressSigning>, 'inject' | 'useFactory'>): DynamicModule {
    return { module: ObjectStoreModule, providers: [{ provide: ADDRESS_SIGNING, ...signing }] };
  }

  async onModuleInit(): Promise<void> {
    await this.store.removeAbandoned();
  }

  onApplicationShutdown(): Promise<void> {
    return this.store.close();
  }
}
