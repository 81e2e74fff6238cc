import { readFile } from 'node:fs/promises';
import { IMAGE_LIMITS } from '@clearframe/contract/media';
import { pictureTypeOf } from '@clearframe/contract/signatures';
import sharp, { type Sharp, type SharpOptions } from 'sharp';
import { openCmyk } from '../cmyk.js';
import { InvalidImageError } from '../errors.js';
import { parseExif } from '../exif.js';
import { unsignLab } from '../lab.js';
import { READING } from '../libvips.js';
import { channelsOf, readSamples, type Samples } from '../picture.js';
import { openingByMagick } from './fallback.js';
import { colorPolicy, type ImageFormat, type OpenedImage, readHeader, sizeOf } from './format.js';
import { COMPRESSION, readTiffLayout, type TiffLayout } from './tiff-layout.js';

export const tiff: ImageFormat = {
  accepts: ['image/tiff'],
  probe: async ({ path }) => {
    const file = await readFile(path);
    // The directory of a raw photograph may be at the end of the file.
    if (!pictureTypeOf(file)) throw new InvalidImageError('uploads.unsupported_type');
    const layout = readTiffLayout(file);
    if (!layout || isUnreadable(layout)) throw new InvalidImageError('uploads.undecodable');
    const { isWhole } = layout;
    // A TIFF file is structured like an EXIF block, which libvips does not expose.
    const exif = parseExif(file);
    if (isRare(layout)) {
      const decoded = openingByMagick(file, 'TIFF');
      const open = async () => {
        const { image, icc } = await decoded();
        return { image: isReadInverted(layout) ? image.negate({ alpha: false }) : image, icc, exif };
      };
      return { ...uprightSizeOf(layout), isDeep: false, isWhole, open };
    }
    if (isLab(layout)) declareAsRgb(file, layout);
    const header = await readHeader(file, 'tiff').catch((error) => {
      // libtiff refuses the header of a very large picture.
      const isLarge = layout.width * layout.height > IMAGE_LIMITS.maxPixels;
      throw isLarge ? new InvalidImageError('uploads.too_many_pixels', { cause: error }) : error;
    });
    const size = sizeOf(header);
    const { icc, reading } = colorPolicy(header);
    const profile = { embedded: header.icc ?? null, isKept: icc !== null };
    const options = {
      isDeep: size.isDeep,
      reading: isLab(layout) ? { ...READING, ignoreIcc: true } : reading,
      icc: profile,
    };
    const open = async () => ({ ...(await openTiff(file, layout, options)), icc: isLab(layout) ? null : icc, exif });
    return { ...size, isWhole, open };
  },
};

/** First orientation that exchanges width and height. */
const FIRST_TURNED = 5;

const uprightSizeOf = ({ width, height, orientation }: TiffLayout) =>
  orientation < FIRST_TURNED ? { width, height } : { width: height, height: width };

/** What the build of libtiff in sharp reads; of the others libvips returns black tiles. */
const READ_COMPRESSIONS = new Set([
  1, 2, 3, 4, 5, 7, 8, 32_766, 32_771, 32_773, 32_809, 32_908, 32_909, 32_946, 34_676, 34_677, 50_001,
]);
/** Bits that libvips reads; fewer than 8 in pictures with one channel only. */
const COMMON_BITS = new Set([1, 2, 4, 8, 16, 32]);

/**
 * TIFF that libvips, or its build in sharp, does not read (rare compressions and depths, old-style JPEG, floats of 16 bits, some planes
 * apart) or misreads (integers of 32 bits, YCbCr that isn't JPEG).
 */
function isRare({
  bitsPerSample,
  samplesPerPixel,
  compression,
  photometric,
  isTiled,
  hasSeparatePlanes,
  isFloat,
}: TiffLayout): boolean {
  const isYCbCr = photometric === PHOTOMETRIC.yCbCr;
  const isSplit = hasSeparatePlanes && samplesPerPixel > 1;
  return (
    !READ_COMPRESSIONS.has(compression) ||
    !COMMON_BITS.has(bitsPerSample) ||
    (bitsPerSample < 8 && samplesPerPixel > 1) ||
    (bitsPerSample === 16 && isFloat) ||
    (bitsPerSample === 32 && !isFloat) ||
    (isYCbCr && compression !== COMPRESSION.jpeg) ||
    (isSplit && (isTiled || isYCbCr))
  );
}

/** Neither libvips nor ImageMagick: of more than 32 bits, which they scale by guesses, and gray apart from its other channels. */
const isUnreadable = ({ bitsPerSample, hasSeparatePlanes, samplesPerPixel, photometric }: TiffLayout): boolean =>
  bitsPerSample > 32 || (hasSeparatePlanes && samplesPerPixel > 1 && photometric <= PHOTOMETRIC.blackIsZero);

/** ImageMagick takes white for black in gray of rare depths that says white is 0. */
const isReadInverted = ({ photometric, compression }: TiffLayout): boolean =>
  photometric === PHOTOMETRIC.whiteIsZero && compression !== COMPRESSION.oldJpeg;

const PHOTOMETRIC = { whiteIsZero: 0, blackIsZero: 1, rgb: 2, separated: 5, yCbCr: 6, cieLab: 8, iccLab: 9 } as const;
const UNSPECIFIED = 0;

const isLab = ({ photometric, samplesPerPixel }: TiffLayout): boolean =>
  samplesPerPixel >= 3 && (photometric === PHOTOMETRIC.cieLab || photometric === PHOTOMETRIC.iccLab);

/** libvips reads only some Lab: declared as RGB, samples are returned unconverted. */
function declareAsRgb(file: Buffer, { photometricAt, order }: TiffLayout): void {
  file.set(order === 'little' ? [PHOTOMETRIC.rgb, 0] : [0, PHOTOMETRIC.rgb], photometricAt);
}

type Opened = Pick<OpenedImage, 'image' | 'isLab' | 'floats'>;

interface TiffReading {
  readonly isDeep: boolean;
  readonly reading: SharpOptions;
  readonly icc: { readonly embedded: Buffer | null; readonly isKept: boolean };
}

/** With workarounds for files that libvips misreads. */
async function openTiff(file: Buffer, layout: TiffLayout, { isDeep, reading, icc }: TiffReading): Promise<Opened> {
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
  const { samples: all, width, height, channels } = await readSamples(image.autoOrient(), isDeep);
  const samples = channelsOf(all, channels, kept);
  change?.(samples, kept);
  return sharp(samples, { raw: { width, height, channels: kept as 1 | 2 | 3 | 4 } });
}
