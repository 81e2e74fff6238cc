import { ObjectStore, ObjectStoreModule, StorageConfig } from '@clearframe/runtime/storage';
import { Module, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';
import { AppConfig } from '../config/app.config.js';
import { rawScope } from '../http/json-body.js';
import { registerMediaRoutes } from './media.routes.js';
import { SigningConfig } from './signed-url.js';

/** Serves objects of the disk store; S3 serves its own. */
@Module({
  imports: [
    ObjectStoreModule.signing({
      inject: [SigningConfig, AppConfig],
      useFactory: ({ secret }: SigningConfig, { publicUrl }: AppConfig) => ({ secret, baseUrl: `${publicUrl}/media/` }),
    }),
  ],
})
export class StorageModule implements OnModuleInit {
  constructor(
    private readonly adapter: HttpAdapterHost,
    private readonly store: ObjectStore,
    private readonly storage: StorageConfig,
    private readonly signing: SigningConfig,
  ) {}

  async onModuleInit(): Promise<void> {
    await this.store.checkWritable();
    const { settings } = this.storage;
    if (settings.driver !== 'disk') return;
    await rawScope(this.adapter.httpAdapter.getInstance<FastifyInstance>(), (scope) =>
      registerMediaRoutes(scope, settings.root, this.signing.secret),
    );
  }
}
