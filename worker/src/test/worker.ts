import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  analyzeImage,
  cancellationKey,
  enhanceImage,
  enhanceVideo,
  JOBS,
  type JobOutcome,
  type JobPayload,
  type JobResult,
  jobIdOf,
  objectKeys,
  packJob,
  parseOutcome,
  probeVideo,
  REDIS_PREFIX,
  type RunQueue,
  renderLooks,
  reportRun,
  traceparentOf,
  unpackJob,
} from '@clearframe/contract';
import { ENVIRONMENT } from '@clearframe/runtime/config';
import { HealthModule } from '@clearframe/runtime/health';
import { LogConfig, LoggingModule, RootLog } from '@clearframe/runtime/logging';
import { RedisConfig, RedisModule } from '@clearframe/runtime/redis';
import { ObjectStore, ObjectStoreModule, StorageConfig } from '@clearframe/runtime/storage';
import { type INestApplicationContext, Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { type JobsOptions, Queue, QueueEvents, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { Decoders } from '../decoder/decoders.js';
import { HandlesJob } from '../jobs/job-handler.js';
import { JobsModule } from '../jobs/jobs.module.js';
import { RenderImageHandler } from '../jobs/render-image.handler.js';
import { RenderSharePreviewHandler } from '../jobs/render-share-preview.handler.js';
import { JobsConfig, type JobTimes, ServerConfig } from '../platform/config.js';
import { HealthServer, HealthServerModule } from '../platform/health.server.js';
import { InferenceConfig } from '../platform/inference.config.js';
import { FROM_SOURCE } from './decoders.js';

export type EnhancePayload = JobPayload<typeof enhanceImage>;

export function payloadOf(change: Partial<EnhancePayload> = {}): EnhancePayload {
  const taskId = change.subjectId ?? randomUUID();
  return {
    subjectId: taskId,
    runId: randomUUID(),
    inputKey: objectKeys.input(taskId),
    aiPipeline: {},
    rendition: { contentType: 'image/jpeg', jpegQuality: 90, watermark: true, maxSide: null },
    display: { contentType: 'image/jpeg', jpegQuality: 90, watermark: true, maxSide: 2048, use: 'display' },
    maxSide: 2048,
    faceDetectorMaxInput: 800,
    keepLocation: false,
    kept: [],
    mask: null,
    ...change,
  };
}

@HandlesJob(analyzeImage)
class NoAnalysisHandler {
  handle(): Promise<JobResult<typeof analyzeImage>> {
    return Promise.reject(new Error('no analyses'));
  }
}

@HandlesJob(renderLooks)
class NoLooksHandler {
  handle(): Promise<JobResult<typeof renderLooks>> {
    return Promise.resolve({ looks: [] });
  }
}

@HandlesJob(probeVideo)
class NoProbeHandler {
  handle(): Promise<JobResult<typeof probeVideo>> {
    return Promise.reject(new Error('no videos'));
  }
}

@HandlesJob(enhanceVideo)
class NoVideoHandler {
  handle(): Promise<JobResult<typeof enhanceVideo>> {
    return Promise.reject(new Error('no videos'));
  }
}

const SHORT_TIMES = { cancellationInterval: 10 };

export async function startWorker(options: {
  redisUrl: string;
  dataFolder: string;
  handlers: Type[];
  jobs?: Partial<JobTimes>;
  queues?: readonly RunQueue[];
  concurrency?: number;
}): Promise<INestApplicationContext> {
  const jobs = new JobsConfig({
    images: options.concurrency ?? 1,
    times: { ...SHORT_TIMES, ...options.jobs },
    queues: options.queues,
  });
  const configs = [
    new InferenceConfig(),
    jobs,
    new RedisConfig(options.redisUrl),
    new LogConfig('silent'),
    new ServerConfig('local', 0, '127.0.0.1'),
    new StorageConfig({ driver: 'disk', root: join(options.dataFolder, 'media') }),
  ];
  const environment = { provide: ENVIRONMENT, useValue: {} };
  const providers = configs.map((config) => ({ provide: config.constructor as Type, useValue: config }));
  class TestConfigModule {}
  class TestWorkerModule {}
  const rest = [
    RenderImageHandler,
    RenderSharePreviewHandler,
    NoAnalysisHandler,
    NoLooksHandler,
    NoProbeHandler,
    NoVideoHandler,
  ];
  const decoders = {
    provide: Decoders,
    inject: [RootLog],
    useFactory: (root: RootLog) => new Decoders(root, FROM_SOURCE),
  };
  Module({ providers: [...options.handlers, ...rest, decoders] })(TestWorkerModule);
  return NestFactory.createApplicationContext(
    {
      module: TestWorkerModule,
      imports: [
        {
          module: TestConfigModule,
          global: true,
          providers: [environment, ...providers],
          exports: [ENVIRONMENT, ...configs.map((config) => config.constructor as Type)],
        },
        LoggingModule.forService('worker'),
        RedisModule,
        ObjectStoreModule,
        HealthModule.requiring('redis', 'storage'),
        HealthServerModule,
        JobsModule.forConfig(jobs),
      ],
    },
    { logger: false, abortOnError: false },
  );
}

/** The queues as used by `api`, and an object store. */
export class QueueHarness {
  readonly redis: Redis;
  readonly images: Queue;
  readonly events: QueueEvents;
  private readonly reports: Worker;
  readonly reportOptions = new Map<string, JobsOptions>();
  private readonly outcomes = new Map<string, JobOutcome[]>();
  private readonly waiting = new Map<string, () => void>();

  private constructor(
    readonly redisUrl: string,
    readonly dataFolder: string,
  ) {
    const connection = { url: redisUrl, maxRetriesPerRequest: null };
    this.redis = new Redis(redisUrl);
    this.images = new Queue('images', { prefix: REDIS_PREFIX, connection });
    this.events = new QueueEvents('images', { prefix: REDIS_PREFIX, connection });
    this.reports = new Worker(
      reportRun.queue,
      async (job) => {
        const { runId, job: name, outcome } = unpackJob(reportRun, job.data);
        const definition = JOBS.find((each) => each.name === name);
        if (!definition) throw new Error(`no job ${name}`);
        this.reportOptions.set(runId, job.opts);
        this.outcomes.set(runId, [...(this.outcomes.get(runId) ?? []), parseOutcome(definition, outcome)]);
        this.waiting.get(runId)?.();
      },
      { prefix: REDIS_PREFIX, connection },
    );
  }

  static async start(redisUrl: string): Promise<QueueHarness> {
    const queues = new QueueHarness(redisUrl, await mkdtemp(join(tmpdir(), 'clearframe-queues-')));
    await queues.events.waitUntilReady();
    return queues;
  }

  async publish(payload: EnhancePayload, options: JobsOptions = {}, queue = this.images): Promise<void> {
    await queue.add(enhanceImage.name, packJob(enhanceImage, payload, traceparentOf(payload.runId)), {
      jobId: jobIdOf(payload.runId),
      attempts: enhanceImage.attempts,
      backoff: { type: 'fixed', delay: 1 },
      removeOnComplete: true,
      ...options,
    });
  }

  /** Resolves when a job that is published afterwards has completed and, as `api` wants it, is removed. */
  removalOf(runId: string): Promise<void> {
    return new Promise((resolve) => {
      const onCompleted = ({ jobId }: { jobId: string }): void => {
        if (jobId !== jobIdOf(runId)) return;
        this.events.off('completed', onCompleted);
        resolve();
      };
      this.events.on('completed', onCompleted);
    });
  }

  /** Resolves with the reason when a job that is published afterwards has failed. */
  failureOf(runId: string): Promise<string> {
    return new Promise((resolve) => {
      const onFailed = ({ jobId, failedReason }: { jobId: string; failedReason: string }): void => {
        if (jobId !== jobIdOf(runId)) return;
        this.events.off('failed', onFailed);
        resolve(failedReason);
      };
      this.events.on('failed', onFailed);
    });
  }

  async cancel(runId: string): Promise<void> {
    await this.redis.set(cancellationKey(runId), '1');
  }

  async reported(runId: string, count = 1): Promise<JobOutcome[]> {
    while ((this.outcomes.get(runId)?.length ?? 0) < count) {
      await new Promise<void>((resolve) => this.waiting.set(runId, resolve));
    }
    return this.outcomes.get(runId) ?? [];
  }

  async stop(): Promise<void> {
    await Promise.all([this.images.close(), this.events.close(), this.reports.close()]);
    this.redis.disconnect();
    await rm(this.dataFolder, { recursive: true, force: true });
  }
}

export const portOf = (app: INestApplicationContext): number => app.get(HealthServer, { strict: false }).port;
export const storeOf = (app: INestApplicationContext): ObjectStore => app.get(ObjectStore, { strict: false });
