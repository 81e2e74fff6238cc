import { inMilliseconds } from '@clearframe/contract';
import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Outbox } from './outbox.service.js';
import { Queues } from './queues.js';
import { RunKeeper, type UnsettledRun } from './run-keeper.js';
import { RunMonitor } from './run-monitor.js';

const EVERY_MS = inMilliseconds.seconds(3);
/** Time for a fresh run to reach the queue by itself before anybody asks after it. */
const GRACE_MS = inMilliseconds.seconds(5);
const BATCH = 200;

/**
 * The database is the truth and the queue is a hint: at short intervals, publishes what the outbox still holds, puts
 * back what Redis has lost, and closes what the queue has given up.
 */
@Injectable()
export class Sweep implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(Sweep.name);
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly outbox: Outbox,
    private readonly queues: Queues,
    private readonly monitor: RunMonitor,
    private readonly keeper: RunKeeper,
  ) {}

  onApplicationBootstrap(): void {
    const pass = (): void => {
      this.running = this.run()
        .catch((error: Error) => this.logger.warn(`sweep: ${error.message}`))
        .finally(() => {
          this.timer = setTimeout(pass, EVERY_MS);
        });
    };
    pass();
  }

  /** One pass. */
  async run(): Promise<void> {
    if (!(await this.outbox.flush())) return;
    for (const run of await this.keeper.unsettled(GRACE_MS, BATCH)) await this.mend(run);
  }

  private async mend({ taskId, runId, job }: UnsettledRun): Promise<void> {
    const fate = await this.monitor.fateOf(job);
    if (fate === 'lost') {
      this.logger.log({ taskId, runId }, 'the queue has lost a run; publishing it again');
      await this.queues.publish([job]);
    }
    if (fate === 'dead') await this.keeper.settle(taskId, runId, { kind: 'failed', errorCode: 'tasks.failed' });
  }

  async onApplicationShutdown(): Promise<void> {
    clearTimeout(this.timer);
    await this.running;
    clearTimeout(this.timer);
  }
}
