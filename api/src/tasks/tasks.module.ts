import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { FlagsModule } from '../platform/flags/flags.module.js';
import { StorageModule } from '../platform/storage/storage.module.js';
import { RunsModule } from '../runs/runs.module.js';
import { UsersModule } from '../users/users.module.js';
import { BulkUploadRow, BulkUploadsRepository } from './bulk-uploads.repository.js';
import { EnhanceRun } from './enhance-run.js';
import { DiscardedFiles } from './kept-results.js';
import { OutputPresenter } from './output-presenter.js';
import { RenditionRow, RenditionsRepository } from './renditions.repository.js';
import { RenditionsService } from './renditions.service.js';
import { ReprocessService } from './reprocess.service.js';
import { TaskRow } from './task.entity.js';
import { TaskPresenter } from './task.presenter.js';
import { TaskFiles } from './task-files.service.js';
import { ProcessingSettings } from './task-order.js';
import { TaskRetention } from './task-retention.js';
import { TasksController } from './tasks.controller.js';
import { TasksRepository } from './tasks.repository.js';
import { TasksService } from './tasks.service.js';
import { TasksPersonalData } from './tasks-personal-data.js';
import { VideoPresenter } from './video-presenter.js';

@Module({
  imports: [
    FlagsModule,
    TypeOrmModule.forFeature([BulkUploadRow, RenditionRow, TaskRow]),
    RunsModule,
    StorageModule,
    UsersModule,
  ],
  controllers: [TasksController],
  providers: [
    DiscardedFiles,
    EnhanceRun,
    ProcessingSettings,
    RenditionsService,
    ReprocessService,
    TaskFiles,
    TaskRetention,
    TasksService,
    TaskPresenter,
    TasksRepository,
    BulkUploadsRepository,
    RenditionsRepository,
    TasksPersonalData,
    VideoPresenter,
    OutputPresenter,
  ],
  exports: [
    BulkUploadsRepository,
    OutputPresenter,
    ProcessingSettings,
    RenditionsRepository,
    RenditionsService,
    ReprocessService,
    TaskFiles,
    TaskPresenter,
    TaskRetention,
    TasksRepository,
    TasksService,
    VideoPresenter,
  ],
})
export class TasksModule {}
