import sharp from 'sharp';
import type { ByteOrder } from '../../metadata/ifd.js';
import { LIBVIPS_TIMEOUT_SECONDS, READING } from '../../picture/libvips.js';
import { rewriteDirectory, type TiffDirectory } from '../layout/directory.js';
import { TAG, type TiffLayout } from '../layout/tiff-layout.js';
import { asGray, contiguous } from './entries.js';

const JPEG = 7;
const PHOTOMETRIC = { whiteIsZero: 0, blackIsZero: 1, rgb: 2, yCbCr: 6 } as const;
const YCBCR = { coefficients: 529, subsampling: 530, reference: 532 } as const;

/** Size of a plane that is a gray picture of its own. */
interface PlaneSize {
  readonly width: number;
  readonly height: number;
  readonly rowsPerStrip: number;
}

const JOINED_BITS: readonly number[] = [8, 16, 32];

/**
 * Separate planes that libvips misreads (gray with further channels) or that nothing here reads (YCbCr of 8 bits, whose chroma
 * may have fewer samples).
 */
export function hasJoinablePlanes(layout: TiffLayout): boolean {
  const { hasSeparatePlanes, photometric, samplesPerPixel, bitsPerSample, isTiled, compression } = layout;
  if (!hasSeparatePlanes || compression === JPEG) return false;
  if (photometric === PHOTOMETRIC.yCbCr) return samplesPerPixel === 3 && bitsPerSample === 8 && !isTiled;
  return isGray(layout) && samplesPerPixel > 1 && JOINED_BITS.includes(bitsPerSample);
}

const isGray = ({ photometric }: TiffLayout): boolean =>
  photometric === PHOTOMETRIC.whiteIsZero || photometric === PHOTOMETRIC.blackIsZero;

export const joinPlanes = (file: Buffer, directory: TiffDirectory, layout: TiffLayout): Promise<Buffer> =>
  isGray(layout) ? joinGray(file, directory, layout) : joinYCbCr(file, directory, layout);

async function joinGray(file: Buffer, directory: TiffDirectory, layout: TiffLayout): Promise<Buffer> {
  const { width, height, samplesPerPixel, bitsPerSample } = layout;
  const sampleBytes = bitsPerSample / 8;
  const joined = Buffer.alloc(width * height * samplesPerPixel * sampleBytes);
  const rowsPerStrip = directory.numbers(TAG.rowsPerStrip)?.[0] ?? height;
  for (let plane = 0; plane < samplesPerPixel; plane++) {
    const samples = await readPlane(file, directory, layout, plane, { width, height, rowsPerStrip });
    for (let at = 0, to = plane * sampleBytes; at < samples.length; at += sampleBytes) {
      samples.copy(joined, to, at, at + sampleBytes);
      to += samplesPerPixel * sampleBytes;
    }
  }
  return rewriteDirectory(file, directory, [inOrder(joined, sampleBytes, layout.order)], (offsets) =>
    contiguous(layout, offsets, joined.length),
  );
}

async function joinYCbCr(file: Buffer, directory: TiffDirectory, layout: TiffLayout): Promise<Buffer> {
  const { width, height } = layout;
  const [across = 2, down = 2] = directory.numbers(YCBCR.subsampling) ?? [];
  const rowsPerStrip = Math.min(height, directory.numbers(TAG.rowsPerStrip)?.[0] ?? height);
  if (across < 1 || down < 1 || (rowsPerStrip % down !== 0 && rowsPerStrip < height)) {
    throw new RangeError('strips end within a row of chroma samples');
  }
  const chroma = {
    width: Math.ceil(width / across),
    height: Math.ceil(height / down),
    rowsPerStrip: Math.ceil(rowsPerStrip / down),
  };
  const luma = await readPlane(file, directory, layout, 0, { width, height, rowsPerStrip });
  const blue = await readPlane(file, directory, layout, 1, chroma);
  const red = await readPlane(file, directory, layout, 2, chroma);
  const convert = conversionOf(file, directory);
  const rgb = Buffer.alloc(width * height * 3);
  for (let y = 0, to = 0; y < height; y++) {
    const row = Math.floor(y / down) * chroma.width;
    for (let x = 0; x < width; x++, to += 3) {
      const at = row + Math.floor(x / across);
      convert(luma[y * width + x] ?? 0, blue[at] ?? 0, red[at] ?? 0, rgb, to);
    }
  }
  return rewriteDirectory(file, directory, [rgb], (offsets) =>
    contiguous(layout, offsets, rgb.length).set(TAG.photometric, [PHOTOMETRIC.rgb]),
  );
}

/** Samples of a plane in the machine's order. */
async function readPlane(
  file: Buffer,
  directory: TiffDirectory,
  layout: TiffLayout,
  plane: number,
  { width, height, rowsPerStrip }: PlaneSize,
): Promise<Buffer> {
  const { isTiled, samplesPerPixel, bitsPerSample, isFloat } = layout;
  const [offsetsTag, lengthsTag] = isTiled
    ? [TAG.tileOffsets, TAG.tileByteCounts]
    : [TAG.stripOffsets, TAG.stripByteCounts];
  const partOf = (tag: number): readonly number[] => {
    const all = directory.numbers(tag) ?? [];
    const count = all.length / samplesPerPixel;
    return all.slice(plane * count, (plane + 1) * count);
  };
  const format = directory.numbers(TAG.sampleFormat)?.[0];
  const removed = [TAG.colorMap, ...Object.values(YCBCR)];
  const gray = asGray(file, directory, removed, [
    [TAG.width, [width]],
    [TAG.height, [height]],
    [TAG.bitsPerSample, [bitsPerSample]],
    [TAG.sampleFormat, format === undefined ? [] : [format]],
    [offsetsTag, partOf(offsetsTag)],
    [lengthsTag, partOf(lengthsTag)],
    ...(isTiled ? [] : [[TAG.rowsPerStrip, [rowsPerStrip]] as const]),
  ]);
  const depth = isFloat ? 'float' : bitsPerSample === 8 ? 'uchar' : bitsPerSample === 16 ? 'ushort' : 'uint';
  return sharp(gray, READING)
    .toColourspace(bitsPerSample === 16 ? 'grey16' : 'b-w')
    .timeout({ seconds: LIBVIPS_TIMEOUT_SECONDS })
    .raw({ depth })
    .toBuffer();
}

function inOrder(samples: Buffer, sampleBytes: number, order: ByteOrder): Buffer {
  if (order === 'little' || sampleBytes === 1) return samples;
  return sampleBytes === 2 ? samples.swap16() : samples.swap32();
}

type ConvertPixel = (y: number, cb: number, cr: number, into: Buffer, at: number) => void;

/** TIFF 6.0, sections 20 and 21. */
function conversionOf(file: Buffer, directory: TiffDirectory): ConvertPixel {
  const rationals = (tag: number, otherwise: readonly number[]): readonly number[] => {
    const at = directory.valueAt(tag);
    if (at === 0 || at + otherwise.length * 8 > file.length) return otherwise;
    const read = (from: number) => (directory.order === 'little' ? file.readUInt32LE(from) : file.readUInt32BE(from));
    return otherwise.map((_, index) => read(at + index * 8) / Math.max(1, read(at + index * 8 + 4)));
  };
  const [kr = 0, kg = 1, kb = 0] = rationals(YCBCR.coefficients, [0.299, 0.587, 0.114]);
  const [y0 = 0, y1 = 0, cb0 = 0, cb1 = 0, cr0 = 0, cr1 = 0] = rationals(YCBCR.reference, [0, 255, 128, 255, 128, 255]);
  return (y, cb, cr, into, at) => {
    const light = ((y - y0) * 255) / (y1 - y0 || 1);
    const red = light + (((cr - cr0) * 127) / (cr1 - cr0 || 1)) * (2 - 2 * kr);
    const blue = light + (((cb - cb0) * 127) / (cb1 - cb0 || 1)) * (2 - 2 * kb);
    const green = (light - kb * blue - kr * red) / (kg || 1);
    into[at] = clamped(red);
    into[at + 1] = clamped(green);
    into[at + 2] = clamped(blue);
  };
}

const clamped = (value: number): number => Math.min(255, Math.max(0, Math.round(value)));
