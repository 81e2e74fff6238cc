import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { VIDEO_CAPS } from '@clearframe/contract/media';
import { InvalidImageError } from '../image/errors.js';
import type { VideoTools } from './locate.js';
import { type PacketTimes, readPacketTimes } from './packets.js';
import { FfmpegError } from './run.js';
import {
  colorsOf,
  HDR_TRANSFERS,
  isCutOff,
  readStreams,
  type Stream,
  sniffVideo,
  type VideoColors,
  type VideoContentType,
} from './streams.js';

interface AudioTrack {
  readonly index: number;
  readonly codec: string;
  readonly language: string | null;
}

/** Properties of a video, read from its bytes. */
export interface ProbedMetadata extends PacketTimes {
  readonly contentType: VideoContentType;
  /** Displayed width: after rotation, with square pixels. */
  readonly width: number;
  readonly height: number;
  /** Degrees clockwise that players turn it. */
  readonly rotation: (typeof QUARTERS)[number];
  readonly codec: string;
  readonly isHdr: boolean;
  readonly isBrowserPlayable: boolean;
  /** The file ends within its frames; all other values describe those that are there. */
  readonly isCutOff: boolean;
  readonly sizeBytes: number;
  readonly sha256: string;
  readonly source: VideoSource;
}

export interface VideoSource {
  /** Index of the picture's stream in the file. */
  readonly index: number;
  /** Ticks per second of its times. */
  readonly timescale: number;
  readonly isInterlaced: boolean;
  readonly hasSquarePixels: boolean;
  readonly colors: VideoColors;
  /** Tracks that ffmpeg has a decoder for. */
  readonly audio: readonly AudioTrack[];
  /** Tracks without a decoder: phones store spatial sound as APAC beside AAC. */
  readonly unreadAudioTracks: number;
  readonly subtitles: readonly AudioTrack[];
}

interface ProbeOptions {
  readonly folder: string;
  readonly signal: AbortSignal;
}

const QUARTERS = [0, 90, 180, 270] as const;
const TIMEOUT_MS = 60_000;
/** In mp4, by Chromium, Firefox and Safari. */
const PLAYABLE_AUDIO = ['aac', 'mp3'];
const PLAYABLE_PIXELS = ['yuv420p', 'yuvj420p'];
const DEFAULT_TIMESCALE = 90_000;
/** A codec that ffprobe has no name for. */
const UNKNOWN = 'unknown';
/** Subtitles that ffprobe shows as data: TTML and WebVTT (ISO/IEC 14496-30). */
const UNREAD_SUBTITLES = ['stpp', 'wvtt'];

/** @throws InvalidImageError for a file that isn't an acceptable video; FfmpegInterruptedError for another attempt */
export async function probeVideo(tools: VideoTools, path: string, options: ProbeOptions): Promise<ProbedMetadata> {
  const { size: sizeBytes } = await stat(path);
  if (sizeBytes === 0) throw new InvalidImageError('uploads.empty');
  const contentType = await sniffVideo(path);
  if (!contentType) throw new InvalidImageError('uploads.unsupported_type');
  const limits = { ...options, timeoutMs: TIMEOUT_MS, maxBytes: 0 };
  try {
    const reading = readStreams(tools, path, limits).then((streams) => ({ streams, video: pictureOf(streams) }));
    const [{ streams, video }, times, sha256, isIncomplete] = await Promise.all([
      reading,
      readPacketTimes(
        tools,
        path,
        reading.then(({ video }) => video.index),
        limits,
      ),
      hashOf(path),
      isCutOff(path),
    ]);
    const source = sourceOf(video, streams);
    const file = { contentType, sizeBytes, sha256, isCutOff: isIncomplete };
    return { ...file, ...times, ...shownSize(video), ...codecOf(video, source), source };
  } catch (error) {
    if (!(error instanceof FfmpegError)) throw error;
    throw new InvalidImageError('uploads.undecodable', { cause: error });
  }
}

/** @throws InvalidImageError */
function pictureOf(streams: readonly Stream[]): Stream {
  const video = streams.find((each) => each.codec_type === 'video' && !each.disposition?.attached_pic);
  if (!video?.codec_name || !video.width || !video.height) throw new InvalidImageError('uploads.undecodable');
  if (video.width * video.height > VIDEO_CAPS.maxPixels) throw new InvalidImageError('uploads.too_many_pixels');
  return video;
}

function codecOf(
  video: Stream,
  { colors: { transfer }, audio }: VideoSource,
): Pick<ProbedMetadata, 'codec' | 'isHdr' | 'isBrowserPlayable'> {
  const codec = video.codec_name ?? UNKNOWN;
  const isHdr = transfer !== null && HDR_TRANSFERS.includes(transfer);
  const isPlayable = codec === 'h264' && PLAYABLE_PIXELS.includes(video.pix_fmt ?? '') && !isHdr;
  return {
    codec,
    isHdr,
    isBrowserPlayable: isPlayable && audio.every((track) => PLAYABLE_AUDIO.includes(track.codec)),
  };
}

function sourceOf(video: Stream, streams: readonly Stream[]): VideoSource {
  const tracks = (type: string): AudioTrack[] =>
    streams
      .filter((each) => typeOf(each) === type)
      .map(({ index, codec_name, tags }) => ({ index, codec: codec_name ?? UNKNOWN, language: languageOf(tags) }));
  const sounds = tracks('audio');
  const audio = sounds.filter(({ codec }) => codec !== UNKNOWN);
  const [across, down] = ratioOf(video.sample_aspect_ratio) ?? [1, 1];
  const [, ticks] = ratioOf(video.time_base) ?? [1, DEFAULT_TIMESCALE];
  return {
    index: video.index,
    timescale: ticks,
    isInterlaced: ['tt', 'bb', 'tb', 'bt'].includes(video.field_order ?? ''),
    hasSquarePixels: across === down,
    colors: colorsOf(video),
    audio,
    unreadAudioTracks: sounds.length - audio.length,
    subtitles: tracks('subtitle'),
  };
}

const typeOf = ({ codec_type, codec_tag_string = '' }: Stream): string | undefined =>
  UNREAD_SUBTITLES.includes(codec_tag_string) ? 'subtitle' : codec_type;

function languageOf(tags: Stream['tags']): string | null {
  const language = tags?.language ?? '';
  return /^[a-z]{3}$/.test(language) && language !== 'und' ? language : null;
}

/** Even, for H.264: an odd last column or row is cut. */
function shownSize(video: Stream): Pick<ProbedMetadata, 'width' | 'height' | 'rotation'> {
  const [across = 1, down = 1] = ratioOf(video.sample_aspect_ratio) ?? [];
  const turned = video.side_data_list?.find((data) => data.rotation !== undefined)?.rotation ?? 0;
  // Counterclockwise in the file.
  const rotation = QUARTERS[(((Math.round(-turned / 90) % 4) + 4) % 4) as 0 | 1 | 2 | 3];
  const width = Math.round(((video.width ?? 0) * across) / down);
  const height = video.height ?? 0;
  const [shownWidth, shownHeight] = rotation % 180 === 0 ? [width, height] : [height, width];
  return { width: even(shownWidth), height: even(shownHeight), rotation };
}

export const even = (pixels: number): number => Math.max(2, pixels - (pixels % 2));

function ratioOf(value: string | undefined): readonly [number, number] | null {
  const [first = 0, second = 0] = value?.split(/[/:]/).map(Number) ?? [];
  return first > 0 && second > 0 ? [first, second] : null;
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
