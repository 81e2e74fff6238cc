import type { OutputContentType } from '@clearframe/contract';
import type { ExifSize } from './exif.js';
import type { FileMetadata } from './file-metadata.js';
import { attachToJpeg } from './jpeg.js';
import { attachToPng } from './png.js';
import { attachToTiff } from './tiff.js';

export type Attach = (file: Buffer, metadata: FileMetadata, size: ExifSize) => Buffer;

/** Writers by format. libvips would convert colours to an attached profile, rewrites EXIF, and writes none in TIFF. */
export const attachMetadata: Readonly<Record<OutputContentType, Attach>> = {
  'image/jpeg': attachToJpeg,
  'image/png': attachToPng,
  'image/tiff': attachToTiff,
};
