import { type Dependency, ReadinessCheck } from '@clearframe/runtime/health';
import { Injectable } from '@nestjs/common';
import { RunMonitor } from './run-monitor.js';

/** `api` accepts work without a live worker; the outbox keeps it. */
@Injectable()
@ReadinessCheck({ name: 'worker', isOptional: true })
export class WorkerHealth implements Dependency {
  constructor(private readonly monitor: RunMonitor) {}

  check(): Promise<void> {
    return this.monitor.checkWorker();
  }
}
