import { megabytes, megapixels } from '../units.js';

/** Picture formats that are accepted, as a client declares them. The bytes decide in the end. */
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

/** Formats a picture can be saved in. */
export const OUTPUT_CONTENT_TYPES = ['image/png', 'image/jpeg', 'image/tiff'] as const;
export type OutputContentType = (typeof OUTPUT_CONTENT_TYPES)[number];

/** The two JPEG qualities on offer: 'JPG 90 %' and 'JPG 100 %'. */
export const JPEG_QUALITIES = [90, 100] as const;
export type JpegQuality = (typeof JPEG_QUALITIES)[number];
export const DEFAULT_JPEG_QUALITY: JpegQuality = 90;

/** Caps on a picture, checked before any decoder runs (decisions, section 3). */
export const IMAGE_LIMITS = { maxBytes: megabytes(50), maxPixels: megapixels(100) } as const;

/** Longest side of a result in pixels; larger pictures are scaled down to fit first. `removeCap` lifts the one to the other. */
export const OUTPUT_MAX_SIDE = 2048;
export const OUTPUT_MAX_SIDE_UNCAPPED = 4096;

/** Most files in one upload (spec 2, section 9). */
export const MAX_FILES_PER_UPLOAD = 15;

/** The face detector looks at a copy of at most this many pixels on the long side (spec 2, section 9). */
export const FACE_DETECTOR_MAX_INPUT = 800;

const EXTENSIONS: Readonly<Record<ImageContentType, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/tiff': 'tif',
  'image/webp': 'webp',
  'image/vnd.adobe.photoshop': 'psd',
  'image/heic': 'heic',
  'image/heif': 'heif',
  'image/avif': 'avif',
};

/** The usual file name extension, without a dot. */
export const extensionOf = (contentType: ImageContentType): string => EXTENSIONS[contentType];

export const isImageContentType = (value: string): value is ImageContentType =>
  (IMAGE_CONTENT_TYPES as readonly string[]).includes(value);

export const isOutputContentType = (value: string): value is OutputContentType =>
  (OUTPUT_CONTENT_TYPES as readonly string[]).includes(value);

/** What browsers show by themselves; of the rest they need a JPEG. */
const DISPLAYABLE: readonly ImageContentType[] = ['image/png', 'image/jpeg', 'image/webp', 'image/avif'];
export const isDisplayable = (contentType: ImageContentType): boolean => DISPLAYABLE.includes(contentType);

/** What detectors of file types call the bytes (registered media types) → what we take them for. An animated PNG is a PNG. */
const DETECTED: Readonly<Record<string, ImageContentType>> = {
  ...Object.fromEntries(IMAGE_CONTENT_TYPES.map((type) => [type, type])),
  'image/apng': 'image/png',
  'image/heic-sequence': 'image/heic',
  'image/heif-sequence': 'image/heif',
};

/** The accepted type for a media type that was detected in a file's bytes, or null where it is none of ours. */
export const acceptedTypeOf = (detected: string): ImageContentType | null => DETECTED[detected] ?? null;
