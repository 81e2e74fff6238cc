import { JOBS, type JobDefinition, type QueueName } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { HANDLED_JOB, type JobHandler } from './job-handler.js';

export interface RegisteredJob {
  readonly definition: JobDefinition;
  readonly handler: JobHandler;
}

/** The queues this process works on. */
export const WORKER_QUEUES = ['images', 'renders'] as const satisfies readonly QueueName[];
export type WorkerQueue = (typeof WORKER_QUEUES)[number];

const isOurs = (queue: QueueName): boolean => (WORKER_QUEUES as readonly QueueName[]).includes(queue);

/** Finds the handlers among the providers and pairs them with the catalogue. */
@Injectable()
export class JobRegistry {
  constructor(private readonly discovery: DiscoveryService) {}

  /** Every job of our queues by name. @throws when one has no handler or several, or a handler no job of ours */
  resolve(): ReadonlyMap<string, RegisteredJob> {
    const found = this.discovery.getProviders().flatMap(({ instance, metatype }) => {
      const definition: JobDefinition | undefined = metatype && Reflect.getMetadata(HANDLED_JOB, metatype);
      return definition ? [{ definition, handler: instance as JobHandler }] : [];
    });
    return pairJobs(
      JOBS.filter(({ queue }) => isOurs(queue)),
      found,
    );
  }
}

/** Pairs each definition with its one handler. @throws naming every job for which that is impossible */
function pairJobs(
  catalogue: readonly JobDefinition[],
  found: readonly RegisteredJob[],
): ReadonlyMap<string, RegisteredJob> {
  const problems = [
    ...catalogue.flatMap((definition) => {
      const count = found.filter((candidate) => candidate.definition === definition).length;
      return count === 1 ? [] : [`${definition.name} has ${count} handlers instead of one`];
    }),
    ...found.flatMap(({ definition }) =>
      catalogue.includes(definition) ? [] : [`${definition.name} has a handler but is no job of this process`],
    ),
  ];
  if (problems.length > 0) throw new Error(`jobs and handlers do not fit: ${problems.join('; ')}`);
  return new Map(found.map((job) => [job.definition.name, job]));
}
