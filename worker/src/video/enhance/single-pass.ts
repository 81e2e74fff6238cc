import { addOutput, addUpload, newCommand, passthrough } from '../ffmpeg/command.js';
import { encode } from '../ffmpeg/encode.js';
import { FfmpegError } from '../ffmpeg/run.js';
import { h264Options, MUXING_QUEUE, trackOptions } from '../frames/frame-writer.js';
import { FILES, type VideoUpdate } from './files.js';
import { Previews } from './previews.js';
import type { VideoWork } from './video-work.js';

/**
 * The recipe without networks: no frame passes through this process.
 * @param filtersAt those for a time; without one for the whole video
 * @returns frames of the result
 */
export async function enhanceInOnePass(
  work: VideoWork,
  filtersAt: (seconds?: number) => readonly string[],
  onUpdate: (update: VideoUpdate) => void,
): Promise<number> {
  const { tools, path, metadata, limits } = work;
  const started = performance.now();
  const previews = new Previews(onUpdate);
  const command = addUpload(newCommand(), path, '-copyts');
  addOutput(
    command,
    `file:${FILES.result}`,
    ...['-map', `0:${metadata.source.index}`, ...trackOptions(metadata.source, 0), ...h264Options(metadata, tools)],
    ...passthrough(tools),
    ...['-max_muxing_queue_size', MUXING_QUEUE, '-f', 'mp4'],
  ).videoFilters([...work.filters, ...filtersAt()]);
  const frames = await encode(tools.ffmpeg, command, limits, (done) => {
    const fraction = Math.min(1, done / metadata.frameCount);
    if (done === 0) return;
    const seconds = (((performance.now() - started) / 1000) * (1 - fraction)) / fraction;
    onUpdate({ type: 'progress', fraction, seconds });
    const preview = fraction * metadata.duration;
    previews.offer(fraction, done - 1, () => work.writePreviewAt(preview, filtersAt(preview)));
  });
  if (frames === 0) throw new FfmpegError('no frame was decoded');
  await previews.settled();
  return frames;
}
