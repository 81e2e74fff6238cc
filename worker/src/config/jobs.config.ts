import { inMilliseconds, RUN_QUEUES, type RunQueue } from '@clearframe/contract';
import { type Environment, readEnvironment, wholeNumber } from '@clearframe/runtime/config';
import { z } from 'zod';

const schema = z.object({
  WORKER_CONCURRENCY: wholeNumber(1, 64).default(1),
  WORKER_QUEUES: z
    .string()
    .default(RUN_QUEUES.join(','))
    .transform((value) => [...new Set(value.split(',').map((name) => name.trim()))])
    .pipe(z.array(z.enum(RUN_QUEUES, { error: `must be names of ${RUN_QUEUES.join(', ')}, separated by commas` }))),
});

/** Encoding is fast and libvips is multithreaded; one slow picture must not hold up all downloads. */
const RENDERS_AT_ONCE = 2;
const COLORS_AT_ONCE = 1;

/** Job processing. Times are in milliseconds. */
export class JobsConfig {
  /** Time without a renewal after which a job's worker counts as dead. */
  readonly lockDuration: number = inMilliseconds.seconds(10);
  /** Interval of the check for dead workers. */
  readonly stalledInterval: number = inMilliseconds.seconds(5);
  /** Times that a job may lose its worker; once more fails it. */
  readonly maxStalledCount: number = 3;
  /** Interval at which a running job checks for its cancellation. */
  readonly cancellationInterval: number = 500;

  /** Concurrent jobs per queue. */
  readonly concurrency: Readonly<Record<RunQueue, number>>;

  constructor(
    /** Pictures processed by networks at once, each in its own inference process. */
    images: number,
    times: Partial<
      Pick<JobsConfig, 'lockDuration' | 'stalledInterval' | 'maxStalledCount' | 'cancellationInterval'>
    > = {},
    /** Queues of this process. */
    readonly queues: readonly RunQueue[] = RUN_QUEUES,
  ) {
    this.concurrency = { images, colors: COLORS_AT_ONCE, renders: RENDERS_AT_ONCE };
    Object.assign(this, times);
  }

  static fromEnvironment(environment: Environment): JobsConfig {
    const { WORKER_CONCURRENCY: images, WORKER_QUEUES: queues } = readEnvironment(schema, environment);
    return new JobsConfig(images, {}, queues);
  }
}
