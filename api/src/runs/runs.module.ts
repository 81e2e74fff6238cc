import { REDIS_PREFIX, RUN_QUEUES } from '@clearframe/contract';
import { type Dependency, ReadinessCheck } from '@clearframe/runtime/health';
import { QueueConnection, QueueConnectionModule } from '@clearframe/runtime/redis';
import { BullModule, getQueueToken } from '@nestjs/bullmq';
import { Injectable, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { Queue } from 'bullmq';
import { StorageModule } from '../platform/storage/storage.module.js';
import { RunDispatcher } from './dispatcher.js';
import { QueueBoard } from './queue-board.js';
import { RunRow } from './run.entity.js';
import { RunKinds } from './run-kind.js';
import { RunNotifications } from './run-notifications.js';
import { RunRankings } from './run-progress.repository.js';
import { RedisQueues, RunQueues } from './run-queues.js';
import { RunsRepository } from './runs.repository.js';
import { RunsService } from './runs.service.js';
import { Settlement } from './settlement.js';
import { WorkerSlots } from './worker-slots.js';

/** Without a worker `api` still accepts work, which the database keeps. */
@Injectable()
@ReadinessCheck({ name: 'worker', isOptional: true })
class WorkerHealth implements Dependency {
  constructor(private readonly slots: WorkerSlots) {}

  async check(): Promise<void> {
    if ((await this.slots.workersOf('images')).length === 0) throw new Error('no worker is connected');
  }
}

@Module({
  imports: [
    DiscoveryModule,
    StorageModule,
    TypeOrmModule.forFeature([RunRow]),
    BullModule.forRootAsync({
      imports: [QueueConnectionModule],
      inject: [QueueConnection],
      useFactory: ({ options }: QueueConnection) => ({ prefix: REDIS_PREFIX, connection: options }),
    }),
    BullModule.registerQueue(...RUN_QUEUES.map((name) => ({ name }))),
  ],
  providers: [
    RunDispatcher,
    RunKinds,
    RunNotifications,
    {
      provide: RedisQueues,
      inject: RUN_QUEUES.map((name) => getQueueToken(name)),
      useFactory: (...queues: Queue[]) => new RedisQueues(queues),
    },
    QueueBoard,
    RunQueues,
    RunRankings,
    RunsRepository,
    RunsService,
    Settlement,
    WorkerHealth,
    WorkerSlots,
  ],
  exports: [
    RunDispatcher,
    RunKinds,
    RunNotifications,
    RunQueues,
    RunRankings,
    RunsRepository,
    RunsService,
    Settlement,
    WorkerSlots,
  ],
})
export class RunsModule {}
