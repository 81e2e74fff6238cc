import { promisify } from 'node:util';
import { deflate, inflate, zstdDecompress } from 'node:zlib';
import { IMAGE_LIMITS } from '@clearframe/contract';
import { InvalidImageError } from '../../picture/errors.js';
import { readDirectory, rewriteDirectory, type TiffDirectory } from '../layout/directory.js';
import { COMPRESSION, readTiffLayout, TAG, type TiffLayout } from '../layout/tiff-layout.js';
import { decodeChunks, isCoded } from './coded-chunks.js';
import { type Entry, withDeflatedChunks } from './entries.js';
import { type Narrowing, narrowingOf } from './narrow-samples.js';
import { hasJoinablePlanes, joinPlanes } from './separate-planes.js';
import { narrowWideSamples } from './wide-samples.js';
import { unpackXz } from './xz.js';

const PHOTOMETRIC = { whiteIsZero: 0, blackIsZero: 1, rgb: 2, palette: 3, separated: 5, yCbCr: 6 } as const;
const NO_PREDICTOR = 1;
/** Speed: the copy is decoded at once. */
const DEFLATE = { level: 1 } as const;

const [compress, decompressDeflate, decompressZstd] = [
  promisify(deflate),
  promisify(inflate),
  promisify(zstdDecompress),
];

/** A strip or tile that holds 100 megapixels of RGBA, unpacked: wider samples in one strip took 1.5 GB. */
const MAX_CHUNK_BYTES = 400_000_000;

/** What the build of libtiff reads, and ImageMagick's: libvips returns black for tiles of other kinds. */
const READ_COMPRESSIONS = new Set([
  1, 2, 3, 4, 5, 6, 7, 8, 32_766, 32_771, 32_773, 32_809, 32_908, 32_909, 32_946, 34_676, 34_677, 50_001,
]);

/**
 * Rewrites what libtiff or its build in sharp does not read into what it does: strips and tiles compressed by Zstandard, LZMA, JPEG 2000, JPEG XL or PNG,
 * samples of 64 bits and floats of 16, some separate planes, and a missing photometric interpretation.
 * @throws InvalidImageError for damaged or too much data
 */
export async function normalizeTiff(file: Buffer): Promise<Buffer> {
  const result = await joinedPlanes(await narrowed(await repacked(await decoded(withPhotometric(file)))));
  const layout = readTiffLayout(result);
  if (layout && !READ_COMPRESSIONS.has(layout.compression)) throw new InvalidImageError('uploads.undecodable');
  return result;
}

function withPhotometric(file: Buffer): Buffer {
  const directory = readDirectory(file);
  const layout = readTiffLayout(file);
  if (!directory || !layout || layout.photometric >= 0) return file;
  const guess = guessedPhotometric(directory, layout);
  return rewriteDirectory(file, directory, [], () => new Map([[TAG.photometric, [guess]]]));
}

async function decoded(file: Buffer): Promise<Buffer> {
  const directory = readDirectory(file);
  const layout = readTiffLayout(file);
  if (!directory || !layout || !isCoded(layout)) return file;
  assertDecodable(layout);
  const { chunks, photometric } = await decodeChunks(file, directory, layout).catch((cause) => {
    throw new InvalidImageError('uploads.undecodable', { cause });
  });
  const packed: Buffer[] = [];
  for (const chunk of chunks) packed.push(await compress(chunk, DEFLATE));
  return withDeflatedChunks(file, directory, layout, packed, [
    [TAG.photometric, [photometric]],
    [TAG.bitsPerSample, new Array<number>(layout.samplesPerPixel).fill(8)],
    [TAG.predictor, []],
  ]);
}

async function repacked(file: Buffer): Promise<Buffer> {
  const directory = readDirectory(file);
  const layout = readTiffLayout(file);
  if (!directory || !layout) return file;
  const narrow = isUnpackable(directory, layout) ? narrowingOf(layout.bitsPerSample, layout.isFloat) : null;
  if (!narrow && !REPACKED.includes(layout.compression)) return file;
  assertDecodable(layout);
  const chunks = await convertedChunks(file, directory, layout, narrow?.convert);
  const perSample = (value: number): number[] => new Array<number>(layout.samplesPerPixel).fill(value);
  const entries: Entry[] = narrow
    ? [
        [TAG.bitsPerSample, perSample(narrow.bits)],
        [TAG.sampleFormat, perSample(narrow.format)],
      ]
    : [];
  return withDeflatedChunks(file, directory, layout, chunks, entries);
}

/** Samples that {@link repacked} left as they are. */
async function narrowed(file: Buffer): Promise<Buffer> {
  const directory = readDirectory(file);
  const layout = readTiffLayout(file);
  const narrow = layout && narrowingOf(layout.bitsPerSample, layout.isFloat);
  if (!directory || !layout || !narrow) return file;
  assertDecodable(layout);
  return narrowWideSamples(file, directory, layout, narrow).catch((cause) => {
    throw new InvalidImageError('uploads.undecodable', { cause });
  });
}

async function joinedPlanes(file: Buffer): Promise<Buffer> {
  const directory = readDirectory(file);
  const layout = readTiffLayout(file);
  if (!directory || !layout || !hasJoinablePlanes(layout)) return file;
  assertDecodable(layout);
  return joinPlanes(file, directory, layout).catch((cause) => {
    throw new InvalidImageError('uploads.undecodable', { cause });
  });
}

function assertDecodable({ width, height, isWhole }: TiffLayout): void {
  if (width * height > IMAGE_LIMITS.maxPixels) throw new InvalidImageError('uploads.too_many_pixels');
  if (width < 1 || height < 1 || !isWhole) throw new InvalidImageError('uploads.undecodable');
}

/** Same guess as libtiff's for applications that ask for RGBA. */
function guessedPhotometric({ entries }: TiffDirectory, layout: TiffLayout): number {
  const { compression, samplesPerPixel, extraSamples } = layout;
  if (compression >= COMPRESSION.rle && compression <= COMPRESSION.group4) return PHOTOMETRIC.whiteIsZero;
  if (entries.has(TAG.colorMap)) return PHOTOMETRIC.palette;
  const colors = samplesPerPixel - extraSamples.length;
  if (colors < 3) return PHOTOMETRIC.blackIsZero;
  if (colors > 3) return PHOTOMETRIC.separated;
  return compression === COMPRESSION.jpeg ? PHOTOMETRIC.yCbCr : PHOTOMETRIC.rgb;
}

/** Missing in the build of libtiff. */
const REPACKED: readonly number[] = [COMPRESSION.zstd, COMPRESSION.lzma];
const UNPACKABLE: readonly number[] = [COMPRESSION.none, COMPRESSION.deflate, COMPRESSION.oldDeflate, ...REPACKED];

/** Whether strips unpack to samples directly, without a predictor to undo. */
const isUnpackable = ({ numbers }: TiffDirectory, { compression }: TiffLayout): boolean =>
  UNPACKABLE.includes(compression) && (numbers(TAG.predictor)?.[0] ?? NO_PREDICTOR) === NO_PREDICTOR;

async function convertedChunks(
  file: Buffer,
  { numbers }: TiffDirectory,
  layout: TiffLayout,
  convert: Narrowing['convert'] = (samples) => samples,
): Promise<Buffer[]> {
  const { isTiled, compression, order } = layout;
  const offsets = numbers(isTiled ? TAG.tileOffsets : TAG.stripOffsets) ?? [];
  const lengths = numbers(isTiled ? TAG.tileByteCounts : TAG.stripByteCounts) ?? [];
  const maxOutputLength = chunkBytes(numbers, layout);
  if (maxOutputLength > MAX_CHUNK_BYTES) throw new InvalidImageError('uploads.undecodable');
  const chunks: Buffer[] = [];
  for (const [index, offset] of offsets.entries()) {
    const stored = file.subarray(offset, offset + (lengths[index] ?? maxOutputLength));
    const samples = await unpacked(stored, compression, maxOutputLength).catch((cause) => {
      throw new InvalidImageError('uploads.undecodable', { cause });
    });
    chunks.push(await compress(convert(samples, order), DEFLATE));
  }
  return chunks;
}

/** Most bytes of a strip or tile, unpacked. */
function chunkBytes(numbers: TiffDirectory['numbers'], layout: TiffLayout): number {
  const { width, height, isTiled, bitsPerSample, samplesPerPixel, hasSeparatePlanes } = layout;
  const first = (tag: number, otherwise: number): number => numbers(tag)?.[0] ?? otherwise;
  const across = isTiled ? first(TAG.tileWidth, width) : width;
  const down = isTiled ? first(TAG.tileHeight, height) : Math.min(height, first(TAG.rowsPerStrip, height));
  const rowBits = across * bitsPerSample * (hasSeparatePlanes ? 1 : samplesPerPixel);
  return Math.max(1, Math.ceil(rowBits / 8) * down);
}

async function unpacked(stored: Buffer, compression: number, maxOutputLength: number): Promise<Buffer> {
  if (compression === COMPRESSION.none) return stored;
  if (compression === COMPRESSION.lzma) return unpackXz(stored, maxOutputLength);
  const unpack = compression === COMPRESSION.zstd ? decompressZstd : decompressDeflate;
  return unpack(stored, { maxOutputLength });
}
