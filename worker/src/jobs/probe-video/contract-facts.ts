import type { VideoFacts as ContractFacts } from '@clearframe/contract';
import type { VideoFacts } from '../../video/probe/probe-video.js';

export function contractFacts(facts: VideoFacts): ContractFacts {
  const { contentType, width, height, duration, frameCount, frameRate, isVariableFrameRate, rotation } = facts;
  const { isHdr, codec, isBrowserPlayable, source } = facts;
  const [audioTracks, subtitleTracks] = [source.audio.length, source.subtitles.length];
  const times = { duration, frameCount, frameRate, isVariableFrameRate };
  const tracks = { hasAudio: audioTracks > 0, audioTracks, subtitleTracks };
  return { contentType, width, height, ...times, rotation, ...tracks, isHdr, codec, isBrowserPlayable };
}
