import { inMilliseconds } from '@clearframe/contract';
import { withTimeout } from '@clearframe/runtime/concurrency';
import { Injectable, Logger, Module, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { DiscoveryModule, DiscoveryService } from '@nestjs/core';
import { SchedulerRegistry } from '@nestjs/schedule';
import { isDueWork, type ScheduledWork, SchedulesWork, type WorkSource } from './work.js';
import { WorkClaims } from './work-claims.js';
import { WorkRunner, WorkState } from './work-runner.js';

/** Periodic work is checked at least this often. */
const MAX_POLL_INTERVAL_MS = inMilliseconds.seconds(30);
/** Part of the eight seconds that the whole shutdown may take. */
const SHUTDOWN_MS = inMilliseconds.seconds(3);
const RELEASE_MS = inMilliseconds.seconds(0.5);

@Injectable()
class WorkScheduler implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(WorkScheduler.name);
  private readonly stop = new AbortController();
  private readonly abort = new AbortController();
  private readonly running = new Set<Promise<void>>();
  private readonly failing = new Set<string>();

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly registry: SchedulerRegistry,
    private readonly runner: WorkRunner,
  ) {}

  onApplicationBootstrap(): void {
    for (const work of this.scheduledWork()) {
      const state = new WorkState();
      const tick = () => void this.tick(work, state);
      // The registry rejects duplicate names and clears intervals at shutdown.
      const everyMs = isDueWork(work) ? work.everyMs : Math.min(work.everyMs, MAX_POLL_INTERVAL_MS);
      this.registry.addInterval(work.kind, setInterval(tick, everyMs));
      tick();
    }
  }

  private scheduledWork(): ScheduledWork[] {
    return this.discovery
      .getProviders({ metadataKey: SchedulesWork.KEY })
      .flatMap(({ instance }: { instance?: WorkSource }) => instance?.scheduledWork ?? []);
  }

  private async tick(work: ScheduledWork, state: WorkState): Promise<void> {
    if (this.stop.signal.aborted) return;
    const pass = this.runner.pass(work, { stop: this.stop.signal, abort: this.abort.signal }, state).then(
      () => void this.failing.delete(work.kind),
      (error: Error) => this.logFailure(work, error),
    );
    this.running.add(pass);
    await pass;
    this.running.delete(pass);
  }

  private logFailure({ kind }: ScheduledWork, error: Error): void {
    if (!this.failing.has(kind)) this.logger.warn(`${kind} waits: ${error.message}`);
    this.failing.add(kind);
  }

  /** Aborts work that takes longer, so that other processes can claim it. */
  async onModuleDestroy(): Promise<void> {
    this.stop.abort();
    const ended = Promise.all(this.running);
    await withTimeout(ended, SHUTDOWN_MS, () => undefined);
    this.abort.abort(new Error('the process is shutting down'));
    await withTimeout(ended, RELEASE_MS, () => undefined);
  }
}

@Module({
  imports: [DiscoveryModule],
  providers: [WorkClaims, WorkRunner, WorkScheduler],
  exports: [WorkRunner],
})
export class WorkScheduleModule {}
