import {
  acceptedVideoTypeOf,
  type MediaContentType,
  type MediaType,
  mediaTypeOf,
  pictureTypeOf,
} from '@clearframe/contract';
import { fileTypeFromBuffer } from 'file-type';
import { imageSize } from 'image-size';

/** Bytes needed to detect the type of a file. */
export const SNIFFED_BYTES = 4_100;

/** Holds the dimensions of most pictures: a JPEG's follow its EXIF, which has at most 64 KB. */
export const HEADER_BYTES = 80_000;

export async function sniffType(file: Uint8Array, mediaType: MediaType): Promise<MediaContentType | null> {
  const start = file.subarray(0, SNIFFED_BYTES);
  const picture = pictureTypeOf(start);
  if (mediaType === 'image' || picture) return mediaType === 'image' ? picture : null;
  const detected = await fileTypeFromBuffer(start);
  return detected ? acceptedVideoTypeOf(detected.mime) : null;
}

/** Pixels of a picture by its header; null when the start of the file does not tell, and for a video. */
export function pixelsIn(start: Uint8Array, contentType: MediaContentType): number | null {
  if (mediaTypeOf(contentType) !== 'image') return null;
  try {
    const { width, height } = imageSize(start);
    return width > 0 && height > 0 ? width * height : null;
  } catch {
    return null;
  }
}
