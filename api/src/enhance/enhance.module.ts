import { Module } from '@nestjs/common';
import { StorageModule } from '../platform/storage/storage.module.js';
import { RunsModule } from '../runs/runs.module.js';
import { TasksModule } from '../tasks/tasks.module.js';
import { UploadTokensModule } from '../upload-tokens/upload-tokens.module.js';
import { UploadsModule } from '../uploads/uploads.module.js';
import { UsersModule } from '../users/users.module.js';
import { EnhanceController } from './enhance.controller.js';
import { EnhanceService } from './enhance.service.js';

@Module({
  imports: [RunsModule, StorageModule, TasksModule, UploadTokensModule, UploadsModule, UsersModule],
  controllers: [EnhanceController],
  providers: [EnhanceService],
})
export class EnhanceModule {}
