import { megabytes, megapixels } from '../units.js';

/** Accepted picture formats. Clients declare one; the type detected in the bytes decides. */
export const IMAGE_CONTENT_TYPES = [
  'image/png',
  'image/jpeg',
  'image/tiff',
  'image/webp',
  'image/vnd.adobe.photoshop',
  'image/heic',
  'image/heif',
  'image/avif',
] as const;
export type ImageContentType = (typeof IMAGE_CONTENT_TYPES)[number];

/** Accepted video formats: MOV and MP4 (spec 2, section 5). */
export const VIDEO_CONTENT_TYPES = ['video/quicktime', 'video/mp4'] as const;
export type VideoContentType = (typeof VIDEO_CONTENT_TYPES)[number];

/** Accepted formats of every kind. */
export const MEDIA_CONTENT_TYPES = [...IMAGE_CONTENT_TYPES, ...VIDEO_CONTENT_TYPES] as const;
export type MediaContentType = (typeof MEDIA_CONTENT_TYPES)[number];

/** Kinds of tasks: `media_type` of the API. */
export const MEDIA_TYPES = ['image', 'video'] as const;
export type MediaType = (typeof MEDIA_TYPES)[number];

/** Formats of results (spec 2, section 3). All but JPEG are part of Business. */
export const FLAT_CONTENT_TYPES = ['image/png', 'image/jpeg', 'image/tiff'] as const;
/** A format of results that has one picture. */
export type FlatContentType = (typeof FLAT_CONTENT_TYPES)[number];

/**
 * TIFF whose page is the result, and which has the layers of a Photoshop document beside it. The parameter is that of RFC 3302 for
 * TIFF of one application.
 */
export const LAYERED_TIFF = 'image/tiff;application=photoshop';
/**
 * Formats of 8 bits a sample with two layers in the size of the result: "Original", and above it "Restored", the result as it
 * would be in any other format, with a mask that is white where they differ.
 */
export const LAYERED_CONTENT_TYPES = ['image/vnd.adobe.photoshop', LAYERED_TIFF] as const;
export type LayeredContentType = (typeof LAYERED_CONTENT_TYPES)[number];

export const OUTPUT_CONTENT_TYPES = [...FLAT_CONTENT_TYPES, ...LAYERED_CONTENT_TYPES] as const;
export type OutputContentType = (typeof OUTPUT_CONTENT_TYPES)[number];

/** Formats of originals and results. */
export const PICTURE_CONTENT_TYPES = [...IMAGE_CONTENT_TYPES, LAYERED_TIFF] as const;
export type PictureContentType = (typeof PICTURE_CONTENT_TYPES)[number];

/** Qualities of JPEG results, in percent (spec 2, section 3). */
export const JPEG_QUALITIES = [90, 100] as const;
export type JpegQuality = (typeof JPEG_QUALITIES)[number];
export const DEFAULT_JPEG_QUALITY: JpegQuality = 90;

/** Limits on a picture, checked before decoding (decisions, section 3). */
export const IMAGE_LIMITS = { maxBytes: megabytes(50), maxPixels: megapixels(100) } as const;

/**
 * Limits on a video whatever the plan: pixels of a frame (4K, which ffmpeg decodes within the memory of a worker), frames that
 * are enhanced (2.5 minutes of 240 a second), and frames that are read to find the length of a longer one.
 */
export const VIDEO_CAPS = {
  maxPixels: 4096 * 2304,
  maxFrames: 36_000,
  maxReadFrames: 500_000,
} as const;

/** Longest side of an enhanced video in pixels (decisions, section 3). */
export const VIDEO_MAX_SIDE = 1920;

/** Files over this many bytes also have an address for a resumable upload (decisions, section 8). */
export const RESUMABLE_OVER_BYTES = megabytes(8);

/** Longest side of a result in pixels, without and with the flag `removeCap`. */
export const OUTPUT_MAX_SIDE = 2048;
export const OUTPUT_MAX_SIDE_UNCAPPED = 4096;

/** Longest sides in pixels of the files that pages show (decisions, section 8). */
export const DISPLAY_MAX_SIDE = 2048;
export const MEDIUM_MAX_SIDE = 1024;
export const THUMBNAIL_MAX_SIDE = 400;

/** Lifetime of a public link to a picture (spec 2, section 9). */
export const SHARING_DAYS = 14;

/** Picture of a shared link in messages and feeds (https://ogp.me: about 1.91 to 1), in pixels. */
export const SHARE_PREVIEW_SIZE = { width: 1200, height: 630 } as const;

/** Photos of one batch (spec 2, section 9). */
export const MAX_FILES_PER_UPLOAD = 15;
/** Photos of one batch by an API key. */
export const MAX_FILES_PER_KEY_UPLOAD = 500;
/**
 * One ZIP of an upload's results that is downloaded in parts. A part that breaks off is downloaded again from its start, and
 * below 2 GB it needs no ZIP64, which some programs can't open.
 */
export const ARCHIVE_PART = { maxPictures: 100, maxBytes: megabytes(2000) } as const;

const EXTENSIONS: Readonly<Record<PictureContentType | VideoContentType, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/tiff': 'tif',
  [LAYERED_TIFF]: 'tif',
  'image/webp': 'webp',
  'image/vnd.adobe.photoshop': 'psd',
  'image/heic': 'heic',
  'image/heif': 'heif',
  'image/avif': 'avif',
  'video/quicktime': 'mov',
  'video/mp4': 'mp4',
};

/** File name extension, without a dot. */
export const extensionOf = (contentType: PictureContentType | VideoContentType): string => EXTENSIONS[contentType];

/** A format of photos that uploads accept. */
export const isImageContentType = (value: string): value is ImageContentType =>
  (IMAGE_CONTENT_TYPES as readonly string[]).includes(value);

/** A format of videos that uploads accept. */
export const isVideoContentType = (value: string): value is VideoContentType =>
  (VIDEO_CONTENT_TYPES as readonly string[]).includes(value);

/** A format of results. */
export const isOutputContentType = (value: string): value is OutputContentType =>
  (OUTPUT_CONTENT_TYPES as readonly string[]).includes(value);

/** A format of results with layers. */
export const isLayered = (contentType: OutputContentType): contentType is LayeredContentType =>
  (LAYERED_CONTENT_TYPES as readonly string[]).includes(contentType);

/** Shown by browsers; others are converted to JPEG. */
const DISPLAYABLE: readonly string[] = ['image/png', 'image/jpeg', 'image/webp', 'image/avif'];
/** Browsers show the format as it is. */
export const isDisplayable = (contentType: PictureContentType): boolean => DISPLAYABLE.includes(contentType);

const DETECTED: Readonly<Record<string, VideoContentType>> = {
  ...Object.fromEntries(VIDEO_CONTENT_TYPES.map((type) => [type, type])),
  'video/x-m4v': 'video/mp4',
  // The container of MP4, under the names by which phones record it.
  'video/3gpp': 'video/mp4',
  'video/3gpp2': 'video/mp4',
};

/** Accepted video format for a detected media type; null for others. */
export const acceptedVideoTypeOf = (detected: string): VideoContentType | null => DETECTED[detected] ?? null;

/** Kind of task that a file of this format becomes. */
export const mediaTypeOf = (contentType: MediaContentType): MediaType =>
  isVideoContentType(contentType) ? 'video' : 'image';
