import type { VideoFacts as ContractFacts } from '@clearframe/contract';
import { type LocalFile, ObjectMissingError, type ObjectStore } from '@clearframe/runtime/storage';
import { InvalidImageError } from '../../image/picture/errors.js';
import type { VideoFacts } from '../../video/probe/probe-video.js';

export async function fetchVideo(store: ObjectStore, key: string): Promise<LocalFile> {
  return store.fetch(key).catch((cause) => {
    throw cause instanceof ObjectMissingError ? new InvalidImageError('uploads.missing', { cause }) : cause;
  });
}

export function contractFacts(facts: VideoFacts): ContractFacts {
  const { contentType, width, height, duration, frameCount, frameRate, isVariableFrameRate, rotation } = facts;
  const { isHdr, codec, isBrowserPlayable, source } = facts;
  const [audioTracks, subtitleTracks] = [source.audio.length, source.subtitles.length];
  const times = { duration, frameCount, frameRate, isVariableFrameRate };
  const tracks = { hasAudio: audioTracks > 0, audioTracks, subtitleTracks };
  return { contentType, width, height, ...times, rotation, ...tracks, isHdr, codec, isBrowserPlayable };
}
