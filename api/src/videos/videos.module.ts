import { Module } from '@nestjs/common';
import { BillingAccountsModule } from '../billing-accounts/billing-accounts.module.js';
import { StorageModule } from '../platform/storage/storage.module.js';
import { RunsModule } from '../runs/runs.module.js';
import { TasksModule } from '../tasks/tasks.module.js';
import { UploadsModule } from '../uploads/uploads.module.js';
import { UsageModule } from '../usage/usage.module.js';
import { UsersModule } from '../users/users.module.js';
import { VideoAllowancesModule } from '../video-allowances/video-allowances.module.js';
import { WebhookEndpointsModule } from '../webhook-endpoints/webhook-endpoints.module.js';
import { VideoProcessingService } from './video-processing.service.js';
import { VideoEnhanceRun, VideoProbeRun } from './video-runs.js';
import { VideoTaskPresenter } from './video-task.presenter.js';
import { VideosController } from './videos.controller.js';
import { VideosService } from './videos.service.js';

@Module({
  imports: [
    BillingAccountsModule,
    RunsModule,
    StorageModule,
    TasksModule,
    UploadsModule,
    UsageModule,
    UsersModule,
    VideoAllowancesModule,
    WebhookEndpointsModule,
  ],
  controllers: [VideosController],
  providers: [VideoEnhanceRun, VideoProbeRun, VideoProcessingService, VideosService, VideoTaskPresenter],
  exports: [VideoProcessingService, VideoTaskPresenter],
})
export class VideosModule {}
