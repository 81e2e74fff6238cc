import { type Dependency, ReadinessCheck } from '@clearframe/runtime/health';
import { Injectable } from '@nestjs/common';
import { RunQueues } from './run-queues.js';

/** `api` accepts work without a live worker; the database keeps it. */
@Injectable()
@ReadinessCheck({ name: 'worker', isOptional: true })
export class WorkerHealth implements Dependency {
  constructor(private readonly queues: RunQueues) {}

  async check(): Promise<void> {
    if ((await this.queues.workersOf('images')).length === 0) throw new Error('no worker is connected');
  }
}
