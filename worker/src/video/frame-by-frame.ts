import type { FaceRestorer } from './face-restorer.js';
import type { VideoUpdate } from './files.js';
import type { Frame } from './frame.js';
import { Previews } from './previews.js';
import { FfmpegError } from './run.js';
import type { VideoWork } from './video-work.js';

/** Changes the luma of frames, which come in their order and have one size. */
export interface FrameCleaner {
  clean(frame: Frame): Frame | Promise<Frame>;
}

interface FrameByFrame {
  /** Filters of frames before and after. */
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** What changes frames, then faces; null for none. */
  readonly cleaner: FrameCleaner | null;
  readonly faces: FaceRestorer | null;
  /** Start of the whole run, by `performance.now`. */
  readonly started: number;
}

/** The recipe with networks: frames stream between two programs; memory does not grow with the length. */
export async function enhanceFrameByFrame(
  work: VideoWork,
  { before, after, cleaner, faces, started }: FrameByFrame,
  onUpdate: (update: VideoUpdate) => void,
): Promise<void> {
  const { metadata } = work;
  const previews = new Previews(onUpdate);
  const reader = work.read(before);
  const writer = work.write(after);
  const first = performance.now();
  let frames = 0;
  try {
    for (let frame = await reader.next(); frame; frame = await reader.next()) {
      work.signal.throwIfAborted();
      const clean = (await cleaner?.clean(frame)) ?? frame;
      const enhanced = { ...clean, data: new Uint8Array(clean.data) };
      await faces?.restore(clean, enhanced.data);
      await writer.write(enhanced);
      const number = frames++;
      const fraction = Math.min(1, frames / metadata.frameCount);
      const seconds = ((performance.now() - first) / 1000 / frames) * Math.max(0, metadata.frameCount - frames);
      if (faces) faces.stride = strideFor(performance.now() - started, frames, metadata.frameCount, faces.stride);
      onUpdate({ type: 'progress', fraction, seconds });
      previews.offer({ fraction, seconds, frame: number }, () => work.writePreview(enhanced));
    }
    if (frames === 0) throw new FfmpegError('no frame was decoded');
    await writer.finish();
    await previews.settled();
  } finally {
    reader.close();
    writer.close();
  }
}

const PACED_AFTER = 24;
/** Milliseconds within which a video of this recipe must be finished. */
const TIME_BUDGET_MS = 115_000;
const MAX_STRIDE = 4;

/** Networks run on fewer frames of a face when a video would not end in time. */
function strideFor(elapsedMs: number, frames: number, total: number, stride: number): number {
  if (frames % PACED_AFTER !== 0) return stride;
  const expected = (elapsedMs / frames) * total;
  return expected > TIME_BUDGET_MS ? Math.min(MAX_STRIDE, stride + 1) : stride;
}
