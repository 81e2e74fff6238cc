import { inMilliseconds } from '@clearframe/contract';
import { type Environment, readEnvironment, wholeNumber } from '@clearframe/runtime/config';
import { z } from 'zod';

const schema = z.object({ WORKER_CONCURRENCY: wholeNumber(1, 64).default(1) });

/** Encoding is quick and libvips has threads of its own: one slow picture must not hold up all downloads. */
const RENDERS_AT_ONCE = 2;

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
  readonly concurrency: Readonly<Record<'images' | 'renders', number>>;

  constructor(
    /** Pictures that the networks work on at the same time. */
    images: number,
    times: Partial<
      Pick<JobsConfig, 'lockDuration' | 'stalledInterval' | 'maxStalledCount' | 'cancellationInterval'>
    > = {},
  ) {
    this.concurrency = { images, renders: RENDERS_AT_ONCE };
    Object.assign(this, times);
  }

  static fromEnvironment(environment: Environment): JobsConfig {
    return new JobsConfig(readEnvironment(schema, environment).WORKER_CONCURRENCY);
  }
}
