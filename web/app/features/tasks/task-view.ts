import type { DisplayImage, ErrorCode, ExportState, MediaType, TaskDisplay, TaskOutput } from '@clearframe/contract';
import { processingAddress, resultAddress, videoAddress } from '../../session/task-addresses';

export interface TaskView {
  readonly taskId: string;
  /** The upload of several photos that it belongs to, or null. */
  readonly batchId: string | null;
  readonly state:
    | { readonly kind: 'uploading' }
    /** `place` in the queue, 1 being next; null when unknown. */
    | { readonly kind: 'waiting'; readonly place: number | null }
    /** `progress` is 0..1. */
    | { readonly kind: 'working'; readonly progress: number }
    | { readonly kind: 'done' }
    | { readonly kind: 'failed' | 'invalid'; readonly code: ErrorCode }
    | { readonly kind: 'cancelled' };
  /** Time until the result; null when unknown or without a run. */
  readonly remainingSeconds: number | null;
  /** `preparing`: paid for, the file is to come. `ready`: further downloads are free. */
  readonly exportState: ExportState;
  /** Made with a test key: keeps the watermark, and isn't for sale. */
  readonly isTest: boolean;
  readonly mediaType: MediaType;
  /** Duration of a video in seconds; null until it has been read. */
  readonly duration: number | null;
  readonly fileName: string | null;
  /** The only files that pages show. Signed and short-lived, like all URLs here. */
  readonly display: TaskDisplay;
  /** The displayed result: the one in the address, otherwise the newest that isn't a preview. */
  readonly output: OutputView | null;
  /** The newest result, previews included. */
  readonly newestOutputId: string | null;
  /** Why the uploaded file was refused; another one may follow. */
  readonly uploadProblem: ErrorCode | null;
  /** Why processing again has failed; the earlier results stay. */
  readonly lastProblem: ErrorCode | null;
  /** Deletion of the media; ISO 8601. */
  readonly expiresAt: string;
}

export interface OutputView {
  readonly id: string;
  readonly display: DisplayImage | null;
  readonly url: string;
  readonly downloadUrl: string;
  readonly contentType: string;
  readonly width: number;
  readonly height: number;
  /** What a download of it has; see `TaskOutput`. */
  readonly fullSize: TaskOutput['fullSize'];
  readonly hasWatermark: boolean;
  /** Another file for the visitor's plan is to come. */
  readonly isEncoding: boolean;
  /** Shows the original as it is, so nothing is sold. */
  readonly isUntouched: boolean;
  readonly untouchedReason: UntouchedReason;
  /** Boxes in pixels of the result. */
  readonly faces: readonly {
    readonly x: number;
    readonly y: number;
    readonly width: number;
    readonly height: number;
  }[];
  /** Small and watermarked: it can't be downloaded or paid for. */
  readonly isPreview: boolean;
  readonly notes: readonly ResultNote[];
}

/** `output` is the result that is shown and downloaded. */
export type FinishedTask = TaskView & { readonly output: OutputView };

/** A note on what was done to a picture. */
export type ResultNote =
  | { readonly kind: 'restored'; readonly faces: number }
  | { readonly kind: 'repaired'; readonly marks: number }
  | {
      readonly kind:
        | 'cleaned'
        | 'noFace'
        | 'facesLeft'
        | 'facesHeldBack'
        | 'facesKept'
        | 'bokehLeft'
        | 'liftingLeft'
        | 'repairLeft'
        | 'fadeLeft';
    };

/** Why a picture was left as it is: its faces and background need no restoration, or only other tools were chosen, or none. */
export type UntouchedReason = 'sharp' | 'other' | 'none';

/** The page of a task: of its progress, or of its result. */
export const taskAddress = ({ taskId, mediaType, state }: Pick<TaskView, 'taskId' | 'mediaType' | 'state'>): string => {
  if (mediaType === 'video') return videoAddress(taskId);
  return state.kind === 'done' ? resultAddress(taskId) : processingAddress(taskId);
};

/** The view as JSON, with the given result. */
export const taskDataAddress = (taskId: string, outputId?: string): string =>
  `/tasks/${taskId}${outputId === undefined ? '' : `?${new URLSearchParams({ outputId })}`}`;

/** Uploaded or processed. */
export const isOpen = ({ state: { kind } }: TaskView): boolean =>
  kind === 'uploading' || kind === 'waiting' || kind === 'working';
