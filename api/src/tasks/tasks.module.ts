import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { FlagsModule } from '../platform/flags/flags.module.js';
import { StorageModule } from '../platform/storage/storage.module.js';
import { RunsModule } from '../runs/runs.module.js';
import { UsersModule } from '../users/users.module.js';
import { EnhanceController } from './enhance/enhance.controller.js';
import { EnhanceService } from './enhance/enhance.service.js';
import { TaskRetention } from './lifecycle/task-retention.js';
import { TasksController } from './lifecycle/tasks.controller.js';
import { TasksService } from './lifecycle/tasks.service.js';
import { TasksPersonalData } from './lifecycle/tasks-personal-data.js';
import { LooksController } from './looks/looks.controller.js';
import { LooksService } from './looks/looks.service.js';
import { LooksRun } from './looks/looks-run.js';
import { OutputPresenter } from './presentation/output-presenter.js';
import { TaskPresenter } from './presentation/task.presenter.js';
import { VideoPresenter } from './presentation/video-presenter.js';
import { EnhanceRun } from './processing/enhance-run.js';
import { DiscardedFiles } from './processing/kept-results.js';
import { ProcessingSettings } from './processing/processing-settings.js';
import { BulkUploadRow } from './records/bulk-upload.entity.js';
import { BulkUploadsRepository } from './records/bulk-uploads.repository.js';
import { TaskRow } from './records/task.entity.js';
import { TasksRepository } from './records/tasks.repository.js';
import { RenditionRow } from './renditions/rendition.entity.js';
import { RenditionsRepository } from './renditions/renditions.repository.js';
import { RenditionsService } from './renditions/renditions.service.js';
import { TaskFiles } from './renditions/task-files.service.js';
import { ArchivesService } from './results/archives.service.js';
import { ConversionsService } from './results/conversions.service.js';
import { ExportsService } from './results/exports.service.js';
import { PictureLinksController } from './results/picture-links.controller.js';
import { PictureLinks } from './results/picture-links.js';
import { PictureLinksRepository } from './results/picture-links.repository.js';
import { RenderRun } from './results/render-run.js';
import { ReprocessService } from './results/reprocess.service.js';
import { ResultsController } from './results/results.controller.js';
import { BulkUploadsController } from './uploads/bulk-uploads.controller.js';
import { BulkUploadsService } from './uploads/bulk-uploads.service.js';
import { ResumableRoutes } from './uploads/resumable/resumable.routes.js';
import { ResumableAddress } from './uploads/resumable/resumable-address.js';
import { ResumableUploadsService } from './uploads/resumable/resumable-uploads.service.js';
import { UploadParts } from './uploads/resumable/upload-parts.js';
import { TaskUploadsService } from './uploads/task-uploads.service.js';
import { UploadRoutes } from './uploads/upload.routes.js';
import { UploadExpiry } from './uploads/upload-expiry.js';
import { UploadReceiver } from './uploads/upload-receiver.js';
import { UploadTargets } from './uploads/upload-targets.js';
import { UploadsService } from './uploads/uploads.service.js';

@Module({
  imports: [
    FlagsModule,
    TypeOrmModule.forFeature([BulkUploadRow, RenditionRow, TaskRow]),
    RunsModule,
    StorageModule,
    UsersModule,
  ],
  controllers: [
    BulkUploadsController,
    EnhanceController,
    LooksController,
    PictureLinksController,
    ResultsController,
    TasksController,
  ],
  providers: [
    ArchivesService,
    BulkUploadsService,
    ConversionsService,
    DiscardedFiles,
    EnhanceRun,
    EnhanceService,
    ExportsService,
    LooksRun,
    LooksService,
    PictureLinks,
    ProcessingSettings,
    RenderRun,
    RenditionsService,
    ReprocessService,
    ResumableAddress,
    ResumableRoutes,
    ResumableUploadsService,
    TaskFiles,
    TaskRetention,
    TasksService,
    TaskPresenter,
    TaskUploadsService,
    TasksRepository,
    BulkUploadsRepository,
    RenditionsRepository,
    PictureLinksRepository,
    UploadRoutes,
    TasksPersonalData,
    UploadExpiry,
    UploadReceiver,
    UploadParts,
    UploadTargets,
    UploadsService,
    VideoPresenter,
    OutputPresenter,
  ],
  exports: [
    BulkUploadsRepository,
    ExportsService,
    PictureLinks,
    TaskFiles,
    TaskRetention,
    TasksRepository,
    TasksService,
    UploadTargets,
    UploadsService,
    VideoPresenter,
  ],
})
export class TasksModule {}
