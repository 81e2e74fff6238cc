import type { InvalidCode } from '@clearframe/contract';
import type { SerializedError } from '../inference/errors.js';
import type { EnhanceOptions } from './enhance-video.js';
import type { VideoOutcome, VideoUpdate } from './files.js';
import type { VideoTools } from './locate.js';
import type { MeasuredSpeed } from './speed.js';

export type VideoRequest =
  | ({ readonly type: 'enhance' } & EnhanceVideoRequest)
  | { readonly type: 'measure'; readonly tools: VideoTools; readonly folder: string };

export type EnhanceVideoRequest = Omit<EnhanceOptions, 'signal' | 'onUpdate'> & { readonly tools: VideoTools };

export type FromVideoProcess =
  | VideoUpdate
  | { readonly type: 'enhanced'; readonly outcome: VideoOutcome }
  | { readonly type: 'measured'; readonly speed: MeasuredSpeed }
  | { readonly type: 'invalid'; readonly code: InvalidCode }
  | { readonly type: 'error'; readonly error: SerializedError };
