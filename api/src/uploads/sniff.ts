import type { ImageContentType } from '@clearframe/contract';
import { fileTypeFromBuffer } from 'file-type';

/** As much of a file as its type can be told from. */
export const SNIFFED_BYTES = 4_100;

/** What the bytes are called by their detector → what they are called here. An animated PNG is a PNG. */
const ACCEPTED: Readonly<Record<string, ImageContentType>> = {
  'image/png': 'image/png',
  'image/apng': 'image/png',
  'image/jpeg': 'image/jpeg',
  'image/tiff': 'image/tiff',
  'image/webp': 'image/webp',
  'image/vnd.adobe.photoshop': 'image/vnd.adobe.photoshop',
  'image/heic': 'image/heic',
  'image/heic-sequence': 'image/heic',
  'image/heif': 'image/heif',
  'image/heif-sequence': 'image/heif',
  'image/avif': 'image/avif',
};

/** The accepted type that a file's first bytes show, or null for anything else. */
export async function sniffImageType(start: Uint8Array): Promise<ImageContentType | null> {
  const detected = await fileTypeFromBuffer(start);
  return detected ? (ACCEPTED[detected.mime] ?? null) : null;
}
