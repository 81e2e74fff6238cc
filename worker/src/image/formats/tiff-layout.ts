import { type ByteOrder, isFirstIfdInside, numbersIn, readIfd, readTiffHeader } from '../ifd.js';

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
  smallestSample: 340,
  largestSample: 341,
  oldJpegOffset: 513,
  oldJpegBytes: 514,
} as const;

/** Old JPEG is obsolete: it stores data under other tags. */
export const COMPRESSION = { oldJpeg: 6, jpeg: 7 } as const;
const SEPARATE_PLANES = 2;
const IEEE_FLOAT = 3;
/** 100 megapixels in tiles of 16 x 16 pixels have 400,000 in each plane. */
const MAX_VALUE_BYTES = 32_000_000;

/** Classic TIFF or BigTIFF; null for a directory outside the file. */
export function readTiffLayout(file: Buffer): TiffLayout | null {
  const header = readTiffHeader(file);
  if (!header || !isFirstIfdInside(file, header)) return null;
  const entries = readIfd(file, header, header.firstIfd, MAX_VALUE_BYTES);
  const numbers = (tag: number) => numbersIn(entries, tag);
  const first = (tag: number, otherwise: number): number => numbers(tag)[0] ?? otherwise;
  const has = (tag: number) => entries.some((entry) => entry.tag === tag);
  const layout = {
    width: first(TAG.width, 0),
    height: first(TAG.height, 0),
    orientation: first(TAG.orientation, 1),
    compression: first(TAG.compression, 1),
    bitsPerSample: first(TAG.bitsPerSample, 1),
    hasSeparatePlanes: first(TAG.planar, 1) === SEPARATE_PLANES,
    isTiled: has(TAG.tileOffsets),
    photometric: first(TAG.photometric, -1),
    photometricAt: entries.find(({ tag }) => tag === TAG.photometric)?.at ?? 0,
    order: header.order,
    samplesPerPixel: first(TAG.samplesPerPixel, 1),
    extraSamples: numbers(TAG.extraSamples),
    isFloat: first(TAG.sampleFormat, 1) === IEEE_FLOAT,
    hasDeclaredRange: has(TAG.smallestSample) && has(TAG.largestSample),
  };
  const { width, height, compression, isTiled, hasSeparatePlanes, samplesPerPixel } = layout;
  const offsets = numbers(isTiled ? TAG.tileOffsets : TAG.stripOffsets);
  const lengths = numbers(isTiled ? TAG.tileByteCounts : TAG.stripByteCounts);
  // libtiff guesses lengths that old writers omitted.
  const isInside = (offset: number, length = 1) => offset > 0 && offset + length <= file.length;
  const areInside = offsets.every((offset, index) => isInside(offset, lengths[index]));
  if (compression === COMPRESSION.oldJpeg) {
    // Some writers omit strips, or list wrong bytes of the stream beside correct strips.
    const isStreamInside = isInside(first(TAG.oldJpegOffset, 0), numbers(TAG.oldJpegBytes)[0]);
    return { ...layout, isWhole: offsets.length === 0 ? isStreamInside : areInside };
  }
  const across = isTiled ? Math.ceil(width / first(TAG.tileWidth, width)) : 1;
  const rows = first(isTiled ? TAG.tileHeight : TAG.rowsPerStrip, height) || height;
  const wanted = across * Math.ceil(height / Math.min(height, rows)) * (hasSeparatePlanes ? samplesPerPixel : 1);
  return { ...layout, isWhole: offsets.length >= wanted && areInside };
}
