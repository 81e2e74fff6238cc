import { RUN_QUEUES } from '@clearframe/contract';
import { Module } from '@nestjs/common';
import { WorkScheduleModule } from './platform/schedule/schedule.module.js';
import { RetentionService } from './retention/retention.service.js';
import { ReportsProcessor } from './runs/reports.processor.js';
import { createRunEventsListener } from './runs/run-events.listener.js';
import { RunSweep } from './runs/run-sweep.js';
import { RunsModule } from './runs/runs.module.js';
import { StorageModule } from './storage/storage.module.js';
import { TasksModule } from './tasks/tasks.module.js';
import { UsersModule } from './users/users.module.js';
import { WebhooksModule } from './webhooks/webhooks.module.js';

/** Work without a request: the workers' reports and progress, the sweep, retention. Left out with `API_ROLE=http`. */
@Module({
  imports: [WorkScheduleModule, RunsModule, StorageModule, TasksModule, UsersModule, WebhooksModule],
  providers: [RetentionService, RunSweep, ReportsProcessor, ...RUN_QUEUES.map(createRunEventsListener)],
})
export class JobsModule {}
