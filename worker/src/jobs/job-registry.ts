import { JOBS, type JobDefinition } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { HANDLED_JOB, type JobHandler } from './job-handler.js';

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
    return pairJobs(JOBS, found);
  }
}

function pairJobs(
  catalogue: readonly JobDefinition[],
  found: readonly RegisteredJob[],
): ReadonlyMap<string, RegisteredJob> {
  const definitions = new Set([...catalogue, ...found.map(({ definition }) => definition)]);
  const problems = [...definitions].flatMap(({ name }) => {
    const count = found.filter(({ definition }) => definition.name === name).length;
    return count === 1 ? [] : [`${name} has ${count} handlers instead of one`];
  });
  if (problems.length > 0) throw new Error(`jobs and handlers do not match: ${problems.join('; ')}`);
  return new Map(found.map((job) => [job.definition.name, job]));
}
