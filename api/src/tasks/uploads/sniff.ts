import { acceptedTypeOf, type ImageContentType } from '@clearframe/contract';
import { fileTypeFromBuffer } from 'file-type';

/** Bytes needed to detect the type of a file. */
export const SNIFFED_BYTES = 4_100;

const TIFF_SIGNATURES = ['II*\0', 'MM\0*'];

/** Null for types that are not accepted. */
export async function sniffImageType(file: Uint8Array): Promise<ImageContentType | null> {
  const start = file.subarray(0, SNIFFED_BYTES);
  const detected = await fileTypeFromBuffer(start);
  if (detected) return acceptedTypeOf(detected.mime);
  // The library needs a TIFF's directory, which most writers put at the end of the file.
  return TIFF_SIGNATURES.includes(Buffer.from(start.subarray(0, 4)).toString('latin1')) ? 'image/tiff' : null;
}
