import {
  enhanceImage,
  packJob,
  REDIS_PREFIX,
  type RunQueue,
  reportRun,
  traceparentOf,
  unpackJob,
} from '@clearframe/contract';
import { Queue, Worker } from 'bullmq';

interface StubStart {
  readonly subjectId: string;
  /** `performance.now()`. */
  readonly at: number;
}

export class StubWorker {
  readonly starts: StubStart[] = [];
  private readonly reports: Queue;
  private readonly worker: Worker;

  constructor(redisUrl: string, queue: RunQueue, workMs: number) {
    const connection = { url: redisUrl, maxRetriesPerRequest: null };
    this.reports = new Queue(reportRun.queue, { prefix: REDIS_PREFIX, connection });
    this.worker = new Worker(
      queue,
      async (job) => {
        const { subjectId, runId } = unpackJob(enhanceImage, job.data);
        this.starts.push({ subjectId, at: performance.now() });
        await new Promise((resolve) => setTimeout(resolve, workMs));
        const outcome = { kind: 'failed', errorCode: 'tasks.failed' };
        const report = { subjectId, runId, job: enhanceImage.name, outcome };
        await this.reports.add(reportRun.name, packJob(reportRun, report, traceparentOf(runId)), {
          removeOnComplete: true,
        });
      },
      { prefix: REDIS_PREFIX, connection, name: 'stub-x1' },
    );
  }

  async stop(): Promise<void> {
    await this.worker.close();
    await this.reports.close();
  }
}
