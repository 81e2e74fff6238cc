import type { VideoMetadata } from '@clearframe/contract';
import type { ProbedMetadata } from '../../video/probe/probe-video.js';

export function videoMetadataOf(metadata: ProbedMetadata): VideoMetadata {
  const { contentType, width, height, duration, frameCount, frameRate, isVariableFrameRate, rotation } = metadata;
  const { isHdr, codec, isBrowserPlayable, source } = metadata;
  const [audioTracks, subtitleTracks] = [source.audio.length, source.subtitles.length];
  const times = { duration, frameCount, frameRate, isVariableFrameRate };
  const tracks = { hasAudio: audioTracks > 0, audioTracks, subtitleTracks };
  return { contentType, width, height, ...times, rotation, ...tracks, isHdr, codec, isBrowserPlayable };
}
