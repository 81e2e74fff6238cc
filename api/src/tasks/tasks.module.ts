import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { FlagsModule } from '../flags/flags.module.js';
import { RunsModule } from '../runs/runs.module.js';
import { StorageModule } from '../storage/storage.module.js';
import { UploadTasks } from '../uploads/upload-tasks.js';
import { UploadsService } from '../uploads/uploads.service.js';
import { UsersModule } from '../users/users.module.js';
import { ArchivesService } from './archives.service.js';
import { BulkUploadRow } from './bulk-upload.entity.js';
import { BulkUploadsController } from './bulk-uploads.controller.js';
import { BulkUploadsService } from './bulk-uploads.service.js';
import { ConversionsService } from './conversions.service.js';
import { EnhanceRun } from './enhance-run.js';
import { ExportsService } from './exports.service.js';
import { PictureLinksController } from './picture-links/picture-links.controller.js';
import { PictureLinks } from './picture-links/picture-links.js';
import { ProcessingSettings } from './processing-settings.js';
import { RenderRun } from './renditions/render-run.js';
import { RenditionRow } from './renditions/rendition.entity.js';
import { RenditionsService } from './renditions/renditions.service.js';
import { ReprocessService } from './reprocess.service.js';
import { ResultsController } from './results.controller.js';
import { TaskRow } from './task.entity.js';
import { TaskPresenter } from './task.presenter.js';
import { TaskKeeping } from './task-keeping.js';
import { TaskUploadsService } from './task-uploads.service.js';
import { TasksController } from './tasks.controller.js';
import { TasksService } from './tasks.service.js';
import { TasksPersonalData } from './tasks-personal-data.js';
import { UploadExpiry } from './upload-expiry.js';

@Module({
  imports: [
    FlagsModule,
    TypeOrmModule.forFeature([BulkUploadRow, RenditionRow, TaskRow]),
    RunsModule,
    StorageModule,
    UsersModule,
  ],
  controllers: [BulkUploadsController, PictureLinksController, ResultsController, TasksController],
  providers: [
    ArchivesService,
    BulkUploadsService,
    ConversionsService,
    EnhanceRun,
    ExportsService,
    PictureLinks,
    ProcessingSettings,
    RenderRun,
    RenditionsService,
    ReprocessService,
    TaskKeeping,
    TasksService,
    TaskPresenter,
    TaskUploadsService,
    TasksPersonalData,
    UploadExpiry,
    UploadsService,
    { provide: UploadTasks, useExisting: TaskUploadsService },
  ],
  exports: [PictureLinks, TaskKeeping, TasksService, UploadTasks],
})
export class TasksModule {}
