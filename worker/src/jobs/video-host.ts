import {
  inMilliseconds,
  VIDEO_AVAILABILITY,
  VIDEO_AVAILABILITY_KEY,
  type VideoMetadata,
  type VideoPipeline,
  type VideoPlan,
} from '@clearframe/contract';
import type { Environment } from '@clearframe/runtime/config';
import { type Dependency, ReadinessCheck } from '@clearframe/runtime/health';
import { RootLog } from '@clearframe/runtime/logging';
import { RedisClient } from '@clearframe/runtime/redis';
import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { JobsConfig, VideoConfig } from '../platform/config.js';
import { InferenceConfig } from '../platform/inference.config.js';
import { removeAbandonedScratch, withScratch } from '../platform/scratch.js';
import { locateVideoTools, type VideoTools } from '../video/locate.js';
import { planVideo, secondsOf, WorkerSpeed } from '../video/plan.js';
import type { ProbedMetadata } from '../video/probe-video.js';
import { measureInProcess } from '../video/video-process.js';

/** A video without ffmpeg fails at once. */
class NoVideoToolsError extends Error {
  override readonly name = 'NoVideoToolsError';
  readonly retryable = false;
}

@Injectable()
export class VideoHost implements OnModuleInit, OnApplicationShutdown {
  private located: VideoTools | null = null;
  /** Measured time of videos relative to their plans: a running average. */
  private correction = 1;
  private readonly shutdown = new AbortController();
  private readonly speed = new WorkerSpeed(() =>
    withScratch((folder) =>
      measureInProcess(this.tools, folder, { signal: this.shutdown.signal, environment: this.environment }),
    ),
  );
  private announcing: NodeJS.Timeout | undefined;

  constructor(
    private readonly config: VideoConfig,
    private readonly inference: InferenceConfig,
    private readonly jobs: JobsConfig,
    private readonly redis: RedisClient,
    private readonly root: RootLog,
  ) {}

  async onModuleInit(): Promise<void> {
    const [tools] = await Promise.all([locateVideoTools(this.config), removeAbandonedScratch()]);
    this.located = tools;
    const { log } = this.root;
    if (!tools) log.warn('no usable ffmpeg: videos are off; install ffmpeg 5.1 or newer, or set FFMPEG_PATH');
    else if (tools.source === 'package') {
      log.warn({ version: tools.version }, 'using an old ffmpeg from an npm package; install ffmpeg 5.1 or newer');
    } else log.info({ version: tools.version }, 'ffmpeg found');
    // A worker without ffmpeg doesn't take the queue and reports that.
    if (tools && !this.jobs.queues.includes('videos')) return;
    // The client connects meanwhile; afterwards Redis may lose the key.
    this.redis.on('ready', () => void this.announce());
    await this.announce();
    this.announcing = setInterval(() => void this.announce(), ANNOUNCE_MS);
  }

  onApplicationShutdown(): void {
    clearInterval(this.announcing);
    this.shutdown.abort(new Error('the worker shuts down'));
  }

  get isAvailable(): boolean {
    return this.located !== null;
  }

  get tools(): VideoTools {
    if (!this.located) throw new NoVideoToolsError('videos are off: there is no ffmpeg');
    return this.located;
  }

  get environment(): NodeJS.ProcessEnv {
    return this.inference.childEnvironment;
  }

  /** Measures this worker's speed beside other work, unless it is known. */
  prepareToPlan(): void {
    void this.speed.start();
  }

  async plan(metadata: ProbedMetadata, aiPipeline: VideoPipeline, maxSide: number): Promise<VideoPlan> {
    return planVideo(metadata, aiPipeline, await this.speed.known(), maxSide, this.correction);
  }

  /** Corrects later plans by the time of a finished video. @param recipe the one that ran */
  async learn(
    { metadata, maxSide }: { readonly metadata: VideoMetadata; readonly maxSide: number },
    recipe: VideoPlan['recipe'],
    seconds: number,
  ): Promise<void> {
    const ratio = seconds / secondsOf(recipe, metadata, await this.speed.known(), maxSide);
    const corrected = this.correction + (ratio - this.correction) * NEWEST_WEIGHT;
    this.correction = Math.max(1 / MAX_CORRECTION, Math.min(MAX_CORRECTION, corrected));
  }

  /** For `api`. One worker with ffmpeg is enough: those without do not overwrite its report. */
  private async announce(): Promise<void> {
    const { on, off, seconds } = VIDEO_AVAILABILITY;
    const announced = this.located
      ? this.redis.set(VIDEO_AVAILABILITY_KEY, on, 'EX', seconds)
      : this.redis.set(VIDEO_AVAILABILITY_KEY, off, 'EX', seconds, 'NX');
    await announced.catch(() => undefined);
  }
}

const ANNOUNCE_MS = inMilliseconds.seconds(20);
const NEWEST_WEIGHT = 0.3;
const MAX_CORRECTION = 4;

@Injectable()
@ReadinessCheck({ name: 'video', isOptional: true })
export class VideoHealth implements Dependency {
  constructor(private readonly host: VideoHost) {}

  check(): void {
    if (!this.host.isAvailable) throw new Error('there is no ffmpeg');
  }
}

/**
 * Without ffmpeg a worker doesn't take videos: `api` then refuses them instead of failing them. A worker that
 * serves no other queue takes them.
 */
export async function withAvailableQueues(environment: Environment): Promise<Environment> {
  const { queues } = JobsConfig.fromEnvironment(environment);
  const others = queues.filter((queue) => queue !== 'videos');
  if (others.length === 0 || others.length === queues.length) return environment;
  const tools = await locateVideoTools(VideoConfig.fromEnvironment(environment));
  return tools ? environment : { ...environment, WORKER_QUEUES: others.join(',') };
}
