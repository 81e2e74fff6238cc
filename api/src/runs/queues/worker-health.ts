import { type Dependency, ReadinessCheck } from '@clearframe/runtime/health';
import { Injectable } from '@nestjs/common';
import { WorkerSlots } from './worker-slots.js';

/** Without a worker `api` still accepts work, which the database keeps. */
@Injectable()
@ReadinessCheck({ name: 'worker', isOptional: true })
export class WorkerHealth implements Dependency {
  constructor(private readonly slots: WorkerSlots) {}

  async check(): Promise<void> {
    if ((await this.slots.workersOf('images')).length === 0) throw new Error('no worker is connected');
  }
}
