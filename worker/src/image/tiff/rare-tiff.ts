import { type DecodedSamples, decodeInThread, threadUrl } from '../picture/decoder-thread.js';
import { COMPRESSION, type TiffLayout } from './layout/tiff-layout.js';

const THREAD = threadUrl(import.meta.url, 'tiff-thread');

/** Above 32 bits, ImageMagick scales floats and integers by guesses. */
const MAX_BITS = 32;
/** Bits that libvips reads; fewer than 8 in pictures with one channel only. */
const COMMON_BITS = new Set([1, 2, 4, 8, 16, 32]);
const WHITE_IS_ZERO = 0;
const YCBCR = 6;
const JPEG = 7;

/**
 * TIFF that libvips, or its build in sharp, does not read: 10, 12, 14 or 24 bits a sample, packed RGB, tiles of separate
 * planes, YCbCr in separate planes, old-style JPEG; or misreads: integers of 32 bits, YCbCr that isn't JPEG.
 */
export const isRareTiff = ({
  bitsPerSample,
  samplesPerPixel,
  compression,
  photometric,
  isTiled,
  hasSeparatePlanes,
  isFloat,
}: TiffLayout): boolean =>
  bitsPerSample <= MAX_BITS &&
  (!COMMON_BITS.has(bitsPerSample) ||
    (bitsPerSample < 8 && samplesPerPixel > 1) ||
    (bitsPerSample === MAX_BITS && !isFloat) ||
    (photometric === YCBCR && compression !== JPEG) ||
    (hasSeparatePlanes && samplesPerPixel > 1 && (isTiled || photometric === YCBCR)) ||
    compression === COMPRESSION.oldJpeg);

/** ImageMagick takes white for black in gray of rare depths that says white is 0. */
export const isReadInverted = ({ photometric, compression }: TiffLayout): boolean =>
  photometric === WHITE_IS_ZERO && compression !== COMPRESSION.oldJpeg;

/**
 * Samples of 8 bits in the file's own RGB; other colors become sRGB.
 * @throws InvalidImageError for a picture that is damaged or takes too long
 */
export const decodeRareTiff = (file: Uint8Array, signal: AbortSignal): Promise<DecodedSamples> =>
  decodeInThread(THREAD, file, signal);
