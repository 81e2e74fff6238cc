import { megabytes, megapixels } from '../units.js';

/** Accepted picture formats. Clients declare one; the type detected in the bytes is decisive. */
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

/** Output formats. */
export const OUTPUT_CONTENT_TYPES = ['image/png', 'image/jpeg', 'image/tiff'] as const;
export type OutputContentType = (typeof OUTPUT_CONTENT_TYPES)[number];

/** Available JPEG qualities: 'JPG 90 %' and 'JPG 100 %'. */
export const JPEG_QUALITIES = [90, 100] as const;
export type JpegQuality = (typeof JPEG_QUALITIES)[number];
export const DEFAULT_JPEG_QUALITY: JpegQuality = 90;

/** Limits on a picture, checked before decoding (decisions, section 3). */
export const IMAGE_LIMITS = { maxBytes: megabytes(50), maxPixels: megapixels(100) } as const;

/** Longest side of a result in pixels, with and without the flag `removeCap`; larger pictures are scaled down first. */
export const OUTPUT_MAX_SIDE = 2048;
export const OUTPUT_MAX_SIDE_UNCAPPED = 4096;

/** Maximum number of files in an upload (spec 2, section 9). */
export const MAX_FILES_PER_UPLOAD = 15;

/** Longest side in pixels of the copy used for face detection (spec 2, section 9). */
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

/** Formats that browsers can show; the others are converted to JPEG. */
const DISPLAYABLE: readonly ImageContentType[] = ['image/png', 'image/jpeg', 'image/webp', 'image/avif'];
export const isDisplayable = (contentType: ImageContentType): boolean => DISPLAYABLE.includes(contentType);

/** Accepted type by detected media type. An animated PNG is a PNG. */
const DETECTED: Readonly<Record<string, ImageContentType>> = {
  ...Object.fromEntries(IMAGE_CONTENT_TYPES.map((type) => [type, type])),
  'image/apng': 'image/png',
  'image/heic-sequence': 'image/heic',
  'image/heif-sequence': 'image/heif',
};

/** The accepted type for a detected media type; null for any other. */
export const acceptedTypeOf = (detected: string): ImageContentType | null => DETECTED[detected] ?? null;
