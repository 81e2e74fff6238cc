import type { JobDefinition } from './define.js';

type AnnouncedJob = Pick<JobDefinition, 'name' | 'version'>;

/** Reason of a failed job that its worker does not have. It says nothing about the run, which waits for another worker. */
export const UNKNOWN_JOB = 'unknown job';

/** Versions of a job differ in their payload. */
const announcementOf = ({ name, version }: AnnouncedJob): string => `${name}@${version}`;

/**
 * Name of a worker's connection to a queue, by which `api` knows which jobs it may publish, and how many. The number is
 * last, where earlier versions of `api` read it.
 */
export const workerNameOf = (jobs: readonly AnnouncedJob[], processId: number, concurrency: number): string =>
  `${jobs.map(announcementOf).join('+')}-${processId}-x${concurrency}`;

export interface ConnectedWorker {
  /** Jobs at once. */
  readonly concurrency: number;
  takes(job: AnnouncedJob): boolean;
}

/** A worker of an earlier version announces no jobs and counts as one that takes all. */
export function connectedWorkerOf(connectionName: string): ConnectedWorker {
  const [, announced, concurrency] = /(?:([^:]+)-)?\b\d+-x(\d+)$/.exec(connectionName) ?? [];
  const jobs = announced === undefined ? null : new Set(announced.split('+'));
  return { concurrency: Number(concurrency ?? 1), takes: (job) => jobs?.has(announcementOf(job)) ?? true };
}
