import { Module, type OnModuleInit } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Readiness } from '../platform/health/health.controller.js';
import { OutboxMessage } from './outbox.entity.js';
import { Outbox } from './outbox.service.js';
import { Queues } from './queues.js';
import { RunMonitor } from './run-monitor.js';

/** Handing work over and looking after it. */
@Module({
  imports: [TypeOrmModule.forFeature([OutboxMessage])],
  providers: [Queues, Outbox, RunMonitor],
  exports: [Queues, Outbox, RunMonitor],
})
export class QueueModule implements OnModuleInit {
  constructor(
    private readonly readiness: Readiness,
    private readonly monitor: RunMonitor,
  ) {}

  onModuleInit(): void {
    this.readiness.register({ name: 'worker', check: () => this.monitor.checkWorker() });
  }
}
