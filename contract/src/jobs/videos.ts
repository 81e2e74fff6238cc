import { z } from 'zod';
import { VIDEO_CONTENT_TYPES } from '../media/types.js';
import { VideoPipeline } from '../pipeline/tools.js';
import { inMilliseconds } from '../units.js';
import { defineJob, INVALID_CODES, RunIds } from './define.js';

/**
 * `faces`: followed faces go through a network. `frames`: noise is averaged along the motion, or a network takes back
 * compression. `faces_and_frames`: both. `signal`: filters and color alone.
 */
const VIDEO_RECIPES = ['faces', 'frames', 'faces_and_frames', 'signal'] as const;
type VideoRecipeName = (typeof VIDEO_RECIPES)[number];

export const restoresFaces = (recipe: VideoRecipeName): boolean => recipe === 'faces' || recipe === 'faces_and_frames';

export const denoisesFrames = (recipe: VideoRecipeName): boolean =>
  recipe === 'frames' || recipe === 'faces_and_frames';

/** How a video will be enhanced, and how long the worker will take by its measured speed. */
export const VideoPlan = z.object({
  recipe: z
    .enum(VIDEO_RECIPES)
    .describe(
      '`faces`: a network restores the faces that are followed. `frames`: noise is averaged along the motion, or a network takes back what compression did; of a video with little of both it becomes `signal`. `faces_and_frames`: both. `signal`: filters for noise, blocks, sharpness and color alone.',
    ),
  estimatedSeconds: z
    .number()
    .positive()
    .describe('Seconds that enhancing will take, by the measured speed of the worker.'),
});
export type VideoPlan = z.infer<typeof VideoPlan>;

/** Metadata of a video, read from its packets. */
export const VideoMetadata = z.object({
  contentType: z.enum(VIDEO_CONTENT_TYPES),
  /** In pixels, as shown: with the rotation applied. */
  width: z.int().positive(),
  height: z.int().positive(),
  /** In seconds, of the packets. The header may claim anything. */
  duration: z.number().positive(),
  frameCount: z.int().positive(),
  /** Frames per second; the mean of a variable rate. */
  frameRate: z.number().positive(),
  isVariableFrameRate: z.boolean(),
  /** Clockwise, in degrees, as stored in the file. */
  rotation: z.union([z.literal(0), z.literal(90), z.literal(180), z.literal(270)]),
  hasAudio: z.boolean(),
  audioTracks: z.int().nonnegative(),
  subtitleTracks: z.int().nonnegative(),
  isHdr: z.boolean(),
  /** Codec of the pictures in ffprobe's terms: `h264`, `hevc`. */
  codec: z.string(),
  isBrowserPlayable: z.boolean(),
});
export type VideoMetadata = z.infer<typeof VideoMetadata>;

/** A video as the worker reads it. */
export const ProbedVideo = VideoMetadata.extend({
  sizeBytes: z.int().positive(),
  /** In lowercase hex. */
  sha256: z.string(),
  plan: VideoPlan,
  /** JPEG of the first frame of at most `DISPLAY_MAX_SIDE`. */
  posterKey: z.string(),
  /** JPEG of at most `THUMBNAIL_MAX_SIDE`. */
  thumbnailKey: z.string(),
});
export type ProbedVideo = z.infer<typeof ProbedVideo>;

/** Reads a video and plans its enhancement. Short, so on the queue of short jobs. */
export const probeVideo = defineJob({
  name: 'video.probe',
  version: 1,
  queue: 'renders',
  payload: RunIds.extend({
    inputKey: z.string(),
    aiPipeline: VideoPipeline,
  }),
  result: ProbedVideo,
  invalidCodes: INVALID_CODES,
  attempts: 3,
  backoffMs: inMilliseconds.seconds(0.5),
  timeoutMs: inMilliseconds.minutes(3),
});

/** Notes about a result, which its page shows. */
export const VIDEO_NOTES = [
  'cut_off',
  'hdr_tone_mapped',
  'subtitles_dropped',
  'scaled_down',
  'audio_transcoded',
  'audio_dropped',
] as const;

/** What made a video. */
export const VideoRecipe = z
  .object({
    name: z
      .enum(VIDEO_RECIPES)
      .describe(
        '`faces`: a network restored the faces that were followed. `frames`: noise was averaged along the motion, or a network took back what compression did. `faces_and_frames`: both. `signal`: filters for noise, blocks, sharpness and color alone.',
      ),
    tools: z.array(z.enum(['face_enhance', 'background_enhance', 'color_enhance'])).describe('Tools that ran.'),
    networks: z
      .array(
        z.object({
          id: z.string().describe('Id of the network.'),
          version: z.string().describe('Version of the network.'),
          sha256: z.string().describe('SHA-256 of the file of the network, in lowercase hex.'),
        }),
      )
      .describe('Networks that ran.'),
    version: z.int().describe('Version of the processing.'),
  })
  .meta({ id: 'VideoRecipe' });
export type VideoRecipe = z.infer<typeof VideoRecipe>;

/** Files and metadata of an enhanced video; keys are those of the object store. */
export const EnhancedVideo = z.object({
  /** Without metadata of the original. */
  output: z.object({
    key: z.string(),
    contentType: z.literal('video/mp4'),
    width: z.int().positive(),
    height: z.int().positive(),
    /** In seconds. */
    duration: z.number().positive(),
    sizeBytes: z.int().positive(),
  }),
  posterKey: z.string(),
  thumbnailKey: z.string(),
  /**
   * The original for pages and shares: H.264 and AAC in MP4, `faststart`, without metadata (location, dates, names). The
   * streams are copied where browsers can play them, else encoded.
   */
  displayInputKey: z.string(),
  recipe: VideoRecipe,
  notes: z.array(z.enum(VIDEO_NOTES)),
  /** People whose faces were followed, and those of them that a network has restored. */
  facesFollowed: z.int().nonnegative(),
  facesRestored: z.int().nonnegative(),
  timings: z.array(z.object({ step: z.string(), ms: z.number() })),
});
export type EnhancedVideo = z.infer<typeof EnhancedVideo>;

/** Enhances a video. Progress is the fraction of its frames; see also `previewKeys` of `RunProgressReport`. */
export const enhanceVideo = defineJob({
  name: 'video.enhance',
  version: 2,
  queue: 'videos',
  payload: RunIds.extend({
    inputKey: z.string(),
    metadata: VideoMetadata,
    plan: VideoPlan,
    aiPipeline: VideoPipeline,
    /** Longest side of the result in pixels. */
    maxSide: z.int().positive(),
  }),
  result: EnhancedVideo,
  invalidCodes: INVALID_CODES,
  attempts: 3,
  backoffMs: inMilliseconds.seconds(1),
  timeoutMs: inMilliseconds.minutes(30),
});
