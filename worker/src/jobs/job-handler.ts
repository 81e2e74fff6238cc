import {
  JOBS,
  type JobDefinition,
  type JobPayload,
  type JobResult,
  type RunProgressReport,
} from '@clearframe/contract';
import { Injectable, SetMetadata } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
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

const HANDLED_JOB = Symbol('handled job');

type HandlerClass<Definition extends JobDefinition> = new (...dependencies: never[]) => JobHandler<Definition>;

/** Registers a provider as a job's handler; checks the payload's type. */
export const HandlesJob =
  <Definition extends JobDefinition>(definition: Definition) =>
  <Target extends HandlerClass<Definition>>(target: Target): void => {
    SetMetadata(HANDLED_JOB, definition)(target);
  };

export interface RegisteredJob {
  readonly definition: JobDefinition;
  readonly handler: JobHandler;
}

@Injectable()
export class JobRegistry {
  constructor(private readonly discovery: DiscoveryService) {}

  /** Jobs by name. @throws Error unless each job has exactly one handler */
  resolve(): ReadonlyMap<string, RegisteredJob> {
    const found = this.discovery.getProviders().flatMap(({ instance, metatype }) => {
      const definition: JobDefinition | undefined = metatype && Reflect.getMetadata(HANDLED_JOB, metatype);
      return definition ? [{ definition, handler: instance as JobHandler }] : [];
    });
    const definitions = new Set([...JOBS, ...found.map(({ definition }) => definition)]);
    const problems = [...definitions].flatMap(({ name }) => {
      const count = found.filter(({ definition }) => definition.name === name).length;
      return count === 1 ? [] : [`${name} has ${count} handlers instead of one`];
    });
    if (problems.length > 0) throw new Error(`jobs and handlers do not match: ${problems.join('; ')}`);
    return new Map(found.map((job) => [job.definition.name, job]));
  }
}
