import { Module, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';
import { rawScope } from './platform/http/raw-scope.js';
import { DiskStore } from './storage/disk/disk-store.js';
import { StorageConfig } from './storage/storage.config.js';
import { StorageModule } from './storage/storage.module.js';
import { TasksModule } from './tasks/tasks.module.js';
import { registerUploadRoute } from './uploads/upload.routes.js';
import { UploadTasks } from './uploads/upload-tasks.js';

/** Mounts the disk store's upload address. */
@Module({ imports: [StorageModule, TasksModule] })
export class UploadRoutesModule implements OnModuleInit {
  constructor(
    private readonly adapter: HttpAdapterHost,
    private readonly store: DiskStore,
    private readonly tasks: UploadTasks,
    private readonly config: StorageConfig,
  ) {}

  async onModuleInit(): Promise<void> {
    await rawScope(this.adapter.httpAdapter.getInstance<FastifyInstance>(), (scope) =>
      registerUploadRoute(scope, this.store, this.tasks, this.config.signingSecret),
    );
  }
}
