import type { ErrorCode } from '@clearframe/contract';
import type { ResultNote } from './result-notes';

/** A task as its pages show it. */
export interface TaskView {
  readonly taskId: string;
  readonly state:
    | { readonly kind: 'uploading' }
    /** `place` among the waiting, 1 being next; null when it is not known. */
    | { readonly kind: 'waiting'; readonly place: number | null }
    /** `progress` is 0..1. */
    | { readonly kind: 'working'; readonly progress: number }
    | { readonly kind: 'done' }
    | { readonly kind: 'failed' | 'invalid'; readonly code: ErrorCode }
    | { readonly kind: 'cancelled' };
  /** Downloaded clean and in full before: doing so again costs nothing. */
  readonly isExported: boolean;
  readonly fileName: string | null;
  /** Signed and short-lived, like all addresses here; null while there is nothing to show. */
  readonly inputUrl: string | null;
  readonly output: OutputView | null;
  /** When its media are deleted; ISO 8601. */
  readonly expiresAt: string;
}

export interface OutputView {
  readonly url: string;
  /** The same, answered as a file to keep. */
  readonly downloadUrl: string;
  readonly contentType: string;
  /** In pixels. */
  readonly width: number;
  readonly height: number;
  readonly hasWatermark: boolean;
  /** What there is to say of it, beside the picture itself. */
  readonly notes: readonly ResultNote[];
}
