import { inMilliseconds, RUN_QUEUES } from '@clearframe/contract';
import { Injectable, Logger } from '@nestjs/common';
import { SchedulesWork, type WorkSource } from '../../platform/schedule/work.js';
import { LAST_ATTEMPT, type RunRow } from '../model/run.entity.js';
import { RunsRepository } from '../model/runs.repository.js';
import { RunQueues } from '../queues/run-queues.js';
import { Settlement } from '../settlement/settlement.js';
import { RunDispatcher } from './dispatcher.js';

const EVERY_MS = inMilliseconds.seconds(3);
/** Time for a run to reach its queue. */
const GRACE_MS = inMilliseconds.seconds(5);
const BATCH = 200;
/** Publications of a run whose job fails without a report. */
const MAX_PUBLICATIONS = 3;

/**
 * The database is the truth and the queue is a hint: republishes runs that Redis has lost, ends those that can't be
 * finished, and fills the queues.
 */
@Injectable()
@SchedulesWork()
export class RunSweep implements WorkSource {
  private readonly logger = new Logger(RunSweep.name);

  readonly scheduledWork = [
    {
      kind: 'runs.sweep',
      everyMs: EVERY_MS,
      timeoutMs: inMilliseconds.minutes(1),
      backoff: { firstMs: EVERY_MS, maxMs: EVERY_MS },
      run: () => this.run(),
    },
  ];

  constructor(
    private readonly repository: RunsRepository,
    private readonly queues: RunQueues,
    private readonly dispatcher: RunDispatcher,
    private readonly settlement: Settlement,
  ) {}

  /** A run that can't be swept is left to the next pass and stops no other. */
  async run(): Promise<void> {
    for (const queue of RUN_QUEUES) {
      for (const run of await this.repository.dispatchedBefore(queue, GRACE_MS, BATCH)) {
        await this.recover(run).catch((error: Error) =>
          this.logger.warn({ runId: run.id, kind: run.kind, err: error }, 'a run could not be swept'),
        );
      }
    }
    await this.dispatcher.dispatchAll();
  }

  private async recover(run: RunRow): Promise<void> {
    const state = await this.queues.stateOf(run);
    if (state === 'present') return;
    // Counted first: a run that fails every time ends and frees its slot.
    await this.repository.countAttempt(run.id);
    if (run.attempts >= LAST_ATTEMPT) {
      await this.repository.abandon(run.id);
      this.logger.error({ runId: run.id, kind: run.kind }, 'a run could not be settled and was abandoned');
    } else if (state === 'failed' && run.attempts >= MAX_PUBLICATIONS) {
      await this.settlement.settle(run, { kind: 'failed', errorCode: 'tasks.failed' });
    } else {
      this.logger.log({ runId: run.id, kind: run.kind, state }, 'publishing a run again');
      if (state === 'failed') await this.queues.remove(run);
      await this.dispatcher.publish(run);
    }
  }
}
