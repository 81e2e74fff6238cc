import type { JobDefinition, JobPayload, JobResult } from '@clearframe/contract';
import { SetMetadata } from '@nestjs/common';
import type { Logger } from 'pino';

/** What a handler may know of the attempt it is working on. */
export interface JobContext {
  /** Aborts when the run was cancelled, took too long, or this process is going away. */
  readonly signal: AbortSignal;
  readonly log: Logger;
  /** @param fraction 0..1; call it as often as you like */
  progress(fraction: number): void;
}

/**
 * Does the work of one job of the catalogue. It either returns the result or throws: `InvalidImageError` when the
 * picture is to blame, anything else when trying again may help.
 */
export interface JobHandler<Definition extends JobDefinition = JobDefinition> {
  handle(payload: JobPayload<Definition>, context: JobContext): Promise<JobResult<Definition>>;
}

/** The key under which {@link HandlesJob} leaves the definition on a class. */
export const HANDLED_JOB = Symbol('handled job');

type HandlerClass<Definition extends JobDefinition> = new (...dependencies: never[]) => JobHandler<Definition>;

/** Says which job of the catalogue a provider handles. The payload's type is checked against the method. */
export const HandlesJob =
  <Definition extends JobDefinition>(definition: Definition) =>
  <Target extends HandlerClass<Definition>>(target: Target): void => {
    SetMetadata(HANDLED_JOB, definition)(target);
  };
