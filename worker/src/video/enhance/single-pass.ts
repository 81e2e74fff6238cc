import { addOutput, addUpload, newCommand, passthrough } from '../ffmpeg/command.js';
import { encode } from '../ffmpeg/encode.js';
import { FfmpegError } from '../ffmpeg/run.js';
import { h264Options, MUXING_QUEUE, trackOptions } from '../frames/frame-writer.js';
import { DISPLAY_TARGET, displayOptions } from './display-input.js';
import { FILES, type VideoUpdate } from './files.js';
import { Previews } from './previews.js';
import type { VideoWork } from './video-work.js';

const [ENHANCED, ORIGINAL] = ['[enhanced]', '[original]'] as const;

/**
 * The recipe without networks: no frame passes through this process. Also writes the poster, and the original for pages
 * where browsers can't play it, which is decoded once for both.
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
  const command = addUpload(newCommand(), path, '-copyts');
  const input = `0:${source.index}`;
  addOutput(
    command,
    `file:${FILES.result}`,
    ...['-map', isPlayable ? input : ENHANCED, ...trackOptions(source, 0), ...h264Options(metadata, tools)],
    ...passthrough(tools),
    ...['-max_muxing_queue_size', MUXING_QUEUE, '-f', 'mp4'],
  );
  if (isPlayable) {
    command.videoFilters([...work.filters, ...filtersAt()]);
  } else {
    const shared = `[${input}]${[...work.filters, 'split'].join(',')}[shown]${ORIGINAL}`;
    command.complexFilter([shared, `[shown]${['null', ...filtersAt()].join(',')}${ENHANCED}`]);
    addOutput(command, DISPLAY_TARGET, ...displayOptions(work, ORIGINAL));
  }
  const poster = work.writePosterOf(path, source.index, [...work.filters, ...filtersAt(0)]);
  poster.catch(() => undefined);
  const frames = await encode(tools.ffmpeg, command, limits, (done) => {
    const fraction = Math.min(1, done / metadata.frameCount);
    if (done === 0) return;
    const seconds = (((performance.now() - started) / 1000) * (1 - fraction)) / fraction;
    onUpdate({ type: 'progress', fraction, seconds });
    const preview = fraction * metadata.duration;
    previews.offer({ fraction, seconds, frame: done - 1 }, () => work.writePreviewAt(preview, filtersAt(preview)));
  });
  if (frames === 0) throw new FfmpegError('no frame was decoded');
  await Promise.all([poster, previews.settled()]);
}
