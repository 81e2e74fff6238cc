import {
  type EnhancedImage,
  enhanceImage,
  isUntouched,
  type JobOutcome,
  type JobPayload,
  objectKeys,
  packJob,
  REDIS_PREFIX,
  type Recipe,
  type RunIds,
  type RunQueue,
  renderImage,
  renderLooks,
  reportRun,
  traceparentOf,
  unpackJob,
} from '@clearframe/contract';
import { type Job, Queue, UnrecoverableError, Worker } from 'bullmq';
import type { TestApi } from '../application.js';
import { picture } from '../pictures.js';
import { until } from '../until.js';
import { writeObject } from './write-object.js';

type Run = JobPayload<typeof enhanceImage>;
export type EnhanceOutcome = JobOutcome<typeof enhanceImage>;

const ENHANCE_QUEUES = ['images', 'colors', 'large'] as const satisfies readonly RunQueue[];

interface HeldJob {
  readonly job: Job;
  readonly run: Run;
  readonly complete: () => void;
  readonly fail: () => void;
}

export class ManualWorker {
  private readonly held = new Map<string, HeldJob>();
  private readonly reports: Queue;
  private workers: Worker[] = [];

  /** @param renders takes files of large pictures, which wait in a queue of this worker */
  constructor(
    private readonly api: TestApi,
    private readonly renders?: { handle(job: Job): Promise<void> },
  ) {
    this.reports = new Queue(reportRun.queue, { prefix: REDIS_PREFIX, connection: this.connection });
  }

  private get connection() {
    return { url: this.api.environment.REDIS_URL ?? '', maxRetriesPerRequest: null };
  }

  async start(): Promise<void> {
    this.workers = ENHANCE_QUEUES.map((queue) => this.open(queue));
    await Promise.all(this.workers.map((worker) => worker.waitUntilReady()));
  }

  private open(queue: RunQueue): Worker {
    return new Worker(
      queue,
      async (job) => {
        if (job.name === renderLooks.name) return this.finishLooks(unpackJob(renderLooks, job.data));
        if (job.name === renderImage.name && this.renders) return this.renders.handle(job);
        const run = unpackJob(enhanceImage, job.data);
        const { promise, resolve, reject } = Promise.withResolvers<void>();
        const fail = () => reject(new UnrecoverableError('failed by the test'));
        this.held.set(run.subjectId, { job, run, complete: resolve, fail });
        await promise.finally(() => this.held.delete(run.subjectId));
      },
      { prefix: REDIS_PREFIX, connection: this.connection },
    );
  }

  has(taskId: string): boolean {
    return this.held.has(taskId);
  }

  async waitForJob(taskId: string): Promise<HeldJob> {
    return until(() => this.held.get(taskId), `the worker to take the job of ${taskId}`);
  }

  async end(taskId: string, outcome: (run: Run) => EnhanceOutcome | Promise<EnhanceOutcome>): Promise<void> {
    const { run, complete } = await this.waitForJob(taskId);
    await this.report(run, await outcome(run));
    complete();
  }

  private async finishLooks({ subjectId, runId }: JobPayload<typeof renderLooks>): Promise<void> {
    const key = objectKeys.look(subjectId, runId, 0);
    await writeObject(this.api, key, picture.jpeg());
    const result = { looks: [{ tool: 'bokeh' as const, model: 'low', key, width: 320, height: 240 }] };
    await this.report({ subjectId, runId }, { kind: 'completed', result }, renderLooks.name);
  }

  async report(ids: RunIds, outcome: JobOutcome, job: string = enhanceImage.name): Promise<void> {
    const { subjectId, runId } = ids;
    await this.reports.add(
      reportRun.name,
      packJob(reportRun, { subjectId, runId, job, outcome }, traceparentOf(runId)),
      // The options that the worker uses.
      {
        attempts: reportRun.attempts,
        backoff: { type: 'fixed', delay: reportRun.retryMs },
        removeOnComplete: true,
      },
    );
  }

  /** Resolves when the only report has failed after the given number of earlier attempts, with its next delay. */
  async delayOfReportAfter(attempts: number): Promise<number> {
    const failed = await until(async () => {
      const [job] = await this.reports.getJobs(['delayed']);
      return job && job.attemptsMade > 0 ? job : null;
    }, 'the report to fail');
    await this.api.redis.hset(`${REDIS_PREFIX}:${reportRun.queue}:${failed.id}`, 'atm', attempts);
    return until(async () => {
      const [job] = await this.reports.getJobs(['delayed']);
      return job && job.attemptsMade > attempts ? job.delay : null;
    }, 'the report to fail again');
  }

  async waitForReports(): Promise<void> {
    await until(async () => {
      const { waiting, active, delayed } = await this.reports.getJobCounts('waiting', 'active', 'delayed');
      return !waiting && !active && !delayed;
    }, 'the reports to be taken');
  }

  async finish(
    { subjectId: taskId, runId, aiPipeline, rendition, display }: Run,
    bytes = picture.jpeg(),
    pixels = { width: 640, height: 480 },
    changes: Partial<Recipe> = {},
  ): Promise<EnhanceOutcome> {
    const models = [{ id: 'face', version: '1', sha256: '0'.repeat(64) }];
    const recipe: Recipe = { version: 1, aiPipeline, models, ...changes };
    const isClean = isUntouched(recipe);
    const renditionKey = objectKeys.rendition(taskId, runId, 'result', rendition.contentType);
    const masterKey = objectKeys.master(taskId, runId);
    const baseKey = objectKeys.base(taskId, runId);
    const displayKey = objectKeys.rendition(taskId, runId, 'display', 'image/jpeg');
    const thumbnailKey = objectKeys.rendition(taskId, runId, 'thumbnail', 'image/jpeg');
    for (const key of [renditionKey, masterKey, displayKey, thumbnailKey, baseKey, objectKeys.report(taskId, runId)]) {
      await writeObject(this.api, key, bytes);
    }
    const size = { ...pixels, sizeBytes: bytes.length };
    const thumbnail = { key: thumbnailKey, contentType: 'image/jpeg', ...size, width: 400, height: 300 } as const;
    const result: EnhancedImage = {
      input: { key: objectKeys.input(taskId), contentType: 'image/jpeg', ...size },
      master: { key: masterKey, contentType: 'image/png', ...size },
      rendition: {
        key: renditionKey,
        contentType: rendition.contentType,
        ...size,
        hasWatermark: rendition.watermark && !isClean,
      },
      display: {
        key: displayKey,
        contentType: 'image/jpeg',
        ...size,
        hasWatermark: display.watermark && !isClean,
        thumbnail,
      },
      faces: [{ box: { x: 1, y: 2, width: 3, height: 4 }, confidence: 0.9, identitySimilarity: null }],
      recipe,
      baseKey,
      timings: [{ step: 'decode', ms: 1, sessionMs: 0 }],
    };
    return { kind: 'completed', result };
  }

  async stop(): Promise<void> {
    for (const { complete } of this.held.values()) complete();
    await Promise.all(this.workers.map((worker) => worker.close()));
    await this.reports.close();
  }
}
