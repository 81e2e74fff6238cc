import { availableParallelism } from 'node:os';
import { addOutput, addUpload, newCommand, passthrough } from './command.js';
import { DISPLAY_TARGET, displayOptions, encode } from './encode.js';
import { FIRST_FRAME, type VideoUpdate } from './files.js';
import { addResult } from './frame-writer.js';
import { Previews } from './previews.js';
import { FfmpegError } from './run.js';
import type { VideoWork } from './video-work.js';

const [ENHANCED, FIRST, ORIGINAL] = ['[enhanced]', '[first]', '[original]'] as const;

/** ffmpeg's own number is one per core and another. The encoder keeps two cores busy: more threads wait for each other. */
const filterThreads = (): string => (availableParallelism() <= 2 ? '1' : '0');

/**
 * The recipe without networks: no frame passes through this process. One program also writes the first frame and the original
 * for pages: starting another one takes a tenth of a second on both cores.
 * @param filtersAt those for a time; without one for the whole video
 */
export async function enhanceInOnePass(
  work: VideoWork,
  filtersAt: (seconds?: number) => readonly string[],
  onUpdate: (update: VideoUpdate) => void,
): Promise<void> {
  const { tools, path, metadata, limits } = work;
  const { source, isBrowserPlayable: isPlayable } = metadata;
  const started = performance.now();
  const previews = new Previews(onUpdate);
  const command = addUpload(newCommand(), path, '-copyts', '-filter_complex_threads', filterThreads());
  const input = `0:${source.index}`;
  addResult(command, tools, metadata, ENHANCED, 0);
  const named = (filters: readonly string[], from: string, ...to: string[]) =>
    `${from}${['null', ...filters, ...(to.length > 1 ? ['split'] : [])].join(',')}${to.join('')}`;
  const shown = [...work.filters, ...filtersAt()];
  command.complexFilter(
    isPlayable
      ? [named(shown, `[${input}]`, ENHANCED, FIRST)]
      : [named(work.filters, `[${input}]`, '[shown]', ORIGINAL), named(filtersAt(), '[shown]', ENHANCED, FIRST)],
  );
  addOutput(command, DISPLAY_TARGET, ...displayOptions(work, isPlayable ? input : ORIGINAL));
  addOutput(command, `file:${FIRST_FRAME}`, '-map', FIRST, ...passthrough(tools), '-frames:v', '1', '-f', 'rawvideo');
  const frames = await encode(tools.ffmpeg, command, limits, (done) => {
    const fraction = Math.min(1, done / metadata.frameCount);
    if (done === 0) return;
    const seconds = (((performance.now() - started) / 1000) * (1 - fraction)) / fraction;
    onUpdate({ type: 'progress', fraction, seconds });
    const preview = fraction * metadata.duration;
    previews.offer({ fraction, seconds, frame: done - 1 }, () => work.writePreviewAt(preview, filtersAt(preview)));
  });
  if (frames === 0) throw new FfmpegError('no frame was decoded');
  await previews.settled();
}
