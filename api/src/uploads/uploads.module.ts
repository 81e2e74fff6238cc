import { Module } from '@nestjs/common';
import { FlagsModule } from '../platform/flags/flags.module.js';
import { StorageModule } from '../platform/storage/storage.module.js';
import { RunsModule } from '../runs/runs.module.js';
import { TasksModule } from '../tasks/tasks.module.js';
import { UsersModule } from '../users/users.module.js';
import { BulkUploadsController } from './bulk-uploads.controller.js';
import { BulkUploadsService } from './bulk-uploads.service.js';
import { ResumableRoutes } from './resumable.routes.js';
import { ResumableAddress } from './resumable-address.js';
import { ResumableUploadsService } from './resumable-uploads.service.js';
import { TaskUploadsService } from './task-uploads.service.js';
import { UploadRoutes } from './upload.routes.js';
import { UploadExpiry } from './upload-expiry.js';
import { UploadParts } from './upload-parts.js';
import { UploadReceiver } from './upload-receiver.js';
import { UploadTargets } from './upload-targets.js';
import { UploadsService } from './uploads.service.js';

@Module({
  imports: [FlagsModule, RunsModule, StorageModule, TasksModule, UsersModule],
  controllers: [BulkUploadsController],
  providers: [
    BulkUploadsService,
    ResumableAddress,
    ResumableRoutes,
    ResumableUploadsService,
    TaskUploadsService,
    UploadExpiry,
    UploadParts,
    UploadReceiver,
    UploadRoutes,
    UploadTargets,
    UploadsService,
  ],
  exports: [BulkUploadsService, UploadReceiver, UploadTargets, UploadsService],
})
export class UploadsModule {}
