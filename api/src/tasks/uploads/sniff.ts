import { acceptedMediaTypeOf, type MediaContentType, type MediaType, mediaTypeOf } from '@clearframe/contract';
import { fileTypeFromBuffer } from 'file-type';
import { imageSize } from 'image-size';

/** Bytes needed to detect the type of a file. */
export const SNIFFED_BYTES = 4_100;

/** Holds the dimensions of most pictures: a JPEG's follow its EXIF, which has at most 64 KB. */
export const HEADER_BYTES = 80_000;

const TIFF_SIGNATURES = ['II*\0', 'MM\0*'];

export async function sniffType(file: Uint8Array, mediaType: MediaType): Promise<MediaContentType | null> {
  const detected = await detect(file.subarray(0, SNIFFED_BYTES));
  return detected && mediaTypeOf(detected) === mediaType ? detected : null;
}

/** MP4, MOV, HEIC and AVIF are the same container, distinguished by their brands. */
async function detect(start: Uint8Array): Promise<MediaContentType | null> {
  const detected = await fileTypeFromBuffer(start);
  if (detected) return acceptedMediaTypeOf(detected.mime);
  // The library needs a TIFF's directory, which most writers put at the end of the file.
  return TIFF_SIGNATURES.includes(Buffer.from(start.subarray(0, 4)).toString('latin1')) ? 'image/tiff' : null;
}

/** Millions of pixels of a picture, for estimates; null when the start of the file does not tell. */
export function megapixelsIn(start: Uint8Array, contentType: MediaContentType): number | null {
  if (mediaTypeOf(contentType) !== 'image') return null;
  try {
    const { width, height } = imageSize(start);
    return width > 0 && height > 0 ? (width * height) / 1e6 : null;
  } catch {
    return null;
  }
}
