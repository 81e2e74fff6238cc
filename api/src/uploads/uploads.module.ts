import { Module } from '@nestjs/common';
import { FlagsModule } from '../platform/flags/flags.service.js';
import { StorageModule } from '../platform/storage/storage.module.js';
import { RunsModule } from '../runs/runs.module.js';
import { TasksModule } from '../tasks/tasks.module.js';
import { UsageModule } from '../usage/usage.module.js';
import { UsersModule } from '../users/users.module.js';
import { WebhookEndpointsModule } from '../webhook-endpoints/webhook-endpoints.module.js';
import { MaskIntake } from './mask-intake.js';
import { ResumableUploads } from './resumable-uploads.js';
import { UploadService } from './upload.service.js';
import { UploadIntake } from './upload-intake.js';
import { UploadsController } from './uploads.controller.js';

@Module({
  imports: [FlagsModule, RunsModule, StorageModule, TasksModule, UsageModule, UsersModule, WebhookEndpointsModule],
  controllers: [UploadsController],
  providers: [MaskIntake, ResumableUploads, UploadIntake, UploadService],
  exports: [MaskIntake, UploadIntake, UploadService],
})
export class UploadsModule {}
