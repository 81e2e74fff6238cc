import {
  type JobOutcome,
  type JobPayload,
  objectKeys,
  packJob,
  REDIS_PREFIX,
  type RunIds,
  renderImage,
  renderSharePreview,
  reportRun,
  SHARE_PREVIEW_SIZE,
  tilesOf,
  traceparentOf,
  unpackJob,
} from '@clearframe/contract';
import { type Job, Queue, Worker } from 'bullmq';
import type { TestApi } from '../application.js';
import { picture } from '../pictures.js';
import { writeObject } from './write-object.js';

export type Render = JobPayload<typeof renderImage>;
export type SharePreview = JobPayload<typeof renderSharePreview>;
type RenderOutcome = JobOutcome<typeof renderImage>;
type PreviewOutcome = JobOutcome<typeof renderSharePreview>;

/** Size of pictures with tiles. */
export const LARGE = { width: 6000, height: 4000 } as const;

export class RenderWorker {
  readonly orders: Render[] = [];
  readonly displays: Render[] = [];
  readonly previews: SharePreview[] = [];
  /** By run. */
  readonly queueOf = new Map<string, string>();
  private readonly reports: Queue;
  private readonly worker: Worker;
  private gate: Promise<void> = Promise.resolve();
  private fails = false;

  constructor(
    private readonly api: TestApi,
    private readonly handlers: Readonly<Record<string, (job: Job) => Promise<void>>> = {},
  ) {
    const connection = { url: api.environment.REDIS_URL ?? '', maxRetriesPerRequest: null };
    this.reports = new Queue(reportRun.queue, { prefix: REDIS_PREFIX, connection });
    this.worker = new Worker('renders', (job) => this.handle(job), {
      prefix: REDIS_PREFIX,
      connection,
      concurrency: 8,
    });
  }

  async handle(job: Job): Promise<void> {
    const other = this.handlers[job.name];
    if (other) return other(job);
    if (job.name === renderSharePreview.name) return this.finishPreview(unpackJob(renderSharePreview, job.data));
    const render = unpackJob(renderImage, job.data);
    this.queueOf.set(render.runId, job.queueName);
    (render.rendition.use === 'display' ? this.displays : this.orders).push(render);
    await this.gate;
    await this.report(render, this.fails ? { kind: 'failed', errorCode: 'tasks.failed' } : await this.make(render));
  }

  hold(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.gate = promise;
    return resolve;
  }

  setFailing(fails: boolean): void {
    this.fails = fails;
  }

  private async finishPreview(preview: SharePreview): Promise<void> {
    this.previews.push(preview);
    await this.gate;
    const outcome = this.fails
      ? ({ kind: 'failed', errorCode: 'tasks.failed' } as const)
      : await this.makePreview(preview);
    await this.report(preview, outcome, renderSharePreview.name);
  }

  async makePreview({ subjectId, runId }: SharePreview): Promise<PreviewOutcome> {
    const bytes = picture.jpeg();
    const key = objectKeys.sharePreview(subjectId, runId);
    await writeObject(this.api, key, bytes);
    const image = { key, contentType: 'image/jpeg', sizeBytes: bytes.length, ...SHARE_PREVIEW_SIZE } as const;
    return { kind: 'completed', result: image };
  }

  async report(
    { subjectId, runId }: RunIds,
    outcome: RenderOutcome | PreviewOutcome,
    job: string = renderImage.name,
  ): Promise<void> {
    await this.reports.add(
      reportRun.name,
      packJob(reportRun, { subjectId, runId, job, outcome }, traceparentOf(runId)),
      { removeOnComplete: true },
    );
  }

  async make({ subjectId, runId, rendition }: Render): Promise<RenderOutcome> {
    const { contentType, watermark, maxSide, use } = rendition;
    if (use === 'tiles') return this.makeTiles({ subjectId, runId }, watermark);
    const bytes = picture.jpeg();
    const store = async (name: string) => {
      const key = objectKeys.rendition(subjectId, runId, name, contentType);
      await writeObject(this.api, key, bytes);
      return { key, contentType, sizeBytes: bytes.length };
    };
    const size = { width: maxSide ?? 640, height: maxSide ?? 480 };
    const file = { ...(await store(use ?? 'rendition')), ...size, hasWatermark: watermark };
    if (use !== 'display') return { kind: 'completed', result: file };
    const medium = { ...(await store('medium')), width: 1024, height: 768 };
    const thumbnail = { ...(await store('thumbnail')), width: 400, height: 300 };
    return { kind: 'completed', result: { ...file, medium, thumbnail } };
  }

  /** Each tile says its number and, of a watermarked picture, that it is one. */
  private async makeTiles({ subjectId, runId }: RunIds, hasWatermark: boolean): Promise<RenderOutcome> {
    const tiles = tilesOf(LARGE).map((_, number) => Buffer.from(`${hasWatermark ? 'marked' : 'clean'} tile ${number}`));
    const ends = [4 * (tiles.length + 1)];
    for (const { length } of tiles) ends.push((ends.at(-1) ?? 0) + length);
    const bytes = Buffer.concat([Buffer.from(Uint32Array.from(ends).buffer), ...tiles]);
    const key = objectKeys.tiles(subjectId, runId);
    await writeObject(this.api, key, bytes);
    const file = { key, contentType: 'image/jpeg', ...LARGE, sizeBytes: bytes.length, hasWatermark } as const;
    return { kind: 'completed', result: file };
  }

  async stop(): Promise<void> {
    await this.worker.close();
    await this.reports.close();
  }
}
