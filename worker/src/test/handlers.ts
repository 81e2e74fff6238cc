import { enhanceImage, objectKeys } from '@clearframe/contract';
import { HandlesJob, type JobContext, type OutcomeOf } from '../jobs/job-handler.js';
import type { EnhancePayload } from './worker.js';

/** Stands for a finished picture; what is in it is the handler's business, not the host's. */
export function completed({ taskId, runId, inputKey }: EnhancePayload): OutcomeOf<'completed'> {
  const image = {
    key: objectKeys.master(taskId, runId),
    contentType: 'image/png',
    width: 1,
    height: 1,
    sizeBytes: 1,
  } as const;
  return {
    kind: 'completed',
    result: {
      input: { ...image, key: inputKey },
      master: image,
      rendition: { ...image, hasWatermark: true },
      faces: [],
      recipe: { version: 1, aiPipeline: {}, models: [] },
      timings: [],
    },
  };
}

export type Work = (payload: EnhancePayload, context: JobContext, attempt: number) => Promise<OutcomeOf<'completed'>>;

/** A handler whose work each test decides on. */
export function handlerOf(work: Work) {
  const attempts = new Map<string, number>();
  @HandlesJob(enhanceImage)
  class TestHandler {
    handle(payload: EnhancePayload, context: JobContext): Promise<OutcomeOf<'completed'>> {
      const attempt = (attempts.get(payload.runId) ?? 0) + 1;
      attempts.set(payload.runId, attempt);
      return work(payload, context, attempt);
    }
  }
  return { handler: TestHandler, attemptsAt: (runId: string) => attempts.get(runId) ?? 0 };
}

export const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }));
