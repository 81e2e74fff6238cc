import { Global, Module } from '@nestjs/common';
import { StorageConfig } from '../config/storage.config.js';
import { DiskStore } from './disk-store.js';
import { ObjectStore, UnconfiguredObjectStore } from './object-store.js';
import { StorageHealth } from './storage-health.js';

@Global()
@Module({
  providers: [
    StorageHealth,
    {
      provide: ObjectStore,
      inject: [StorageConfig],
      useFactory: async (config: StorageConfig): Promise<ObjectStore> => {
        if (config.mediaFolder === null) return new UnconfiguredObjectStore();
        const store = new DiskStore(config.mediaFolder);
        await store.sweep();
        return store;
      },
    },
  ],
  exports: [ObjectStore],
})
export class StorageModule {}
