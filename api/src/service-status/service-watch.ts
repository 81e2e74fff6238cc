import { inMilliseconds, inSeconds, type RunQueue, type ServiceState } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { SchedulesWork, type WorkSource } from '../platform/schedule/work.js';
import { WorkerSlots } from '../runs/worker-slots.js';
import { ServiceStatusRepository } from './service-status.repository.js';

const EVERY_MS = inMilliseconds.seconds(10);
/** Several measurements are missing: nothing measures. */
export const GAP_SECONDS = 60;

/** Waiting longer than this is degraded. A picture takes seconds, a video minutes. */
const WATCHED = [
  { name: 'photos', queue: 'images', usualSeconds: inSeconds.minutes(1) },
  { name: 'videos', queue: 'videos', usualSeconds: inSeconds.minutes(10) },
] as const satisfies readonly { name: string; queue: RunQueue; usualSeconds: number }[];

/** Measures what the status page says, so that reading it costs one row a part. */
@Injectable()
@SchedulesWork()
export class ServiceWatch implements WorkSource {
  readonly scheduledWork = [
    {
      kind: 'service.measure',
      everyMs: EVERY_MS,
      timeoutMs: EVERY_MS,
      backoff: { firstMs: EVERY_MS, maxMs: EVERY_MS },
      run: () => this.measure(),
    },
  ];

  constructor(
    private readonly repository: ServiceStatusRepository,
    private readonly slots: WorkerSlots,
  ) {}

  async measure(): Promise<void> {
    await this.repository.save({ name: 'api', status: 'operational', waitingSeconds: null }, GAP_SECONDS);
    for (const { name, queue, usualSeconds } of WATCHED) {
      const waitingSeconds = await this.repository.waitingSecondsOf(queue);
      const status = await this.stateOf(queue, waitingSeconds <= usualSeconds);
      await this.repository.save({ name, status, waitingSeconds }, GAP_SECONDS);
    }
  }

  /** Work is accepted without workers or Redis, and waits for them. */
  private async stateOf(queue: RunQueue, isPrompt: boolean): Promise<ServiceState> {
    const workers = await this.slots.workersOf(queue).catch(() => []);
    if (workers.length === 0) return 'outage';
    return isPrompt ? 'operational' : 'degraded';
  }
}
