import { readFile } from 'node:fs/promises';
import sharp, { type SharpOptions } from 'sharp';
import { type Exif, parseExif } from '../metadata/exif.js';
import { usableRgbProfile } from '../metadata/icc.js';
import { type DecodedSamples, decodeInThread, threadUrl } from '../picture/decoder-thread.js';
import { READING } from '../picture/libvips.js';
import type { OpenedImage } from '../picture/opened.js';
import { openPsd } from '../psd/open-psd.js';
import { isLab, openTiff } from '../tiff/open-tiff.js';
import { decodeRareTiff, isReadInverted } from '../tiff/rare-tiff.js';
import type { ProbedImage } from './probe.js';

const HEIC_THREAD = threadUrl(import.meta.url, '../heif/heic-thread');
/** JPEG that libjpeg does not read. */
const JPEG_THREADS = {
  'lossless-jpeg': threadUrl(import.meta.url, '../jpeg/lossless-jpeg-thread'),
  'deep-jpeg': threadUrl(import.meta.url, '../jpeg/deep-jpeg-thread'),
} as const;

/** @throws InvalidImageError for a picture that is damaged or takes too long */
export async function openImage(probed: ProbedImage, signal: AbortSignal): Promise<OpenedImage> {
  if (probed.decoder === 'psd') return openPsd(await readFile(probed.path), signal);
  const { icc, reading } = colorPolicy(probed.color, probed.embedded?.icc);
  const { source, tiff, isDeep } = probed;
  if (probed.decoder === 'heic') {
    const image = imageOf(await decodeInThread(HEIC_THREAD, probed.path, signal));
    return { image, icc, exif: exifOf(probed.embedded?.exif) };
  }
  if (probed.decoder === 'lossless-jpeg' || probed.decoder === 'deep-jpeg') {
    const samples = await decodeInThread(JPEG_THREADS[probed.decoder], probed.path, signal);
    return { image: imageOf(samples), icc: null, exif: null };
  }
  if (probed.decoder === 'rare-tiff' && typeof source !== 'string') {
    const decoded = await decodeRareTiff(source, signal);
    const icc = usableRgbProfile(decoded.icc && Buffer.from(decoded.icc));
    const image = imageOf(decoded);
    return { image: tiff && isReadInverted(tiff) ? image.negate({ alpha: false }) : image, icc, exif: exifOf(source) };
  }
  if (!tiff || typeof source === 'string') {
    return { image: sharp(source, reading), icc, exif: exifOf(probed.embedded?.exif) };
  }
  // A TIFF file is structured like an EXIF block, which libvips does not expose.
  const exif = exifOf(source);
  const profile = { embedded: probed.embedded?.icc ?? null, isKept: icc !== null };
  if (isLab(tiff)) {
    const options = { isDeep, reading: { ...READING, ignoreIcc: true }, icc: profile };
    return { ...(await openTiff(source, tiff, options)), icc: null, exif };
  }
  return { ...(await openTiff(source, tiff, { isDeep, reading, icc: profile })), icc, exif };
}

const imageOf = ({ width, height, samples }: DecodedSamples) => sharp(samples, { raw: { width, height, channels: 4 } });

const exifOf = (block: Buffer | undefined): Exif | null => (block ? parseExif(block) : null);

/** RGB keeps its profile for the result; everything else is converted to sRGB. */
export function colorPolicy(
  color: ProbedImage['color'],
  profile: Buffer | undefined,
): { icc: Buffer | null; reading: SharpOptions } {
  const icc = color === 'rgb' ? usableRgbProfile(profile) : null;
  // An unusable profile would be tried, and turns floats black.
  return { icc, reading: { ...READING, ignoreIcc: color === 'rgb' } };
}
