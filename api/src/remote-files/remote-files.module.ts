import { Module } from '@nestjs/common';
import { StorageModule } from '../platform/storage/storage.module.js';
import { TasksModule } from '../tasks/tasks.module.js';
import { UploadsModule } from '../uploads/uploads.module.js';
import { UsersModule } from '../users/users.module.js';
import { VideosModule } from '../videos/videos.module.js';
import { InputFetcher } from './input-fetcher.js';
import { OutputSender } from './output-sender.js';

@Module({
  imports: [StorageModule, TasksModule, UploadsModule, UsersModule, VideosModule],
  providers: [InputFetcher, OutputSender],
})
export class RemoteFilesModule {}
