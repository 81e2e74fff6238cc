import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { BillingAccountsModule } from '../billing-accounts/billing-accounts.module.js';
import { FlagsModule } from '../platform/flags/flags.service.js';
import { StorageModule } from '../platform/storage/storage.module.js';
import { RunsModule } from '../runs/runs.module.js';
import { UsageModule } from '../usage/usage.module.js';
import { UsersModule } from '../users/users.module.js';
import { VideoAllowancesModule } from '../video-allowances/video-allowances.module.js';
import { DownloadRow } from './download.entity.js';
import { DownloadFiles } from './download-files.repository.js';
import { DueDownloads } from './due-downloads.js';
import { ProcessingSettings } from './enhance-request.js';
import { EnhanceRun } from './enhance-run.js';
import { DiscardedFiles } from './kept-results.js';
import { RemoteFiles } from './remote-files.repository.js';
import { ReprocessService } from './reprocess.service.js';
import { SharingLinks, SharingRow, SharingsRepository } from './sharings.repository.js';
import { BulkUploadRow, TaskRow } from './task.entity.js';
import { TaskPresenter } from './task.presenter.js';
import { TaskFiles } from './task-files.repository.js';
import { TasksController } from './tasks.controller.js';
import { TasksRepository } from './tasks.repository.js';
import { TasksService } from './tasks.service.js';
import { TasksPersonalData } from './tasks-personal-data.js';
import { VideoPresenter } from './video-presenter.js';

@Module({
  imports: [
    FlagsModule,
    TypeOrmModule.forFeature([BulkUploadRow, DownloadRow, SharingRow, TaskRow]),
    RunsModule,
    StorageModule,
    BillingAccountsModule,
    UsageModule,
    UsersModule,
    VideoAllowancesModule,
  ],
  controllers: [TasksController],
  providers: [
    SharingLinks,
    SharingsRepository,
    DiscardedFiles,
    EnhanceRun,
    ProcessingSettings,
    DownloadFiles,
    DueDownloads,
    RemoteFiles,
    ReprocessService,
    TaskFiles,
    TasksService,
    TaskPresenter,
    TasksRepository,
    TasksPersonalData,
    VideoPresenter,
  ],
  exports: [
    SharingLinks,
    SharingsRepository,
    ProcessingSettings,
    DownloadFiles,
    DueDownloads,
    RemoteFiles,
    TaskFiles,
    TaskPresenter,
    TasksRepository,
    TasksService,
    VideoPresenter,
  ],
})
export class TasksModule {}
