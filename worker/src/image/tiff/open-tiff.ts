import sharp, { type Sharp, type SharpOptions } from 'sharp';
import { unsignLab } from '../picture/lab.js';
import { LIBVIPS_TIMEOUT_SECONDS } from '../picture/libvips.js';
import type { OpenedImage } from '../picture/opened.js';
import type { Samples } from '../picture/picture.js';
import type { TiffLayout } from './tiff-layout.js';

const PHOTOMETRIC = { whiteIsZero: 0, blackIsZero: 1, rgb: 2, cieLab: 8, iccLab: 9 } as const;
const UNSPECIFIED = 0;

export const isLab = ({ photometric, samplesPerPixel }: TiffLayout): boolean =>
  samplesPerPixel >= 3 && (photometric === PHOTOMETRIC.cieLab || photometric === PHOTOMETRIC.iccLab);

/** libvips reads only some Lab: declared as RGB, samples are returned unconverted. */
export function declareAsRgb(file: Buffer, { photometricAt, order }: TiffLayout): void {
  if (order === 'little') file.writeUInt16LE(PHOTOMETRIC.rgb, photometricAt);
  else file.writeUInt16BE(PHOTOMETRIC.rgb, photometricAt);
}

type Opened = Pick<OpenedImage, 'image' | 'isLab' | 'isGrayFloat' | 'isProfiledFloat'>;

/** Opens a TIFF, with workarounds for files that libvips misreads. */
export async function openTiff(
  file: Buffer,
  layout: TiffLayout,
  { isDeep, reading }: { readonly isDeep: boolean; readonly reading: SharpOptions },
): Promise<Opened> {
  const image = sharp(file, reading);
  const { photometric, samplesPerPixel, extraSamples, isFloat } = layout;
  if (isLab(layout)) {
    if (photometric === PHOTOMETRIC.iccLab) return { image, isLab: true };
    return { image: await rewritten(image, isDeep, 3, unsignLab), isLab: true };
  }
  if (isFloat && isGray(layout) && samplesPerPixel === 1) return { image, isGrayFloat: true };
  if (isFloat && photometric === PHOTOMETRIC.rgb && samplesPerPixel === 3 && reading.ignoreIcc) {
    return { image, isProfiledFloat: true };
  }
  const colors = isGray(layout) ? 1 : 3;
  const isPlain = samplesPerPixel === colors || (samplesPerPixel === colors + 1 && extraSamples[0] !== UNSPECIFIED);
  if (isFloat || isPlain || (colors === 3 && photometric !== PHOTOMETRIC.rgb)) return { image };
  // Other extra channels: saved selections, masks, depth.
  const kept = (extraSamples[0] ?? UNSPECIFIED) === UNSPECIFIED ? colors : colors + 1;
  return { image: await rewritten(image, isDeep, kept) };
}

const isGray = ({ photometric }: TiffLayout): boolean =>
  photometric === PHOTOMETRIC.whiteIsZero || photometric === PHOTOMETRIC.blackIsZero;

/** Keeps the first `kept` channels. */
async function rewritten(
  image: Sharp,
  isDeep: boolean,
  kept: number,
  change?: (samples: Samples, channels: number) => void,
): Promise<Sharp> {
  const { data, info } = await image
    .autoOrient()
    .toColourspace(isDeep ? 'rgb16' : 'srgb')
    .timeout({ seconds: LIBVIPS_TIMEOUT_SECONDS })
    .raw({ depth: isDeep ? 'ushort' : 'uchar' })
    .toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  const all: Samples = isDeep ? new Uint16Array(data.buffer, data.byteOffset, data.length / 2) : data;
  const samples = channels === kept ? all : firstChannels(all, channels, kept);
  change?.(samples, kept);
  return sharp(samples, { raw: { width, height, channels: kept as 1 | 2 | 3 | 4 } });
}

function firstChannels(samples: Samples, channels: number, kept: number): Samples {
  const pixels = samples.length / channels;
  const result = samples instanceof Uint16Array ? new Uint16Array(pixels * kept) : new Uint8Array(pixels * kept);
  for (let pixel = 0, to = 0; pixel < pixels; pixel++) {
    for (let channel = 0; channel < kept; channel++) result[to++] = samples[pixel * channels + channel] ?? 0;
  }
  return result;
}
