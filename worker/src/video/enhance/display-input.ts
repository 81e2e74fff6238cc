import { addOutput, addUpload, newCommand, passthrough } from '../ffmpeg/command.js';
import { encode } from '../ffmpeg/encode.js';
import { h264Options, trackOptions } from '../frames/frame-writer.js';
import { FILES } from './files.js';
import type { VideoWork } from './video-work.js';

/** The original for pages, without metadata: its streams are copied where browsers can play them, else encoded. */
export async function writeDisplayInput(work: VideoWork): Promise<void> {
  const { tools, path, metadata } = work;
  const { source, isBrowserPlayable: isPlayable } = metadata;
  const command = addUpload(newCommand(), path, '-copyts');
  const tracks = trackOptions(source, 0);
  const common = ['-map_metadata', '-1', '-map_chapters', '-1', '-movflags', '+faststart', '-f', 'mp4'];
  const video = isPlayable
    ? ['-c:v', 'copy', '-video_track_timescale', String(source.timescale)]
    : [...passthrough(tools), ...h264Options(metadata, tools)];
  addOutput(command, `file:${FILES.displayInput}`, '-map', `0:${source.index}`, ...tracks, ...video, ...common);
  if (!isPlayable) command.videoFilters([...work.filters]);
  await encode(tools.ffmpeg, command, work.limits);
}
