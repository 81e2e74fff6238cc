import type { ByteOrder } from '../ifd.js';

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
  /** Smallest and largest sample are given, as ImageMagick does for codes in floats. */
  readonly hasDeclaredRange: boolean;
  /** Every required strip or tile is listed and inside the file. */
  readonly isWhole: boolean;
}

export const TAG = {
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
  predictor: 317,
  colorMap: 320,
  tileWidth: 322,
  tileHeight: 323,
  tileOffsets: 324,
  tileByteCounts: 325,
  extraSamples: 338,
  sampleFormat: 339,
  smallestSample: 340,
  largestSample: 341,
  oldJpegOffset: 513,
  oldJpegBytes: 514,
  iccProfile: 34_675,
} as const;
const UNREAD_TAGS: readonly number[] = [
  TAG.predictor,
  TAG.colorMap,
  TAG.smallestSample,
  TAG.largestSample,
  TAG.iccProfile,
];
const READ_TAGS = Object.values(TAG).filter((tag) => !UNREAD_TAGS.includes(tag));

export const COMPRESSION = {
  none: 1,
  rle: 2,
  group3: 3,
  group4: 4,
  /** Obsolete: stores data under other tags. */
  oldJpeg: 6,
  jpeg: 7,
  deflate: 8,
  oldDeflate: 32_946,
  lzma: 34_925,
  zstd: 50_000,
} as const;
const SEPARATE_PLANES = 2;
const IEEE_FLOAT = 3;

type Fields = ReadonlyMap<number, readonly number[]>;

/** Classic TIFF or BigTIFF; null for a directory outside the file. */
export function readTiffLayout(file: Buffer): TiffLayout | null {
  const directory = readDirectory(file);
  if (!directory) return null;
  const fields = new Map<number, readonly number[]>();
  for (const tag of READ_TAGS) {
    if (!directory.entries.has(tag)) continue;
    const numbers = directory.numbers(tag);
    if (!numbers) return null;
    if (numbers.length > 0) fields.set(tag, numbers);
  }
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
    photometricAt: directory.valueAt(TAG.photometric),
    order: directory.order,
    samplesPerPixel: first(TAG.samplesPerPixel, 1),
    extraSamples: fields.get(TAG.extraSamples) ?? [],
    isFloat: first(TAG.sampleFormat, 1) === IEEE_FLOAT,
    hasDeclaredRange: directory.entries.has(TAG.smallestSample) && directory.entries.has(TAG.largestSample),
    isWhole: compression === COMPRESSION.oldJpeg ? isWholeOldJpeg(fields, file.length) : isWhole(fields, file.length),
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

/** BYTE, SHORT, LONG, IFD, LONG8. */
const NUMBER_SIZES: Readonly<Record<number, number>> = { 1: 1, 3: 2, 4: 4, 13: 4, 16: 8 };
const RATIONAL = 5;
const RATIONAL_BYTES = 8;

/** 100 megapixels in tiles of 16 x 16 pixels have 400,000 in each plane. */
const MAX_VALUES = 4_000_000;

/** The first directory of a classic TIFF or BigTIFF. */
interface TiffDirectory {
  readonly order: ByteOrder;
  readonly isBig: boolean;
  readonly entries: ReadonlyMap<number, Buffer>;
  /** Numbers of an entry, none for one of another type; null for an absent one, or one outside the file. */
  readonly numbers: (tag: number) => readonly number[] | null;
  /** Position of an entry's first value, 0 for an absent one. */
  readonly valueAt: (tag: number) => number;
}

/** Null for a directory outside the file. */
function readDirectory(file: Buffer): TiffDirectory | null {
  const order: ByteOrder = file.toString('latin1', 0, 2) === 'II' ? 'little' : 'big';
  const read = (at: number, size: number): number => numberAt(file, at, size, order);
  const isBig = file.length >= 16 && read(2, 2) === 43;
  const { wide, countBytes, entryBytes } = sizesOf(isBig);
  if (file.length < 4 + wide) return null;
  const at = read(isBig ? 8 : 4, wide);
  if (at + countBytes > file.length) return null;
  const count = read(at, countBytes);
  if (at + countBytes + count * entryBytes > file.length) return null;
  const entries = new Map<number, Buffer>();
  for (let index = 0; index < count; index++) {
    const from = at + countBytes + index * entryBytes;
    entries.set(read(from, 2), file.subarray(from, from + entryBytes));
  }
  const placeOf = (entry: Buffer) => {
    const inEntry = (offset: number, bytes: number) => numberAt(entry, offset, bytes, order);
    const type = inEntry(2, 2);
    const size = type === RATIONAL ? RATIONAL_BYTES : (NUMBER_SIZES[type] ?? 0);
    const values = inEntry(4, wide);
    const own = entry.byteOffset - file.byteOffset;
    return { type, size, values, from: values * size <= wide ? own + 4 + wide : inEntry(4 + wide, wide) };
  };
  return {
    order,
    isBig,
    entries,
    numbers: (tag) => {
      const entry = entries.get(tag);
      if (!entry) return null;
      const { type, from, size, values } = placeOf(entry);
      if (size === 0 || type === RATIONAL) return [];
      if (values > MAX_VALUES || from + values * size > file.length) return null;
      return Array.from({ length: values }, (_, value) => read(from + value * size, size));
    },
    valueAt: (tag) => {
      const entry = entries.get(tag);
      return entry ? placeOf(entry).from : 0;
    },
  };
}

/** Bytes of offsets and counts, of the number of entries, and of an entry. */
const sizesOf = (isBig: boolean) => ({ wide: isBig ? 8 : 4, countBytes: isBig ? 8 : 2, entryBytes: isBig ? 20 : 12 });

function numberAt(bytes: Buffer, at: number, size: number, order: ByteOrder): number {
  if (size === 8) return Number(order === 'little' ? bytes.readBigUInt64LE(at) : bytes.readBigUInt64BE(at));
  return order === 'little' ? bytes.readUIntLE(at, size) : bytes.readUIntBE(at, size);
}
