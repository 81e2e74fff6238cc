import { z } from 'zod';

/**
 * `images`: pictures for networks. `colors`: pictures without networks, which must not wait behind those. `large`: pictures whose
 * results are too large for either to wait behind, and files of these. `renders`: other files made of finished pictures, and reading
 * of videos. `videos`: enhancement of videos. `reports`: outcomes, read by `api`.
 */
export const QUEUE_NAMES = ['images', 'colors', 'large', 'renders', 'videos', 'reports'] as const;
export type QueueName = (typeof QUEUE_NAMES)[number];

/** Queues that workers take runs from. */
export const RUN_QUEUES = ['images', 'colors', 'large', 'renders', 'videos'] as const satisfies readonly QueueName[];
export type RunQueue = (typeof RUN_QUEUES)[number];

/** Ids in every run's payload. `subjectId` is the resource the run is for; results are stored under it. */
export const RunIds = z.object({ subjectId: z.uuid(), runId: z.uuid() });
export type RunIds = z.infer<typeof RunIds>;

/** Why the worker rejects a file. */
export const INVALID_CODES = [
  'uploads.empty',
  'uploads.missing',
  'uploads.too_large',
  'uploads.too_many_pixels',
  'uploads.unsupported_type',
  'uploads.undecodable',
  'uploads.layers_only',
  'uploads.size_mismatch',
  'uploads.checksum_mismatch',
] as const;
/** Why a mask is rejected, and its picture with it. */
export const MASK_CODES = ['masks.not_gray', 'masks.size_mismatch', 'masks.all_black', 'masks.undecodable'] as const;
export type InvalidCode = (typeof INVALID_CODES)[number] | (typeof MASK_CODES)[number];

/** Why a run failed with a valid input. */
const FAILURE_CODES = ['tasks.failed', 'tasks.timed_out', 'tasks.disk_full'] as const;
export type FailureCode = (typeof FAILURE_CODES)[number];

/**
 * A kind of run. Only the worker has its handler, so producers load no model. A worker rejects versions other than its
 * own.
 */
export interface JobDefinition<
  Payload extends z.ZodType<RunIds> = z.ZodType<RunIds>,
  Result extends z.ZodType = z.ZodType,
  InvalidCode extends string = string,
> {
  readonly name: string;
  readonly version: number;
  /** Queue of its runs, by their weight. */
  readonly queue: RunQueue;
  /** Queue of runs that take about a second where others of the kind take longer. */
  readonly lightQueue?: RunQueue;
  /** Queue of runs that take far longer than others of the kind. */
  readonly largeQueue?: RunQueue;
  readonly payload: Payload;
  readonly result: Result;
  /** Codes with which the handler can reject an input. */
  readonly invalidCodes: readonly InvalidCode[];
  readonly attempts: number;
  /** Milliseconds before attempt n+1: `backoffMs * 2^(n-1)`. */
  readonly backoffMs: number;
  /** Milliseconds without progress after which the handler is stopped and the attempt counts as failed. */
  readonly timeoutMs: number;
}

/** Keeps the literal types, so that payload and result are inferred in `api` and `worker`. */
export const defineJob = <
  Payload extends z.ZodType<RunIds>,
  Result extends z.ZodType,
  const InvalidCode extends string = never,
>(
  definition: JobDefinition<Payload, Result, InvalidCode>,
): JobDefinition<Payload, Result, InvalidCode> => definition;

/** How long a run takes beside others of its kind: see {@link JobDefinition.lightQueue} and {@link JobDefinition.largeQueue}. */
export type RunWeight = 'light' | 'usual' | 'large';

export const queueOf = (
  { queue, lightQueue = queue, largeQueue = queue }: Pick<JobDefinition, 'queue' | 'lightQueue' | 'largeQueue'>,
  weight: RunWeight = 'usual',
): RunQueue => ({ light: lightQueue, usual: queue, large: largeQueue })[weight];

/** What `api` sends. */
export type JobPayload<Definition extends Pick<JobDefinition, 'payload'>> = z.infer<Definition['payload']>;
/** What the worker reports of a completed run. */
export type JobResult<Definition extends Pick<JobDefinition, 'result'>> = z.infer<Definition['result']>;

/** How a run ended; the same in every report of it. */
export type JobOutcome<Definition extends JobDefinition = JobDefinition> =
  | { readonly kind: 'completed'; readonly result: JobResult<Definition> }
  | { readonly kind: 'invalid'; readonly errorCode: Definition['invalidCodes'][number] }
  | { readonly kind: 'failed'; readonly errorCode: FailureCode }
  | { readonly kind: 'cancelled' };

/** @throws ZodError when the value is no outcome of this job */
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

/** Progress of a run as BullMQ carries it, 0..1. */
export const RunProgressReport = z.object({
  progress: z.number().min(0).max(1),
  /** Progress at the end of the running step; absent for short steps. */
  until: z.number().min(0).max(1).optional(),
  /** Estimate of the rest of that step. */
  seconds: z.number().nonnegative().optional(),
  /** The same frame of a video before and after, as small JPEGs; keys by `objectKeys.videoPreview`. */
  previewKeys: z.object({ input: z.string(), output: z.string() }).optional(),
});
export type RunProgressReport = z.infer<typeof RunProgressReport>;

/** Prefix of all keys in Redis. */
export const REDIS_PREFIX = 'clearframe';

/** Redis key under which workers report whether they can enhance videos; see {@link VIDEO_AVAILABILITY}. */
export const VIDEO_AVAILABILITY_KEY = `${REDIS_PREFIX}:videos`;
/** Values of {@link VIDEO_AVAILABILITY_KEY}, and the seconds that one is valid. */
export const VIDEO_AVAILABILITY = { on: 'on', off: 'off', seconds: 60 } as const;

/** While this key exists, the run's worker stops at its next check. Set by `api`. */
export const cancellationKey = (runId: string): string => `${REDIS_PREFIX}:cancelled:${runId}`;

const JOB_ID_PREFIX = 'run-';

/** Id of a run's BullMQ job: publishing a run twice makes one job. BullMQ forbids colons. */
export const jobIdOf = (runId: string): string => `${JOB_ID_PREFIX}${runId}`;

/** The inverse of {@link jobIdOf}; null for the id of another job. */
export const runIdOf = (jobId: string): string | null =>
  jobId.startsWith(JOB_ID_PREFIX) ? jobId.slice(JOB_ID_PREFIX.length) : null;

export interface JobEnvelope {
  readonly version: number;
  /** W3C Trace Context; one trace per run, across processes and attempts. */
  readonly traceparent: string;
  readonly payload: unknown;
}

/** The part of a definition that {@link packJob} and {@link unpackJob} need. */
type Message<Payload extends z.ZodType> = {
  readonly name: string;
  readonly version: number;
  readonly payload: Payload;
};

/** Data of a queued job. @param traceparent of the request, as W3C Trace Context writes it */
export const packJob = <Payload extends z.ZodType>(
  { version }: Message<Payload>,
  payload: z.infer<Payload>,
  traceparent: string,
): JobEnvelope => ({ version, traceparent, payload });

/** A job of another version of the product. */
export class UnknownVersionError extends Error {
  override readonly name = 'UnknownVersionError';
}

/** @throws UnknownVersionError, or ZodError when the payload is invalid: retrying can't help */
export function unpackJob<Payload extends z.ZodType>(definition: Message<Payload>, data: unknown): z.infer<Payload> {
  const { version, payload } = (data ?? {}) as Partial<JobEnvelope>;
  if (version !== definition.version) {
    throw new UnknownVersionError(`${definition.name}: unknown version ${String(version)}`);
  }
  return definition.payload.parse(payload);
}

/** Version 00: https://www.w3.org/TR/trace-context/#traceparent-header */
const TRACEPARENT = /^00-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}$/;

/** Trace id (32 hex digits) of a job's data, for logs; null if absent or malformed. */
export function traceIdOf(data: unknown): string | null {
  const { traceparent } = (data ?? {}) as Partial<JobEnvelope>;
  return TRACEPARENT.exec(String(traceparent))?.[1] ?? null;
}

/** The run's id is the trace id, so that it finds the logs of all processes. */
export const traceparentOf = (runId: string): string => {
  const traceId = runId.replaceAll('-', '');
  return `00-${traceId}-${traceId.slice(16)}-01`;
};

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
