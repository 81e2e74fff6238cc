import { inMilliseconds, RUN_QUEUES, type RunQueue } from '@clearframe/contract';
import { type Environment, port, readEnvironment, wholeNumber } from '@clearframe/runtime/config';
import { z } from 'zod';

const jobsSchema = z.object({
  WORKER_CONCURRENCY: wholeNumber(1, 64).default(1),
  WORKER_VIDEO_CONCURRENCY: wholeNumber(1, 16).default(1),
  WORKER_QUEUES: z
    .string()
    .default(RUN_QUEUES.join(','))
    .transform((value) => [...new Set(value.split(',').map((name) => name.trim()))])
    .pipe(z.array(z.enum(RUN_QUEUES, { error: `must be names of ${RUN_QUEUES.join(', ')}, separated by commas` }))),
});

/** Encoding is fast and multithreaded; one slow picture must not block all downloads. */
const RENDERS_CONCURRENCY = 2;
const COLORS_CONCURRENCY = 1;
/** Each takes up to 120 MB of this process, and its strips are compressed on two threads. */
const LARGE_CONCURRENCY = 1;

export type JobTimes = Pick<
  JobsConfig,
  'lockDuration' | 'lockRenewTime' | 'stalledInterval' | 'maxStalledCount' | 'cancellationInterval'
>;

interface JobSettings {
  /** Concurrent pictures with networks, each in its own inference process. */
  readonly images: number;
  /** Concurrent videos, each in a process of its own. */
  readonly videos?: number;
  readonly queues?: readonly RunQueue[];
  readonly times?: Partial<JobTimes>;
}

/** Times in milliseconds. */
export class JobsConfig {
  /**
   * Without a renewal for this long a job's worker counts as dead. Long, because a live one on a starved machine must
   * not lose a job; on its own machine a worker that was killed is recognized at once.
   */
  readonly lockDuration: number = inMilliseconds.seconds(30);
  readonly lockRenewTime: number = inMilliseconds.seconds(6);
  readonly stalledInterval: number = inMilliseconds.seconds(5);
  /** Times a job may lose its worker; once more fails it. */
  readonly maxStalledCount: number = 3;
  readonly cancellationInterval: number = 500;

  readonly concurrency: Readonly<Record<RunQueue, number>>;

  readonly queues: readonly RunQueue[];

  constructor({ images, videos = 1, queues = RUN_QUEUES, times = {} }: JobSettings) {
    this.concurrency = {
      images,
      colors: COLORS_CONCURRENCY,
      large: LARGE_CONCURRENCY,
      renders: RENDERS_CONCURRENCY,
      videos,
    };
    this.queues = queues;
    Object.assign(this, times);
  }

  static fromEnvironment(environment: Environment): JobsConfig {
    const values = readEnvironment(jobsSchema, environment);
    return new JobsConfig({
      images: values.WORKER_CONCURRENCY,
      videos: values.WORKER_VIDEO_CONCURRENCY,
      queues: values.WORKER_QUEUES,
    });
  }
}

const serverSchema = z.object({
  CLEARFRAME_ENV: z.enum(['local', 'production'], { error: "must be 'local' or 'production'" }).default('local'),
  WORKER_PORT: port(4001),
  WORKER_HOST: z.string().default('127.0.0.1'),
});

export class ServerConfig {
  constructor(
    readonly environment: 'local' | 'production',
    readonly port: number,
    readonly host: string,
  ) {}

  static fromEnvironment(environment: Environment): ServerConfig {
    const values = readEnvironment(serverSchema, environment);
    return new ServerConfig(values.CLEARFRAME_ENV, values.WORKER_PORT, values.WORKER_HOST);
  }
}

const videoSchema = z.object({ FFMPEG_PATH: z.string().min(1).optional(), FFPROBE_PATH: z.string().min(1).optional() });

/** Programs for videos; by default those of the PATH, then those of the npm packages. */
export class VideoConfig {
  constructor(
    readonly ffmpeg: string | undefined,
    readonly ffprobe: string | undefined,
  ) {}

  static fromEnvironment(environment: Environment): VideoConfig {
    const values = readEnvironment(videoSchema, environment);
    return new VideoConfig(values.FFMPEG_PATH, values.FFPROBE_PATH);
  }
}

const nicenessSchema = z.object({ WORKER_NICENESS: wholeNumber(0, 19).default(5) });

/**
 * Niceness of the worker's processes and, where it leads one, of its session: requests to `api` and `web` on the same
 * machine come first.
 * @throws ConfigurationError
 */
export const readNiceness = (environment: Environment): number =>
  readEnvironment(nicenessSchema, environment).WORKER_NICENESS;
