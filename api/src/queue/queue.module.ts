import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OutboxMessage } from './outbox.entity.js';
import { Outbox } from './outbox.service.js';
import { Queues } from './queues.js';
import { RunMonitor } from './run-monitor.js';
import { WorkerHealth } from './worker-health.js';

/** Handing work over and looking after it. */
@Module({
  imports: [TypeOrmModule.forFeature([OutboxMessage])],
  providers: [Queues, Outbox, RunMonitor, WorkerHealth],
  exports: [Queues, Outbox, RunMonitor],
})
export class QueueModule {}
