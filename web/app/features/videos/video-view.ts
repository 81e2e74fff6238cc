import type { ErrorCode, VideoTaskResult } from '@clearframe/contract';
import type { Choices } from '../tools/choices';
import type { LimitRefusal } from '../upload/reached-limit';
import type { ComparedVideo } from './video-comparison';

/** A video as displayed by its page. URLs are signed and short-lived. */
export interface VideoView {
  readonly taskId: string;
  readonly state:
    | { readonly kind: 'uploading' | 'checking' | 'done' | 'cancelled' }
    /** `place` in the queue, 1 being next. */
    | { readonly kind: 'waiting'; readonly place: number | null }
    /** `progress` is 0..1. */
    | { readonly kind: 'working'; readonly progress: number }
    | { readonly kind: 'failed' | 'invalid'; readonly code: ErrorCode };
  readonly refusal: LimitRefusal | null;
  readonly fileName: string | null;
  /** Known once the file has been read. */
  readonly plan: { readonly recipe: 'faces' | 'signal'; readonly estimatedSeconds: number } | null;
  /** Null until it is known. */
  readonly remainingSeconds: number | null;
  readonly frames: number | null;
  readonly posterUrl: string | null;
  /** A frame before and after, while the video is enhanced. */
  readonly preview: { readonly inputUrl: string; readonly outputUrl: string } | null;
  /** The displayed one: that of the address, else the newest. */
  readonly result: VideoResultView | null;
  /** Newest first. */
  readonly versions: readonly VideoVersionView[];
  readonly choices: Choices;
  /** Why it was not enhanced again; the result is the earlier one. */
  readonly lastError: ErrorCode | null;
  readonly details: VideoDetails;
  /** Deletion of the files; ISO 8601. */
  readonly expiresAt: string;
}

export interface VideoResultView extends ComparedVideo {
  readonly id: string;
  readonly downloadUrl: string;
  readonly recipe: VideoTaskResult['recipe'];
  readonly notes: VideoTaskResult['notes'];
  readonly faces: number;
  readonly sizeBytes: number;
}

export interface VideoVersionView {
  readonly id: string;
  /** 1 is the first. */
  readonly number: number;
  readonly posterUrl: string;
}

export interface VideoDetails {
  /** 'MP4'. */
  readonly type: string;
  readonly size: { readonly width: number; readonly height: number } | null;
  readonly duration: number | null;
  readonly frameRate: number | null;
  readonly bytes: number | null;
  readonly hash: string | null;
  /** Address of the original's download; null until it is stored. */
  readonly originalAddress: string | null;
}
