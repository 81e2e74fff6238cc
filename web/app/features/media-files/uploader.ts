import type { Actor, VideoLimits } from '@clearframe/contract';

export type VideoFileLimits = Pick<VideoLimits, 'maxSizeMb' | 'maxLength'>;

export interface UploadLimits {
  readonly hasBatch: boolean;
  /** Files that a batch has room for. */
  readonly files: number;
  readonly photoSizeMb: number;
  /** Null without videos. */
  readonly video: VideoFileLimits | null;
  /** Workers can enhance videos at the moment. */
  readonly isVideoOn: boolean;
  /** Video limits of the largest plan; null when an upgrade isn't offered. */
  readonly largestVideo: VideoLimits | null;
}

/** What uploads depend on about the visitor. */
export interface Uploader extends Actor {
  readonly limits: UploadLimits;
  /** The feature-ranking survey is due: for subscribers after their trial, once per browser (spec 2, section 4). */
  readonly isSurveyed: boolean;
}
