import { Module } from '@nestjs/common';
import { StorageModule } from '../platform/storage/storage.module.js';
import { RunsModule } from '../runs/runs.module.js';
import { TasksModule } from '../tasks/tasks.module.js';
import { UsersModule } from '../users/users.module.js';
import { AnalysesController } from './analyses.controller.js';
import { AnalysesService, AnalyzeRun } from './analyses.service.js';

@Module({
  imports: [RunsModule, StorageModule, TasksModule, UsersModule],
  controllers: [AnalysesController],
  providers: [AnalysesService, AnalyzeRun],
})
export class AnalysesModule {}
