import {
  analyzeImage,
  type JobOutcome,
  type JobPayload,
  objectKeys,
  type PictureMeasures,
  packJob,
  REDIS_PREFIX,
  reportRun,
  traceparentOf,
  unpackJob,
} from '@clearframe/contract';
import { Queue, Worker } from 'bullmq';
import type { TestApi } from '../application.js';
import { writeObject } from './write-object.js';

type Outcome = JobOutcome<typeof analyzeImage>;

export const SOFT_AND_FADED: PictureMeasures = {
  softness: 2,
  noise: 0.5,
  blockiness: 0,
  need: 1,
  light: { median: 0.5, exposure: 'normal', isMonochrome: false, isFlat: false },
  isFaded: true,
  faces: [
    { box: { x: 0.1, y: 0.2, width: 0.3, height: 0.3 }, realPixels: 40, isRestorable: true },
    { box: { x: 0.6, y: 0.2, width: 0.2, height: 0.2 }, realPixels: 90, isRestorable: false },
  ],
};

export const measured = (measures: PictureMeasures, width = 1500, height = 1000): Outcome => ({
  kind: 'completed',
  result: { input: { contentType: 'image/jpeg', width, height, sizeBytes: 6_000 }, measures },
});

/** Takes analyses as the worker does: stores the report, then sends it. */
export class AnalysisWorker {
  readonly taken: JobPayload<typeof analyzeImage>[] = [];
  /** Null: the job is held until the worker stops. */
  outcome: Outcome | null = measured(SOFT_AND_FADED);
  private readonly reports: Queue;
  private readonly worker: Worker;
  private readonly stopped = Promise.withResolvers<void>();

  constructor(private readonly api: TestApi) {
    const connection = { url: api.environment.REDIS_URL ?? '', maxRetriesPerRequest: null };
    this.reports = new Queue(reportRun.queue, { prefix: REDIS_PREFIX, connection });
    this.worker = new Worker(analyzeImage.queue, (job) => this.handle(unpackJob(analyzeImage, job.data)), {
      prefix: REDIS_PREFIX,
      connection,
    });
  }

  private async handle(payload: JobPayload<typeof analyzeImage>): Promise<void> {
    const { outcome } = this;
    this.taken.push(payload);
    if (!outcome) return this.stopped.promise;
    const { subjectId, runId } = payload;
    await writeObject(this.api, objectKeys.report(subjectId, runId), Buffer.from(JSON.stringify(outcome)));
    const report = { subjectId, runId, job: analyzeImage.name, outcome };
    await this.reports.add(reportRun.name, packJob(reportRun, report, traceparentOf(runId)));
  }

  async stop(): Promise<void> {
    this.stopped.resolve();
    await this.worker.close();
    await this.reports.close();
  }
}
