import sharp, { type Sharp, type SharpOptions } from 'sharp';
import { openCmyk } from '../picture/cmyk.js';
import { unsignLab } from '../picture/lab.js';
import { LIBVIPS_TIMEOUT_SECONDS } from '../picture/libvips.js';
import type { OpenedImage } from '../picture/opened.js';
import type { Samples } from '../picture/picture.js';
import type { TiffLayout } from './layout/tiff-layout.js';

const PHOTOMETRIC = { whiteIsZero: 0, blackIsZero: 1, rgb: 2, separated: 5, cieLab: 8, iccLab: 9 } as const;
const UNSPECIFIED = 0;

export const isLab = ({ photometric, samplesPerPixel }: TiffLayout): boolean =>
  samplesPerPixel >= 3 && (photometric === PHOTOMETRIC.cieLab || photometric === PHOTOMETRIC.iccLab);

/** libvips reads only some Lab: declared as RGB, samples are returned unconverted. */
export function declareAsRgb(file: Buffer, { photometricAt, order }: TiffLayout): void {
  if (order === 'little') file.writeUInt16LE(PHOTOMETRIC.rgb, photometricAt);
  else file.writeUInt16BE(PHOTOMETRIC.rgb, photometricAt);
}

type Opened = Pick<OpenedImage, 'image' | 'isLab' | 'floats'>;

interface TiffReading {
  readonly isDeep: boolean;
  readonly reading: SharpOptions;
  readonly icc: { readonly embedded: Buffer | null; readonly isKept: boolean };
}

/** Opens a TIFF, with workarounds for files that libvips misreads. */
export async function openTiff(
  file: Buffer,
  layout: TiffLayout,
  { isDeep, reading, icc }: TiffReading,
): Promise<Opened> {
  const image = sharp(file, reading);
  const { photometric, samplesPerPixel, extraSamples, isFloat } = layout;
  const hasAlpha = (extraSamples[0] ?? UNSPECIFIED) !== UNSPECIFIED;
  if (isLab(layout)) {
    const change = photometric === PHOTOMETRIC.iccLab ? undefined : unsignLab;
    return { image: await rewritten(image, isDeep, hasAlpha ? 4 : 3, change), isLab: true };
  }
  if (isFloat && (isGray(layout) || photometric === PHOTOMETRIC.rgb)) {
    const isLinear = !icc.isKept && !layout.hasDeclaredRange;
    return { image, floats: { colors: isGray(layout) ? 1 : 3, isLinear, hasAlpha } };
  }
  if (photometric === PHOTOMETRIC.separated && samplesPerPixel > 4) {
    const source = sharp(file, { ...reading, ignoreIcc: true });
    return { image: await openCmyk(source, isDeep, { isInverted: false, hasAlpha, icc: icc.embedded }) };
  }
  const colors = isGray(layout) ? 1 : 3;
  const isPlain = samplesPerPixel === colors || (samplesPerPixel === colors + 1 && extraSamples[0] !== UNSPECIFIED);
  if (isFloat || isPlain || (colors === 3 && photometric !== PHOTOMETRIC.rgb)) return { image };
  // Other extra channels: saved selections, masks, depth.
  return { image: await rewritten(image, isDeep, hasAlpha ? colors + 1 : colors) };
}

const isGray = ({ photometric }: TiffLayout): boolean =>
  photometric === PHOTOMETRIC.whiteIsZero || photometric === PHOTOMETRIC.blackIsZero;

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
