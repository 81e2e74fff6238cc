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

/** Encoding is quick and libvips has threads of its own: one slow picture must not hold up all downloads. */
const RENDERS_AT_ONCE = 2;
const COLORS_AT_ONCE = 1;

/** How jobs are taken and held. Times are in milliseconds. */
export class JobsConfig {
  /** Without a renewal for this long, a job's worker is taken for dead. */
  readonly lockDuration: number = inMilliseconds.seconds(10);
  /** How often dead workers are looked for. */
  readonly stalledInterval: number = inMilliseconds.seconds(5);
  /** A picture that took its worker with it this often, and then once more, has failed. */
  readonly maxStalledCount: number = 3;
  /** How often a running job is asked about in Redis. */
  readonly cancellationInterval: number = 500;

  /** Jobs of each queue at the same time. */
  readonly concurrency: Readonly<Record<RunQueue, number>>;

  constructor(
    /** Pictures that the networks work on at the same time, each in an inference process of its own. */
    images: number,
    times: Partial<
      Pick<JobsConfig, 'lockDuration' | 'stalledInterval' | 'maxStalledCount' | 'cancellationInterval'>
    > = {},
    /** The queues that this process takes jobs from. */
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
