import { promisify } from 'node:util';
import { constants, crc32, deflateRaw } from 'node:zlib';
import { bytesAt, heap, kernels, reserve, withKernels } from '../rasters/kernels.js';
import { bytesOf, type PixelLayout, type Rows, rowBytesOf } from './pixel-file.js';
import { COMPRESSION, compressStrips, roomFor, type Strip } from './strips.js';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const COLOR_TYPES = { 3: 2, 4: 6 } as const;
const PAETH = 4;
/** Deflate with a window of 32 kB, fastest (RFC 1950). */
const ZLIB_HEADER = Buffer.from([0x78, 0x01]);

/** Deterministic. Without metadata. */
export async function encodePng(pixels: Rows): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of pngOf(pixels)) parts.push(part);
  return Buffer.concat(parts);
}

/** The file in parts: its first, of 33 bytes, is before any data. @param onProgress of rows, 0..1 */
export async function* pngOf(pixels: Rows, onProgress?: (fraction: number) => void): AsyncGenerator<Buffer> {
  const { width, height, channels, isDeep } = pixels.layout;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([isDeep ? 16 : 8, COLOR_TYPES[channels]], 8);
  yield Buffer.concat([SIGNATURE, ...chunkOf('IHDR', [header])]);
  let adler = 1;
  const filter = async (strip: Strip) => {
    const filtered = await filterStrip(pixels, strip, adler);
    adler = filtered.adler;
    onProgress?.(strip.end / height);
    return filtered.bytes;
  };
  let head = [ZLIB_HEADER];
  for await (const strip of compressStrips(pixels.layout, filter, compress)) {
    yield* chunkOf('IDAT', [...head, strip]);
    head = [];
  }
  const check = Buffer.alloc(4);
  check.writeUInt32BE(adler);
  yield Buffer.concat([...chunkOf('IDAT', [check]), ...chunkOf('IEND', [])]);
}

const MAX_PIXEL_BYTES = 8;

/** Filtered rows in the strip's space, and Adler-32 of all bytes up to their end. */
async function filterStrip(
  pixels: Rows,
  { first, end, space }: Strip,
  adlerBefore: number,
): Promise<{ bytes: Buffer; adler: number }> {
  const { layout } = pixels;
  const stride = rowBytesOf(layout);
  const pixelBytes = stride / layout.width;
  const top = Math.max(0, first - 1);
  const samples = bytesOf(await pixels.rows(top, end - top));
  const bytes = space.subarray(0, (stride + 1) * (end - first));
  let adler = adlerBefore;
  withKernels(() => {
    // Each row behind zeros for the pixel before its first one.
    const spaces = [reserve(MAX_PIXEL_BYTES + stride), reserve(MAX_PIXEL_BYTES + stride)] as const;
    for (const each of spaces) bytesAt(each, MAX_PIXEL_BYTES + stride).fill(0);
    const line = reserve(1 + stride);
    heap.bytes[line] = PAETH;
    const rowAt = (y: number) => spaces[y & 1 ? 1 : 0] + MAX_PIXEL_BYTES;
    const read = (y: number) => readRow(samples.subarray((y - top) * stride, (y - top + 1) * stride), rowAt(y), layout);
    if (first > 0) read(top);
    for (let y = first; y < end; y++) {
      read(y);
      kernels.paethRow(rowAt(y), rowAt(y + 1), pixelBytes, line + 1, stride);
      adler = kernels.adler32(adler, line, stride + 1) >>> 0;
      bytes.set(bytesAt(line, stride + 1), (y - first) * (stride + 1));
    }
  });
  return { bytes, adler };
}

/** Samples of 16 bits are big-endian in PNG. */
function readRow(row: Uint8Array, address: number, { isDeep }: PixelLayout): void {
  heap.bytes.set(row, address);
  if (isDeep) Buffer.from(heap.bytes.buffer, address, row.length).swap16();
}

/** Ends with a whole byte, so that strips can follow each other. */
const compress = (bytes: Buffer, isLast: boolean): Promise<Buffer> =>
  promisify(deflateRaw)(bytes, {
    ...COMPRESSION,
    chunkSize: roomFor(bytes.length),
    finishFlush: isLast ? constants.Z_FINISH : constants.Z_FULL_FLUSH,
  });

function chunkOf(type: string, parts: readonly Buffer[]): Buffer[] {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(length);
  head.write(type, 4, 'latin1');
  const check = Buffer.alloc(4);
  check.writeUInt32BE(parts.reduce((crc, part) => crc32(part, crc), crc32(head.subarray(4))));
  return [head, ...parts, check];
}
