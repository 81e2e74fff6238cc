import { ENVIRONMENT } from '@clearframe/runtime/config';
import { Module, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';
import { rawScope } from '../platform/http/raw-scope.js';
import { DiskStore } from './disk/disk-store.js';
import { registerMediaRoutes } from './disk/media.routes.js';
import { ObjectStore } from './object-store.js';
import { StorageConfig } from './storage.config.js';
import { StorageHealth } from './storage-health.js';

/** Media: where it lies and how it is reached. */
@Module({
  providers: [
    { provide: StorageConfig, inject: [ENVIRONMENT], useFactory: StorageConfig.fromEnvironment },
    DiskStore,
    StorageHealth,
    { provide: ObjectStore, useExisting: DiskStore },
  ],
  exports: [ObjectStore, DiskStore, StorageConfig],
})
export class StorageModule implements OnModuleInit {
  constructor(
    private readonly adapter: HttpAdapterHost,
    private readonly store: DiskStore,
    private readonly config: StorageConfig,
  ) {}

  async onModuleInit(): Promise<void> {
    await this.store.check();
    await rawScope(this.adapter.httpAdapter.getInstance<FastifyInstance>(), (scope) =>
      registerMediaRoutes(scope, this.store, this.config.signingSecret),
    );
  }
}
