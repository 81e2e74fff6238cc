import { inMilliseconds, RUN_QUEUES, type RunQueue } from '@clearframe/contract';
import { Injectable, Logger } from '@nestjs/common';
import { type Attempt, SchedulesWork, type WorkSource } from '../platform/schedule/work.js';
import { reasonOf } from '../platform/schedule/work-claims.js';
import { RunDispatcher } from './dispatcher.js';
import { LAST_ATTEMPT, type RunRow } from './run.entity.js';
import { RunKinds } from './run-kind.js';
import { type JobState, RunQueues } from './run-queues.js';
import { RunsRepository } from './runs.repository.js';
import { Settlement } from './settlement.js';
import { WorkerSlots } from './worker-slots.js';

const EVERY_MS = inMilliseconds.seconds(3);
/** Reads all waiting runs, 30 to 80 ms for 20,000. */
const GAPS_EVERY_MS = inMilliseconds.seconds(30);
/** Time for a run to reach its queue. */
const GRACE_MS = inMilliseconds.seconds(5);
/** A process killed during a sweep delays the next one by this and the margin of the lease, 10 s in all. */
const TIMEOUT_MS = inMilliseconds.seconds(5);
const BATCH = 200;
/** Publications of a run whose job fails without a report. */
const MAX_PUBLICATIONS = 3;
const UNSERVED = 'no connected worker takes this version of the job';

/** Republishes runs that Redis has lost, ends those that can't be finished, and fills the queues. */
@Injectable()
@SchedulesWork()
export class RunSweep implements WorkSource {
  private readonly logger = new Logger(RunSweep.name);
  /** Runs in these queues may carry the reason why they wait; all queues after a start. */
  private readonly explained = new Set<RunQueue>(RUN_QUEUES);

  readonly scheduledWork = [
    {
      kind: 'runs.sweep',
      everyMs: EVERY_MS,
      timeoutMs: TIMEOUT_MS,
      backoff: { firstMs: EVERY_MS, maxMs: EVERY_MS },
      run: ({ signal }: Pick<Attempt, 'signal'>) => this.run(signal),
    },
    {
      kind: 'runs.turns',
      everyMs: GAPS_EVERY_MS,
      timeoutMs: TIMEOUT_MS,
      backoff: { firstMs: EVERY_MS, maxMs: GAPS_EVERY_MS },
      run: () => this.closeGaps(),
    },
  ];

  constructor(
    private readonly repository: RunsRepository,
    private readonly kinds: RunKinds,
    private readonly queues: RunQueues,
    private readonly slots: WorkerSlots,
    private readonly dispatcher: RunDispatcher,
    private readonly settlement: Settlement,
  ) {}

  /** A run that can't be swept is left to the next pass and stops no other. */
  async run(signal?: AbortSignal): Promise<void> {
    for (const queue of RUN_QUEUES) {
      for (const run of await this.repository.dispatchedBefore(queue, GRACE_MS, BATCH)) {
        signal?.throwIfAborted();
        await this.recover(run).catch((error: Error) => this.failed(run, error));
      }
      await this.explain(queue);
    }
    await this.dispatcher.dispatchAll();
  }

  private async closeGaps(): Promise<void> {
    for (const queue of RUN_QUEUES) await this.repository.closeGaps(queue);
  }

  private async recover(run: RunRow): Promise<void> {
    const state = await this.queues.stateOf(run);
    const isKnown = this.kinds.find(run.kind) !== undefined;
    const isServed = !(await this.unservedOf(run.queue)).includes(run.kind);
    // Another version's worker may have an unknown kind.
    if (state === 'present' && (isServed || !isKnown)) return;
    if (state === 'refused' || !isServed || !isKnown) return this.returnToWaiting(run, state);
    // Counted first: a run that fails every time ends and frees its slot.
    await this.repository.countAttempt(run.id);
    if (run.attempts >= LAST_ATTEMPT) {
      await this.repository.abandon(run.id, `its job was ${state} after every publication`);
      this.logger.error({ runId: run.id, kind: run.kind }, 'a run could not be settled and was abandoned');
    } else if (state === 'failed' && run.attempts >= MAX_PUBLICATIONS) {
      await this.settlement.settle(run, { kind: 'failed', errorCode: 'tasks.failed' });
    } else {
      this.logger.log({ runId: run.id, kind: run.kind, state }, 'publishing a run again');
      if (state === 'failed') await this.queues.remove(run);
      await this.dispatcher.publish(run);
    }
  }

  /** Kinds that no connected worker has, while a deploy replaces workers or after a rollback. */
  private async unservedOf(queue: RunQueue): Promise<string[]> {
    const window = await this.slots.windowOf(queue);
    return this.kinds.definitions.filter((job) => window.sizeFor(job) === 0).map(({ name }) => name);
  }

  private async explain(queue: RunQueue): Promise<void> {
    const unserved = await this.unservedOf(queue);
    if (unserved.length === 0 && !this.explained.has(queue)) return;
    await this.repository.explainWaiting(queue, unserved, UNSERVED);
    if (unserved.length === 0) this.explained.delete(queue);
    else this.explained.add(queue);
  }

  /** This version or the workers lack its kind: it waits without limit, uncounted. */
  private async returnToWaiting(run: RunRow, state: JobState): Promise<void> {
    if (state !== 'lost' && !(await this.queues.remove(run))) return;
    await this.repository.returnToWaiting(run.id);
    this.logger.log({ runId: run.id, kind: run.kind }, 'a run of an unknown kind waits for a version that has it');
  }

  private async failed(run: RunRow, error: Error): Promise<void> {
    this.logger.warn({ runId: run.id, kind: run.kind, err: error }, 'a run could not be swept');
    await this.repository.recordFailure(run.id, reasonOf(error)).catch(() => undefined);
  }
}
