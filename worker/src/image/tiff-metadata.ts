import { type ExifSize, layOutExif } from './exif.js';
import type { FileMetadata } from './file-metadata.js';
import { bytesEntry, type IfdEntry, numberIn, readIfd, readTiffHeader, UNDEFINED, writeIfd } from './ifd.js';

const TAG = { xmp: 700, icc: 34_675, stripOffsets: 273, tileOffsets: 324 } as const;
const BYTE = 1;

/**
 * Adds metadata to a little-endian TIFF of one page, in a new directory at the end. Strips stay in place; the old
 * directory is unused.
 * @throws Error for any other TIFF; our encoder writes none
 */
export function attachToTiff(file: Buffer, { icc, exif, xmp }: FileMetadata, size: ExifSize): Buffer {
  const header = readTiffHeader(file);
  if (header?.order !== 'little') throw new Error('expected a little-endian TIFF');
  const old = readIfd(file, header.firstIfd, 'little', file.length);
  if (numberIn(old, TAG.stripOffsets) === null && numberIn(old, TAG.tileOffsets) === null) {
    throw new Error('expected a TIFF with strips or tiles');
  }
  const padded = file.length % 2 === 0 ? file : Buffer.concat([file, Buffer.alloc(1)]);
  const layout = exif ? layOutExif(exif, size, padded.length) : { children: Buffer.alloc(0), entries: [] };
  const entries = new Map<number, IfdEntry>();
  for (const entry of [...old, ...layout.entries]) entries.set(entry.tag, entry);
  if (xmp) entries.set(TAG.xmp, bytesEntry(TAG.xmp, BYTE, xmp));
  if (icc) entries.set(TAG.icc, bytesEntry(TAG.icc, UNDEFINED, icc));
  const firstIfd = padded.length + layout.children.length;
  const result = Buffer.concat([padded, layout.children, writeIfd([...entries.values()], firstIfd)]);
  result.writeUInt32LE(firstIfd, 4);
  return result;
}
