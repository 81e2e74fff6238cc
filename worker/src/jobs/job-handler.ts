import type { JobDefinition, JobPayload, JobResult, RunProgressReport } from '@clearframe/contract';
import { SetMetadata } from '@nestjs/common';
import type { Logger } from 'pino';

export interface JobContext {
  /** Aborts on cancellation, timeout or shutdown. */
  readonly signal: AbortSignal;
  readonly log: Logger;
  /** Progress of the job, 0..1, and its running step if that takes long; calls are throttled. */
  readonly progress: (fraction: number, running?: Omit<RunProgressReport, 'progress'>) => void;
}

/** Throws `InvalidImageError` for an unacceptable picture, any other error for a retry. */
export interface JobHandler<Definition extends JobDefinition = JobDefinition> {
  handle(payload: JobPayload<Definition>, context: JobContext): Promise<JobResult<Definition>>;
}

export const HANDLED_JOB = Symbol('handled job');

type HandlerClass<Definition extends JobDefinition> = new (...dependencies: never[]) => JobHandler<Definition>;

/** Registers a provider as a job's handler; checks the payload's type. */
export const HandlesJob =
  <Definition extends JobDefinition>(definition: Definition) =>
  <Target extends HandlerClass<Definition>>(target: Target): void => {
    SetMetadata(HANDLED_JOB, definition)(target);
  };
