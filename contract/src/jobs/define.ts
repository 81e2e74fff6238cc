import type { z } from 'zod';

/**
 * A job as both sides know it: what goes in, how often it is tried, how long it may take. The handler lives apart,
 * in the process that does the work, so that a producer never loads a model. `version` is part of every payload's
 * meaning: a worker refuses a version it does not know instead of guessing.
 */
export interface JobDefinition<Payload extends z.ZodType = z.ZodType> {
  readonly name: string;
  readonly version: number;
  readonly queue: QueueName;
  readonly payload: Payload;
  readonly attempts: number;
  /** Wait before attempt n+1: `backoffMs * 2^(n-1)` milliseconds. */
  readonly backoffMs: number;
  /** The handler is stopped after this many milliseconds; the attempt counts as failed. */
  readonly timeoutMs: number;
}

/**
 * `images`: pictures for the networks. `renders`: files to be made of pictures that are there, which must not wait
 * behind the networks. `reports`: what came of either, for `api`.
 */
export const QUEUE_NAMES = ['images', 'renders', 'reports'] as const;
export type QueueName = (typeof QUEUE_NAMES)[number];

export const defineJob = <Payload extends z.ZodType>(definition: JobDefinition<Payload>): JobDefinition<Payload> =>
  definition;

/** The payload's type. */
export type JobPayload<Definition extends JobDefinition> = z.infer<Definition['payload']>;

/** All our keys in Redis begin with this. */
export const REDIS_PREFIX = 'clearframe';

/** While this key exists, the run's worker stops at the next chance. Set by `api`, read by the worker. */
export const cancellationKey = (runId: string): string => `${REDIS_PREFIX}:cancelled:${runId}`;

/** Job ids are the run's: publishing a run twice makes one job. */
export const jobIdOf = (runId: string): string => `run-${runId}`;

/** The data of every BullMQ job of ours: the payload beside the version it was written in. */
export interface JobEnvelope {
  readonly version: number;
  readonly payload: unknown;
}

/** Packs a payload for the queue. */
export const packJob = <Definition extends JobDefinition>(
  definition: Definition,
  payload: JobPayload<Definition>,
): JobEnvelope => ({ version: definition.version, payload });

/**
 * Unpacks a job's data on the other side.
 * @throws Error when the version is another or the payload does not fit: trying again would not help
 */
export function unpackJob<Definition extends JobDefinition>(
  definition: Definition,
  data: unknown,
): JobPayload<Definition> {
  const { version, payload } = (data ?? {}) as Partial<JobEnvelope>;
  if (version !== definition.version) throw new Error(`${definition.name}: unknown version ${String(version)}`);
  return definition.payload.parse(payload) as JobPayload<Definition>;
}
