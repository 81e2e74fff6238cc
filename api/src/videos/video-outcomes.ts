import type { enhanceVideo, JobOutcome, probeVideo } from '@clearframe/contract';
import { revertReprocessing } from '../tasks/processing/enhance-run.js';
import type { TaskRow, VideoRow } from '../tasks/records/task.entity.js';

type Outcome = JobOutcome<typeof probeVideo> | JobOutcome<typeof enhanceVideo>;

export function changeOf(task: VideoRow, outcome: Exclude<Outcome, { kind: 'completed' }>): Partial<TaskRow> {
  const kept = revertReprocessing(task);
  if (kept) return { ...kept, errorCode: outcome.kind === 'cancelled' ? null : 'videos.failed' };
  switch (outcome.kind) {
    case 'invalid':
      return { status: 'invalid', errorCode: outcome.errorCode };
    case 'failed':
      return { status: 'failed', errorCode: 'videos.failed' };
    case 'cancelled':
      return { status: 'cancelled', errorCode: null };
  }
}
