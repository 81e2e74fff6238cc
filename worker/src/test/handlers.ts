import { type EnhancedImage, enhanceImage, type JobOutcome, objectKeys } from '@clearframe/contract';
import { HandlesJob, type JobContext } from '../jobs/job-handler.js';
import type { EnhancePayload } from './worker.js';

export function resultOf({ subjectId: taskId, runId, inputKey }: EnhancePayload): EnhancedImage {
  const image = {
    key: objectKeys.master(taskId, runId),
    contentType: 'image/png',
    width: 1,
    height: 1,
    sizeBytes: 1,
  } as const;
  return {
    input: { ...image, key: inputKey },
    master: image,
    rendition: { ...image, hasWatermark: true },
    faces: [],
    recipe: { version: 1, aiPipeline: {}, models: [] },
    timings: [],
  };
}

export const completed = (payload: EnhancePayload): JobOutcome<typeof enhanceImage> => ({
  kind: 'completed',
  result: resultOf(payload),
});

export type Work = (payload: EnhancePayload, context: JobContext, attempt: number) => Promise<EnhancedImage>;

export function handlerOf(work: Work) {
  const attempts = new Map<string, number>();
  @HandlesJob(enhanceImage)
  class TestHandler {
    handle(payload: EnhancePayload, context: JobContext): Promise<EnhancedImage> {
      const attempt = (attempts.get(payload.runId) ?? 0) + 1;
      attempts.set(payload.runId, attempt);
      return work(payload, context, attempt);
    }
  }
  return { handler: TestHandler, attemptsAt: (runId: string) => attempts.get(runId) ?? 0 };
}

export const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }));
