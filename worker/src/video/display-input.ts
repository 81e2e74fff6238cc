import { addOutput, addUpload, newCommand, passthrough } from './command.js';
import { encode } from './encode.js';
import { FILES } from './files.js';
import { h264Options, MUXING_QUEUE, trackOptions } from './frame-writer.js';
import type { VideoWork } from './video-work.js';

export const DISPLAY_TARGET = `file:${FILES.displayInput}`;

/** The original for pages, without metadata: its streams are copied where browsers can play them, else encoded. */
export async function writeDisplayInput(work: VideoWork): Promise<void> {
  const { tools, path, metadata } = work;
  const { source, isBrowserPlayable: isPlayable } = metadata;
  const command = addUpload(newCommand(), path, '-copyts');
  addOutput(command, DISPLAY_TARGET, ...displayOptions(work, `0:${source.index}`));
  if (!isPlayable) command.videoFilters([...work.filters]);
  await encode(tools.ffmpeg, command, work.limits);
}

/** @param frames what `-map` calls them: those of the file where browsers can play it, else decoded ones */
export function displayOptions({ tools, metadata }: VideoWork, frames: string): string[] {
  const { source, isBrowserPlayable: isPlayable } = metadata;
  const copied = ['-c:v', 'copy', '-video_track_timescale', String(source.timescale)];
  const encoded = [...passthrough(tools), ...h264Options(metadata, tools), '-max_muxing_queue_size', MUXING_QUEUE];
  return [
    ...['-map', frames, ...trackOptions(source, 0), ...(isPlayable ? copied : encoded)],
    ...['-map_metadata', '-1', '-map_chapters', '-1', '-movflags', '+faststart', '-f', 'mp4'],
  ];
}
