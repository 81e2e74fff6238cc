import { Module } from '@nestjs/common';
import { BillingAccountsModule } from '../billing-accounts/billing-accounts.module.js';
import { StorageModule } from '../platform/storage/storage.module.js';
import { RunsModule } from '../runs/runs.module.js';
import { TasksModule } from '../tasks/tasks.module.js';
import { UsersModule } from '../users/users.module.js';
import { SharePreviewRun, SharePreviews } from './share-previews.js';
import { SharedPictures } from './shared-pictures.js';
import { SharingsController } from './sharings.controller.js';
import { SharingsService } from './sharings.service.js';

@Module({
  imports: [BillingAccountsModule, RunsModule, StorageModule, TasksModule, UsersModule],
  controllers: [SharingsController],
  providers: [SharedPictures, SharePreviewRun, SharePreviews, SharingsService],
})
export class SharingsModule {}
