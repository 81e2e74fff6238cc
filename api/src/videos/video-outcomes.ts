import type { enhanceVideo, JobOutcome, probeVideo } from '@clearframe/contract';
import type { TaskRow } from '../tasks/records/task.entity.js';

type Outcome = JobOutcome<typeof probeVideo> | JobOutcome<typeof enhanceVideo>;

/** State of a video whose run yields nothing. */
export function changeOf(outcome: Exclude<Outcome, { kind: 'completed' }>): Pick<TaskRow, 'status' | 'errorCode'> {
  switch (outcome.kind) {
    case 'invalid':
      return { status: 'invalid', errorCode: outcome.errorCode };
    case 'failed':
      return { status: 'failed', errorCode: 'videos.failed' };
    case 'cancelled':
      return { status: 'cancelled', errorCode: null };
  }
}
