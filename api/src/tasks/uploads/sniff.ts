import { acceptedTypeOf, type ImageContentType } from '@clearframe/contract';
import { fileTypeFromBuffer } from 'file-type';

/** Enough of a file to detect its type. */
export const SNIFFED_BYTES = 4_100;

/** Little-endian and big-endian. */
const TIFF_SIGNATURES = ['II*\0', 'MM\0*'];

/** The accepted type that a file's first bytes show, or null for anything else. */
export async function sniffImageType(file: Uint8Array): Promise<ImageContentType | null> {
  const start = file.subarray(0, SNIFFED_BYTES);
  const detected = await fileTypeFromBuffer(start);
  if (detected) return acceptedTypeOf(detected.mime);
  // The library needs a TIFF's directory, which most writers put at the end of the file.
  return TIFF_SIGNATURES.includes(Buffer.from(start.subarray(0, 4)).toString('latin1')) ? 'image/tiff' : null;
}
