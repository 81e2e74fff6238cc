import { ObjectStore, StorageConfig } from '@clearframe/runtime/storage';
import { Module, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';
import { SigningConfig } from '../platform/config/signing.config.js';
import { rawScope } from '../platform/http/raw-scope.js';
import { StorageModule } from '../platform/storage/storage.module.js';
import { TasksModule } from '../tasks/tasks.module.js';
import { registerUploadRoute } from '../tasks/uploads/upload.routes.js';
import { UploadTasks } from '../tasks/uploads/upload-tasks.js';

/** Mounts the upload address of the disk store; S3 has its own. */
@Module({ imports: [StorageModule, TasksModule] })
export class UploadRoutesModule implements OnModuleInit {
  constructor(
    private readonly adapter: HttpAdapterHost,
    private readonly store: ObjectStore,
    private readonly tasks: UploadTasks,
    private readonly storage: StorageConfig,
    private readonly signing: SigningConfig,
  ) {}

  async onModuleInit(): Promise<void> {
    if (this.storage.settings.driver !== 'disk') return;
    await rawScope(this.adapter.httpAdapter.getInstance<FastifyInstance>(), (scope) =>
      registerUploadRoute(scope, this.store, this.tasks, this.signing.secret),
    );
  }
}
