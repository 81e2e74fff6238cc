import { Module } from '@nestjs/common';
import { WorkScheduleModule } from './platform/schedule/schedule.module.js';
import { QueueModule } from './queue/queue.module.js';
import { ReportsConsumer } from './queue/reports.consumer.js';
import { Sweep } from './queue/sweep.js';
import { RetentionService } from './retention/retention.service.js';
import { StorageModule } from './storage/storage.module.js';
import { TasksModule } from './tasks/tasks.module.js';
import { UsersModule } from './users/users.module.js';
import { WebhooksModule } from './webhooks/webhooks.module.js';

/** What runs without being asked: the reports consumer, the sweep, retention. Left out with `API_ROLE=http`. */
@Module({
  imports: [WorkScheduleModule, QueueModule, StorageModule, TasksModule, UsersModule, WebhooksModule],
  providers: [ReportsConsumer, Sweep, RetentionService],
})
export class JobsModule {}
