import type { RunOutcome } from '@clearframe/contract';
import type { ReadyJob } from './queues.js';

/** A run that was handed to the queue and has not been settled for a while. */
export interface UnsettledRun {
  readonly taskId: string;
  readonly runId: string;
  /** The same job again, for when the queue has lost it. */
  readonly job: ReadyJob;
}

/** Who owns the truth about runs. The queue only knows how to ask: the tasks room provides this. */
export abstract class RunKeeper {
  /** Closes a run. Settling one that is closed already, or was cancelled, changes nothing. */
  abstract settle(taskId: string, runId: string, outcome: RunOutcome): Promise<void>;
  /** Runs handed over longer ago than `olderThanMs`, oldest first. */
  abstract unsettled(olderThanMs: number, limit: number): Promise<readonly UnsettledRun[]>;
}
