import type { ErrorCode } from '@clearframe/contract';

/** The code is translated; the visitor quotes the id to support. */
export interface ProblemView {
  readonly code: ErrorCode;
  readonly requestId: string;
  /** Details of `videos.limit_reached`. */
  readonly limit?: ReachedLimit;
}

export const VIDEO_LIMIT_NAMES = ['max_size_mb', 'max_length', 'max_period_size_mb', 'max_period_length'] as const;

/** A limit of videos, in MB or seconds. */
export interface ReachedLimit {
  readonly name: (typeof VIDEO_LIMIT_NAMES)[number];
  /** Measured for the video, or for the week including it. */
  readonly value: number;
  readonly allowed: number;
}
