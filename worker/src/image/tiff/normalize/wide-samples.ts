import sharp from 'sharp';
import { LIBVIPS_TIMEOUT_SECONDS, READING } from '../../picture/libvips.js';
import { rewriteDirectory, type TiffDirectory } from '../layout/directory.js';
import { TAG, type TiffLayout } from '../layout/tiff-layout.js';
import { asGray, contiguous } from './entries.js';
import type { Narrowing } from './narrow-samples.js';

const PREDICTOR = { none: 1, differences: 2, bytes: 3 } as const;
/** 16 megapixels of RGB. */
const MAX_BYTES = 400_000_000;

/**
 * Samples of 64 bits, and floats of 16, behind a compression or predictor that only libtiff undoes: read as bytes of a wider
 * gray picture, then converted.
 * @throws RangeError for planes apart, and pictures that are too large
 */
export async function narrowWideSamples(
  file: Buffer,
  directory: TiffDirectory,
  layout: TiffLayout,
  narrow: Narrowing,
): Promise<Buffer> {
  const { width, height, samplesPerPixel, isTiled, hasSeparatePlanes, order } = layout;
  if (hasSeparatePlanes && samplesPerPixel > 1) throw new RangeError('the planes are apart');
  const tileWidth = isTiled ? (directory.numbers(TAG.tileWidth)?.[0] ?? width) : width;
  const sampleBytes = layout.bitsPerSample / 8;
  const pixelBytes = samplesPerPixel * sampleBytes;
  // Whole tiles: the predictor of bytes spans them.
  const rowBytes = Math.ceil(width / tileWidth) * tileWidth * pixelBytes;
  if (rowBytes * height > MAX_BYTES) throw new RangeError('the samples are too large');
  const part = tileWidth * pixelBytes;
  const rows = await bytesOf(file, directory, layout, rowBytes, part);
  const predictor = directory.numbers(TAG.predictor)?.[0] ?? PREDICTOR.none;
  const undo = predictor === PREDICTOR.bytes ? undoBytes : predictor === PREDICTOR.differences ? undoDifferences : null;
  for (let at = 0; undo && at < rows.length; at += part) {
    undo(rows.subarray(at, at + part), { samplesPerPixel, sampleBytes, isLittle: order === 'little' });
  }
  const kept = Buffer.alloc(width * height * pixelBytes);
  for (let y = 0; y < height; y++)
    rows.copy(kept, y * width * pixelBytes, y * rowBytes, y * rowBytes + width * pixelBytes);
  const samples = narrow.convert(kept, order);
  const perSample = (value: number): number[] => new Array<number>(samplesPerPixel).fill(value);
  return rewriteDirectory(file, directory, [samples], (offsets) =>
    contiguous(layout, offsets, samples.length)
      .set(TAG.bitsPerSample, perSample(narrow.bits))
      .set(TAG.sampleFormat, perSample(narrow.format)),
  );
}

function bytesOf(
  file: Buffer,
  directory: TiffDirectory,
  { isTiled }: TiffLayout,
  rowBytes: number,
  tileBytes: number,
): Promise<Buffer> {
  const { predictor, sampleFormat, smallestSample, largestSample } = TAG;
  const gray = asGray(
    file,
    directory,
    [predictor, sampleFormat, smallestSample, largestSample],
    [[TAG.width, [rowBytes]], [TAG.bitsPerSample, [8]], ...(isTiled ? [[TAG.tileWidth, [tileBytes]] as const] : [])],
  );
  return sharp(gray, { ...READING, limitInputPixels: MAX_BYTES })
    .toColourspace('b-w')
    .timeout({ seconds: LIBVIPS_TIMEOUT_SECONDS })
    .raw()
    .toBuffer();
}

interface RowLayout {
  readonly samplesPerPixel: number;
  readonly sampleBytes: number;
  readonly isLittle: boolean;
}

/** TIFF 6.0, section 14: each sample is stored as its difference from the one to the left. */
function undoDifferences(row: Buffer, { samplesPerPixel, sampleBytes, isLittle }: RowLayout): void {
  const samples = new DataView(row.buffer, row.byteOffset, row.byteLength);
  const step = samplesPerPixel * sampleBytes;
  for (let at = step; at < row.length; at += sampleBytes) {
    if (sampleBytes === 2) {
      samples.setUint16(at, samples.getUint16(at, isLittle) + samples.getUint16(at - step, isLittle), isLittle);
    } else {
      samples.setBigUint64(
        at,
        samples.getBigUint64(at, isLittle) + samples.getBigUint64(at - step, isLittle),
        isLittle,
      );
    }
  }
}

/** Adobe Photoshop TIFF Technical Note 3: differences of bytes, the most significant of all samples first. */
function undoBytes(row: Buffer, { samplesPerPixel, sampleBytes, isLittle }: RowLayout): void {
  for (let at = samplesPerPixel; at < row.length; at++) row[at] = (row[at] ?? 0) + (row[at - samplesPerPixel] ?? 0);
  const sorted = Buffer.from(row);
  const count = row.length / sampleBytes;
  for (let sample = 0; sample < count; sample++) {
    for (let byte = 0; byte < sampleBytes; byte++) {
      const to = sample * sampleBytes + (isLittle ? sampleBytes - 1 - byte : byte);
      row[to] = sorted[byte * count + sample] ?? 0;
    }
  }
}
