import type { ErrorCode, ReachedVideoLimit } from '@clearframe/contract';

/** The code is translated; the visitor quotes the id to support. */
export interface ProblemView {
  readonly code: ErrorCode;
  readonly requestId: string;
  /** Details of `videos.limit_reached`. */
  readonly limit?: ReachedVideoLimit;
}
