import { Readable, type Stream } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { InvalidCode } from '@clearframe/contract';
import { InvalidImageError } from '../image/errors.js';
import { EngineCrashedError, reviveError, type SerializedError } from '../inference/errors.js';
import { forkChild, SHARED_FD } from '../inference/fork-child.js';
import type { EnhanceOptions } from './enhance-video.js';
import type { VideoOutcome, VideoUpdate } from './files.js';
import type { VideoTools } from './locate.js';
import type { MeasuredSpeed } from './speed.js';

export type VideoRequest =
  | ({ readonly type: 'enhance' } & EnhanceVideoRequest)
  | { readonly type: 'measure'; readonly tools: VideoTools; readonly folder: string };

type EnhanceVideoRequest = Omit<EnhanceOptions, 'signal' | 'onUpdate'> & { readonly tools: VideoTools };

export type FromVideoProcess =
  | VideoUpdate
  | { readonly type: 'enhanced'; readonly outcome: VideoOutcome }
  | { readonly type: 'measured'; readonly speed: MeasuredSpeed }
  | { readonly type: 'invalid'; readonly code: InvalidCode }
  | { readonly type: 'error'; readonly error: SerializedError };

interface VideoProcessOptions {
  readonly signal: AbortSignal;
  readonly environment?: NodeJS.ProcessEnv;
  /** For tests; default: the compiled child. */
  readonly childPath?: URL;
}

/** Below requests and pictures: a picture beside a running video takes at most twice as long. */
export const NICENESS = 10;

/** @throws InvalidImageError, the signal's reason, or any other error for a retry */
export async function enhanceInProcess(
  request: EnhanceVideoRequest,
  onUpdate: (update: VideoUpdate) => void,
  options: VideoProcessOptions,
): Promise<VideoOutcome> {
  const answer = await ask({ type: 'enhance', ...request }, onUpdate, options);
  if (answer.type !== 'enhanced') throw new Error('the child answered another request');
  return answer.outcome;
}

export async function measureInProcess(
  tools: VideoTools,
  folder: string,
  options: VideoProcessOptions,
): Promise<MeasuredSpeed> {
  const answer = await ask({ type: 'measure', tools, folder }, () => undefined, options);
  if (answer.type !== 'measured') throw new Error('the child answered another request');
  return answer.speed;
}

type Answer = Extract<FromVideoProcess, { type: 'enhanced' | 'measured' }>;

async function ask(
  request: VideoRequest,
  onUpdate: (update: VideoUpdate) => void,
  { signal, environment, childPath }: VideoProcessOptions,
): Promise<Answer> {
  signal.throwIfAborted();
  const child = forkChild(childPath ?? new URL('./child.js', import.meta.url), {
    environment,
    niceness: NICENESS,
    shared: 'pipe',
  });
  const exited = endOf(child.stdio[SHARED_FD]);
  const kill = () => void child.kill('SIGKILL');
  try {
    return await new Promise<Answer>((resolve, reject) => {
      signal.addEventListener('abort', kill, { once: true });
      child.on('message', (message: FromVideoProcess) => {
        if (message.type === 'progress' || message.type === 'preview') onUpdate(message);
        else if (message.type === 'invalid') reject(new InvalidImageError(message.code));
        else if (message.type === 'error') reject(reviveError(message.error));
        else resolve(message);
      });
      child.once('error', (error) => reject(new EngineCrashedError(`The child did not start: ${error.message}`)));
      child.once('exit', (code, end) => {
        if (signal.aborted) reject(signal.reason);
        else reject(new EngineCrashedError(`The process of a video ended (${end ?? `code ${code}`})`));
      });
      child.send(request, () => undefined);
    });
  } finally {
    signal.removeEventListener('abort', kill);
    kill();
    // Its end closes the descriptors that guard ffmpeg. Then nothing writes to the folder any more.
    await exited;
  }
}

/** Resolves when the process and its programs have ended. */
async function endOf(pipe: Stream | null | undefined): Promise<void> {
  if (!(pipe instanceof Readable)) return;
  pipe.resume();
  await finished(pipe, { writable: false }).catch(() => undefined);
}
