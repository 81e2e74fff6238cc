import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { StorageModule } from '../platform/storage/storage.module.js';
import { RunsModule } from '../runs/runs.module.js';
import { TaskSharings } from '../tasks/task-sharings.js';
import { TasksModule } from '../tasks/tasks.module.js';
import { UsersModule } from '../users/users.module.js';
import { SharePreviewRun, SharePreviews } from './share-previews.js';
import { SharedPictures } from './shared-pictures.js';
import { SharingLinks } from './sharing-links.js';
import { SharingsController } from './sharings.controller.js';
import { SharingRow, SharingsRepository } from './sharings.repository.js';
import { SharingsService } from './sharings.service.js';

/** Global: tasks present their links by the port `TaskSharings`. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([SharingRow]), RunsModule, StorageModule, TasksModule, UsersModule],
  controllers: [SharingsController],
  providers: [
    SharedPictures,
    SharePreviewRun,
    SharePreviews,
    SharingLinks,
    SharingsRepository,
    SharingsService,
    { provide: TaskSharings, useExisting: SharingLinks },
  ],
  exports: [TaskSharings],
})
export class SharingsModule {}
