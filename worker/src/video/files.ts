import type { EnhancedVideo } from '@clearframe/contract';
import type { ModelReference } from '../networks/manifest.js';

export const FILES = {
  result: 'result.mp4',
  displayInput: 'display-input.mp4',
  poster: 'poster.jpg',
  thumbnail: 'thumbnail.jpg',
  previewInput: 'preview-input.jpg',
  previewOutput: 'preview-output.jpg',
} as const;
/** The first frame of a result without networks, for the poster. */
export const FIRST_FRAME = 'first-frame.yuv';

export interface VideoOutcome {
  readonly width: number;
  readonly height: number;
  /** Seconds, of the result. */
  readonly duration: number;
  readonly sizeBytes: number;
  readonly recipe: EnhancedVideo['recipe']['name'];
  readonly tools: readonly ('faceEnhance' | 'backgroundEnhance' | 'colorEnhance')[];
  readonly models: readonly ModelReference[];
  readonly notes: EnhancedVideo['notes'];
  readonly facesFollowed: number;
  readonly facesRestored: number;
  readonly timings: readonly { readonly step: string; readonly ms: number }[];
}

export type VideoUpdate =
  | { readonly type: 'progress'; readonly fraction: number; readonly seconds: number }
  | { readonly type: 'preview'; readonly frame: number };
