import type { enhanceVideo, JobOutcome, probeVideo } from '@clearframe/contract';
import { revertReprocessing } from '../tasks/enhance-run.js';
import type { TaskRow, VideoRow } from '../tasks/task.entity.js';

type Outcome = JobOutcome<typeof probeVideo> | JobOutcome<typeof enhanceVideo>;

export function changeOf(task: VideoRow, outcome: Exclude<Outcome, { kind: 'completed' }>): Partial<TaskRow> {
  const kept = revertReprocessing(task);
  if (kept) return { ...kept, errorCode: outcome.kind === 'cancelled' ? null : failureCodeOf(outcome) };
  switch (outcome.kind) {
    case 'invalid':
      return { status: 'invalid', errorCode: outcome.errorCode };
    case 'failed':
      return { status: 'failed', errorCode: failureCodeOf(outcome) };
    case 'cancelled':
      return { status: 'cancelled', errorCode: null };
  }
}

/** A full disk is no fault of the video: it says when to try again. */
const failureCodeOf = (outcome: Outcome): 'tasks.disk_full' | 'videos.failed' =>
  outcome.kind === 'failed' && outcome.errorCode === 'tasks.disk_full' ? outcome.errorCode : 'videos.failed';
