import type { ByteOrder } from '../metadata/ifd.js';

export interface TiffLayout {
  /** In pixels, as stored. */
  readonly width: number;
  readonly height: number;
  /** EXIF orientation, 1 to 8. */
  readonly orientation: number;
  readonly compression: number;
  readonly bitsPerSample: number;
  readonly hasSeparatePlanes: boolean;
  readonly isTiled: boolean;
  readonly photometric: number;
  readonly photometricAt: number;
  readonly order: ByteOrder;
  readonly samplesPerPixel: number;
  /** 0 unspecified, 1 premultiplied alpha, 2 alpha. */
  readonly extraSamples: readonly number[];
  readonly isFloat: boolean;
  /** Every required strip or tile is listed and inside the file. */
  readonly isWhole: boolean;
}

const TAG = {
  width: 256,
  height: 257,
  bitsPerSample: 258,
  compression: 259,
  photometric: 262,
  stripOffsets: 273,
  orientation: 274,
  samplesPerPixel: 277,
  rowsPerStrip: 278,
  stripByteCounts: 279,
  planar: 284,
  tileWidth: 322,
  tileHeight: 323,
  tileOffsets: 324,
  tileByteCounts: 325,
  extraSamples: 338,
  sampleFormat: 339,
  oldJpegOffset: 513,
  oldJpegBytes: 514,
} as const;
const READ_TAGS = new Set<number>(Object.values(TAG));

/** Obsolete: stores data under other tags. */
export const OLD_JPEG = 6;
const SEPARATE_PLANES = 2;
const IEEE_FLOAT = 3;

/** BYTE, SHORT, LONG, IFD, LONG8. */
const NUMBER_SIZES: Readonly<Record<number, number>> = { 1: 1, 3: 2, 4: 4, 13: 4, 16: 8 };

type Fields = ReadonlyMap<number, readonly number[]>;

/** Classic TIFF or BigTIFF; null for a directory outside the file. */
export function readTiffLayout(file: Buffer): TiffLayout | null {
  const read = readFields(file);
  if (!read) return null;
  const { fields, order, photometricAt } = read;
  const first = (tag: number, otherwise: number): number => fields.get(tag)?.[0] ?? otherwise;
  const compression = first(TAG.compression, 1);
  return {
    width: first(TAG.width, 0),
    height: first(TAG.height, 0),
    orientation: first(TAG.orientation, 1),
    compression,
    bitsPerSample: first(TAG.bitsPerSample, 1),
    hasSeparatePlanes: first(TAG.planar, 1) === SEPARATE_PLANES,
    isTiled: fields.has(TAG.tileOffsets),
    photometric: first(TAG.photometric, -1),
    photometricAt,
    order,
    samplesPerPixel: first(TAG.samplesPerPixel, 1),
    extraSamples: fields.get(TAG.extraSamples) ?? [],
    isFloat: first(TAG.sampleFormat, 1) === IEEE_FLOAT,
    isWhole: compression === OLD_JPEG ? isWholeOldJpeg(fields, file.length) : isWhole(fields, file.length),
  };
}

function isWhole(fields: Fields, size: number): boolean {
  const first = (tag: number, otherwise: number): number => fields.get(tag)?.[0] ?? otherwise;
  const [width, height] = [first(TAG.width, 0), first(TAG.height, 0)];
  const isTiled = fields.has(TAG.tileOffsets);
  const offsets = fields.get(isTiled ? TAG.tileOffsets : TAG.stripOffsets) ?? [];
  const lengths = fields.get(isTiled ? TAG.tileByteCounts : TAG.stripByteCounts);
  const across = isTiled ? Math.ceil(width / first(TAG.tileWidth, width)) : 1;
  const down = Math.ceil(
    height / Math.min(height, first(isTiled ? TAG.tileHeight : TAG.rowsPerStrip, height) || height),
  );
  const planes = first(TAG.planar, 1) === SEPARATE_PLANES ? first(TAG.samplesPerPixel, 1) : 1;
  // libtiff guesses lengths that old writers omitted.
  return (
    offsets.length >= across * down * planes &&
    offsets.every((offset, index) => offset > 0 && offset + (lengths?.[index] ?? 1) <= size)
  );
}

/** Some writers omit strips, or list wrong bytes of the stream beside correct strips. */
function isWholeOldJpeg(fields: Fields, size: number): boolean {
  const lengths = fields.get(TAG.stripByteCounts);
  const strips = fields.get(TAG.stripOffsets) ?? [];
  const stream = fields.get(TAG.oldJpegOffset)?.[0] ?? 0;
  if (strips.length === 0) return stream > 0 && stream + (fields.get(TAG.oldJpegBytes)?.[0] ?? 1) <= size;
  return strips.every((offset, index) => offset > 0 && offset + (lengths?.[index] ?? 1) <= size);
}

function readFields(file: Buffer): { fields: Fields; order: ByteOrder; photometricAt: number } | null {
  const order: ByteOrder = file.toString('latin1', 0, 2) === 'II' ? 'little' : 'big';
  const read = (at: number, size: number): number => numberAt(file, at, size, order);
  const isBig = file.length >= 16 && read(2, 2) === 43;
  // Bytes of offsets and counts.
  const wide = isBig ? 8 : 4;
  if (file.length < 4 + wide) return null;
  const directory = read(isBig ? 8 : 4, wide);
  const countBytes = isBig ? 8 : 2;
  if (directory + countBytes > file.length) return null;
  const entryBytes = 4 + 2 * wide;
  const count = read(directory, countBytes);
  if (directory + countBytes + count * entryBytes > file.length) return null;

  const fields = new Map<number, number[]>();
  let photometricAt = 0;
  for (let index = 0; index < count; index++) {
    const at = directory + countBytes + index * entryBytes;
    const tag = read(at, 2);
    const size = NUMBER_SIZES[read(at + 2, 2)];
    if (!READ_TAGS.has(tag) || !size) continue;
    const values = read(at + 4, wide);
    const from = values * size <= wide ? at + 4 + wide : read(at + 4 + wide, wide);
    if (from + values * size > file.length) return null;
    if (tag === TAG.photometric) photometricAt = from;
    fields.set(
      tag,
      Array.from({ length: values }, (_, value) => read(from + value * size, size)),
    );
  }
  return { fields, order, photometricAt };
}

function numberAt(file: Buffer, at: number, size: number, order: ByteOrder): number {
  if (size === 8) return Number(order === 'little' ? file.readBigUInt64LE(at) : file.readBigUInt64BE(at));
  return order === 'little' ? file.readUIntLE(at, size) : file.readUIntBE(at, size);
}
