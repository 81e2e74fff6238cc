import { z } from 'zod';

/**
 * `images`: pictures for the networks. `colors`: pictures that need none, which must not wait behind those that do.
 * `renders`: files made of finished pictures. `reports`: outcomes of all of these, read by `api`.
 */
export const QUEUE_NAMES = ['images', 'colors', 'renders', 'reports'] as const;
export type QueueName = (typeof QUEUE_NAMES)[number];

/** The queues that workers take runs from. */
export const RUN_QUEUES = ['images', 'colors', 'renders'] as const satisfies readonly QueueName[];
export type RunQueue = (typeof RUN_QUEUES)[number];

/** Ids in every run's payload. `subjectId` is the resource that the run is for; its results are stored under this id. */
export const RunIds = z.object({ subjectId: z.uuid(), runId: z.uuid() });
export type RunIds = z.infer<typeof RunIds>;

/** Why a run failed for good when its input is not to blame. */
export const FAILURE_CODES = ['tasks.failed', 'tasks.timed_out'] as const;
export type FailureCode = (typeof FAILURE_CODES)[number];

/**
 * A kind of work, shared by producer and worker. The handler lives in the worker only, so that a producer never loads a
 * model. A worker rejects a `version` that it does not know.
 */
export interface JobDefinition<
  Payload extends z.ZodType<RunIds> = z.ZodType<RunIds>,
  Result extends z.ZodType = z.ZodType,
  InvalidCode extends string = string,
> {
  readonly name: string;
  readonly version: number;
  /** The queue of one run, by its weight. */
  queueOf(payload: z.infer<Payload>): RunQueue;
  readonly payload: Payload;
  /** Result of a completed run. */
  readonly result: Result;
  /** Error codes of inputs that the handler can reject. */
  readonly invalidCodes: readonly InvalidCode[];
  readonly attempts: number;
  /** Wait before attempt n+1: `backoffMs * 2^(n-1)` milliseconds. */
  readonly backoffMs: number;
  /** The handler is stopped after this many milliseconds; the attempt counts as failed. */
  readonly timeoutMs: number;
}

export const defineJob = <
  Payload extends z.ZodType<RunIds>,
  Result extends z.ZodType,
  const InvalidCode extends string = never,
>(
  definition: JobDefinition<Payload, Result, InvalidCode>,
): JobDefinition<Payload, Result, InvalidCode> => definition;

/** The payload's type. */
export type JobPayload<Definition extends Pick<JobDefinition, 'payload'>> = z.infer<Definition['payload']>;
/** The result's type. */
export type JobResult<Definition extends Pick<JobDefinition, 'result'>> = z.infer<Definition['result']>;

/** How a run ended. Every report of a run has the same outcome. */
export type JobOutcome<Definition extends JobDefinition = JobDefinition> =
  | { readonly kind: 'completed'; readonly result: JobResult<Definition> }
  | { readonly kind: 'invalid'; readonly errorCode: Definition['invalidCodes'][number] }
  | { readonly kind: 'failed'; readonly errorCode: FailureCode }
  | { readonly kind: 'cancelled' };

/**
 * An outcome as it was stored or reported.
 * @throws ZodError when it is not one of this job
 */
export function parseOutcome<Definition extends JobDefinition>(
  definition: Definition,
  value: unknown,
): JobOutcome<Definition> {
  return z
    .discriminatedUnion('kind', [
      z.object({ kind: z.literal('completed'), result: definition.result }),
      z.object({ kind: z.literal('invalid'), errorCode: z.enum([...definition.invalidCodes]) }),
      z.object({ kind: z.literal('failed'), errorCode: z.enum(FAILURE_CODES) }),
      z.object({ kind: z.literal('cancelled') }),
    ])
    .parse(value) as JobOutcome<Definition>;
}

/** Prefix of all keys in Redis. */
export const REDIS_PREFIX = 'clearframe';

/** While this key exists, the run's worker stops at its next check. Set by `api`, read by the worker. */
export const cancellationKey = (runId: string): string => `${REDIS_PREFIX}:cancelled:${runId}`;

const JOB_ID_PREFIX = 'run-';

/** The id of a run's BullMQ job, so that publishing a run twice makes one job. BullMQ forbids colons in it. */
export const jobIdOf = (runId: string): string => `${JOB_ID_PREFIX}${runId}`;

/** The inverse of {@link jobIdOf}; null for the id of another job. */
export const runIdOf = (jobId: string): string | null =>
  jobId.startsWith(JOB_ID_PREFIX) ? jobId.slice(JOB_ID_PREFIX.length) : null;

/** Data of every BullMQ job: the payload, its version and its trace. */
export interface JobEnvelope {
  readonly version: number;
  /** W3C Trace Context `traceparent`: one trace a run, across processes and attempts. */
  readonly traceparent: string;
  readonly payload: unknown;
}

/** What {@link packJob} and {@link unpackJob} need of a definition. */
type Message<Payload extends z.ZodType> = {
  readonly name: string;
  readonly version: number;
  readonly payload: Payload;
};

/** Packs a payload for the queue. */
export const packJob = <Payload extends z.ZodType>(
  { version }: Message<Payload>,
  payload: z.infer<Payload>,
  traceparent: string,
): JobEnvelope => ({ version, traceparent, payload });

/**
 * Unpacks a job's data.
 * @throws Error when the version is another or the payload does not fit: trying again would not help
 */
export function unpackJob<Payload extends z.ZodType>(definition: Message<Payload>, data: unknown): z.infer<Payload> {
  const { version, payload } = (data ?? {}) as Partial<JobEnvelope>;
  if (version !== definition.version) throw new Error(`${definition.name}: unknown version ${String(version)}`);
  return definition.payload.parse(payload);
}

/** Matches a `traceparent` of version 00, see https://www.w3.org/TR/trace-context/#traceparent-header. */
const TRACEPARENT = /^00-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}$/;

/** The trace id (32 hex digits) of a job's data, for logs; null where it has none. */
export function traceIdOf(data: unknown): string | null {
  const { traceparent } = (data ?? {}) as Partial<JobEnvelope>;
  return TRACEPARENT.exec(String(traceparent))?.[1] ?? null;
}

/** A `traceparent` for a run: the run's id is the trace id, so that logs of all processes are found by it. */
export const traceparentOf = (runId: string): string => {
  const traceId = runId.replaceAll('-', '');
  return `00-${traceId}-${traceId.slice(16)}-01`;
};
