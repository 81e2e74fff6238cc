import { Module } from '@nestjs/common';
import { StorageModule } from '../platform/storage/storage.module.js';
import { RunsModule } from '../runs/runs.module.js';
import { TasksModule } from '../tasks/tasks.module.js';
import { UsersModule } from '../users/users.module.js';
import { LooksController } from './looks.controller.js';
import { LooksRun, LooksService } from './looks.service.js';

@Module({
  imports: [RunsModule, StorageModule, TasksModule, UsersModule],
  controllers: [LooksController],
  providers: [LooksRun, LooksService],
})
export class LooksModule {}
