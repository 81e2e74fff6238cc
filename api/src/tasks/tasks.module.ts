import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { QueueModule } from '../queue/queue.module.js';
import { RunKeeper } from '../queue/run-keeper.js';
import { StorageModule } from '../storage/storage.module.js';
import { UploadTasks } from '../uploads/upload-tasks.js';
import { UploadsModule } from '../uploads/uploads.module.js';
import { UsersModule } from '../users/users.module.js';
import { BulkUploadRow } from './bulk-upload.entity.js';
import { BulkUploadsController } from './bulk-uploads.controller.js';
import { BulkUploadsService } from './bulk-uploads.service.js';
import { TaskRow } from './task.entity.js';
import { TaskPresenter } from './task.presenter.js';
import { TaskRunsService } from './task-runs.service.js';
import { TasksController } from './tasks.controller.js';
import { TasksService } from './tasks.service.js';
import { TasksPersonalData } from './tasks-personal-data.js';

@Module({
  imports: [TypeOrmModule.forFeature([BulkUploadRow, TaskRow]), QueueModule, StorageModule, UploadsModule, UsersModule],
  controllers: [BulkUploadsController, TasksController],
  providers: [
    BulkUploadsService,
    TasksService,
    TaskPresenter,
    TaskRunsService,
    TasksPersonalData,
    { provide: RunKeeper, useExisting: TaskRunsService },
    { provide: UploadTasks, useExisting: TaskRunsService },
  ],
  exports: [TasksService, RunKeeper, UploadTasks],
})
export class TasksModule {}
