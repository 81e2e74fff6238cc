import {
  type EnhancedVideo,
  enhanceVideo,
  type JobDefinition,
  type JobOutcome,
  type JobPayload,
  objectKeys,
  type ProbedVideo,
  packJob,
  probeVideo,
  REDIS_PREFIX,
  type RunIds,
  type RunProgressReport,
  reportRun,
  traceparentOf,
  unpackJob,
} from '@clearframe/contract';
import { type Job, Queue, Worker } from 'bullmq';
import type { TestApi } from '../application.js';
import { picture, video } from '../pictures.js';
import { until } from '../until.js';
import { RenderWorker } from './render-worker.js';
import { writeObject } from './write-object.js';

type Enhance = JobPayload<typeof enhanceVideo>;

interface HeldJob {
  readonly job: Job;
  readonly run: Enhance;
  readonly complete: () => void;
}

export const clip: ProbedVideo = {
  contentType: 'video/mp4',
  width: 1280,
  height: 720,
  duration: 9.6,
  frameCount: 240,
  frameRate: 25,
  isVariableFrameRate: false,
  rotation: 0,
  hasAudio: true,
  audioTracks: 1,
  subtitleTracks: 0,
  isHdr: false,
  codec: 'h264',
  isBrowserPlayable: true,
  sizeBytes: 9_000,
  sha256: '0'.repeat(64),
  plan: { recipe: 'faces', estimatedSeconds: 40 },
  posterKey: '',
  thumbnailKey: '',
};

export class VideoWorker {
  metadata: Partial<ProbedVideo> = {};
  refusal: JobOutcome<typeof probeVideo> | null = null;
  readonly renders: RenderWorker;
  readonly probes: JobPayload<typeof probeVideo>[] = [];
  private readonly held = new Map<string, HeldJob>();
  private readonly reports: Queue;
  private readonly worker: Worker;
  private isStopping = false;

  constructor(private readonly api: TestApi) {
    const connection = { url: api.environment.REDIS_URL ?? '', maxRetriesPerRequest: null };
    this.reports = new Queue(reportRun.queue, { prefix: REDIS_PREFIX, connection });
    this.renders = new RenderWorker(api, {
      [probeVideo.name]: (job) => this.probe(unpackJob(probeVideo, job.data)),
    });
    this.worker = new Worker(
      'videos',
      async (job) => {
        const run = unpackJob(enhanceVideo, job.data);
        const { promise, resolve } = Promise.withResolvers<void>();
        if (this.isStopping) return;
        this.held.set(run.subjectId, { job, run, complete: resolve });
        await promise.finally(() => this.held.delete(run.subjectId));
      },
      { prefix: REDIS_PREFIX, connection, concurrency: 4 },
    );
  }

  has(taskId: string): boolean {
    return this.held.has(taskId);
  }

  waitForJob(taskId: string): Promise<HeldJob> {
    return until(() => this.held.get(taskId), `the worker to take the video ${taskId}`);
  }

  async reportProgress(taskId: string, report: RunProgressReport): Promise<void> {
    const { job } = await this.waitForJob(taskId);
    await job.updateProgress(report);
  }

  async end(taskId: string, outcome?: JobOutcome<typeof enhanceVideo>): Promise<void> {
    const { run, complete } = await this.waitForJob(taskId);
    await this.report(enhanceVideo, run, outcome ?? { kind: 'completed', result: await this.finish(run) });
    complete();
  }

  async finish({ subjectId: taskId, runId, metadata }: Enhance): Promise<EnhancedVideo> {
    const bytes = video.mp4(5_000);
    const posterKey = objectKeys.videoPoster(taskId, runId);
    const thumbnailKey = objectKeys.videoThumbnail(taskId, runId);
    const displayInputKey = objectKeys.videoDisplayInput(taskId, runId);
    const key = objectKeys.video(taskId, runId);
    for (const jpeg of [posterKey, thumbnailKey]) await this.store(jpeg, picture.jpeg());
    await this.store(key, bytes);
    await this.store(displayInputKey, video.mp4(4_000));
    await this.store(objectKeys.report(taskId, runId), Buffer.from('{}'));
    const { width, height, duration } = metadata;
    return {
      output: { key, contentType: 'video/mp4', width, height, duration, sizeBytes: bytes.length },
      posterKey,
      thumbnailKey,
      displayInputKey,
      recipe: {
        name: 'faces',
        tools: ['background_enhance', 'face_enhance'],
        networks: [{ id: 'face', version: '1', sha256: '0'.repeat(64) }],
        version: 1,
      },
      notes: ['subtitles_dropped'],
      facesFollowed: 2,
      facesRestored: 1,
      timings: [{ step: 'frames', ms: 1 }],
    };
  }

  async report<Definition extends JobDefinition>(
    { name }: Definition,
    { subjectId, runId }: RunIds,
    outcome: JobOutcome<Definition>,
  ): Promise<void> {
    const payload = { subjectId, runId, job: name, outcome };
    await this.reports.add(reportRun.name, packJob(reportRun, payload, traceparentOf(runId)), {
      removeOnComplete: true,
    });
  }

  async store(key: string, bytes: Buffer): Promise<void> {
    await writeObject(this.api, key, bytes);
  }

  private async probe(run: JobPayload<typeof probeVideo>): Promise<void> {
    this.probes.push(run);
    if (this.refusal) return this.report(probeVideo, run, this.refusal);
    const posterKey = objectKeys.videoPoster(run.subjectId, run.runId);
    const thumbnailKey = objectKeys.videoThumbnail(run.subjectId, run.runId);
    for (const key of [posterKey, thumbnailKey]) await this.store(key, picture.jpeg());
    const result = { ...clip, ...this.metadata, posterKey, thumbnailKey };
    await this.report(probeVideo, run, { kind: 'completed', result });
  }

  async stopVideos(): Promise<void> {
    this.isStopping = true;
    for (const { complete } of this.held.values()) complete();
    await this.worker.close();
  }

  async stop(): Promise<void> {
    await this.stopVideos();
    await this.renders.stop();
    await this.reports.close();
  }
}
