import { readFile } from 'node:fs/promises';
import sharp, { type Sharp, type SharpOptions } from 'sharp';
import { InvalidImageError } from '../errors.js';
import { LIBVIPS_TIMEOUT_SECONDS, READING } from '../libvips.js';
import { type Exif, parseExif } from '../metadata/exif.js';
import { usableRgbProfile } from '../metadata/icc.js';
import { type Picture, type Samples, splitAlpha } from '../picture.js';
import type { ImageFacts } from '../probe.js';
import { decodeHeic } from './heic.js';
import type { OpenedImage } from './opened.js';
import { openPsd } from './psd-open.js';

export interface DecodeOptions {
  /** Larger pictures are scaled down to fit this many pixels on the long side. */
  readonly maxSide: number;
  /** Keep 16 bits a sample where the file has them; else the picture has 8. */
  readonly keepDepth: boolean;
  readonly signal: AbortSignal;
}

/**
 * Decodes a probed file: upright, at most `maxSide`, RGB in its own colour space (CMYK and everything else that is not
 * RGB becomes sRGB), transparency beside it.
 * @throws InvalidImageError where the file turns out to be damaged
 */
export async function decodePicture(facts: ImageFacts, options: DecodeOptions): Promise<Picture> {
  try {
    const opened = await open(facts, options);
    const picture = await readSamples(opened, facts, options).catch(async (error) => {
      if (facts.contentType !== 'image/jpeg') throw error;
      return readSamples({ ...opened, image: await openJpegWithoutEnd(facts, error) }, facts, options);
    });
    if (opened.isMattedWithWhite && picture.alpha) removeWhiteMatte(picture.rgb, picture.alpha);
    return { ...picture, metadata: { icc: opened.icc, exif: opened.exif } };
  } catch (cause) {
    options.signal.throwIfAborted();
    if (cause instanceof InvalidImageError) throw cause;
    throw new InvalidImageError('uploads.undecodable', { cause });
  }
}

async function open(facts: ImageFacts, { signal }: DecodeOptions): Promise<OpenedImage> {
  if (facts.decoder === 'psd') return openPsd(await readFile(facts.path));
  const { icc, reading } = colourPolicy(facts.colour, facts.embedded?.icc);
  if (facts.decoder === 'heic') {
    const { width, height, samples } = await decodeHeic(facts.path, signal);
    return { image: sharp(samples, { raw: { width, height, channels: 4 } }), icc, exif: exifOf(facts.embedded?.exif) };
  }
  // A TIFF file is itself the structure that an EXIF block imitates; libvips does not hand it out.
  const block = facts.contentType === 'image/tiff' ? await readFile(facts.path) : facts.embedded?.exif;
  return { image: sharp(facts.path, reading), icc, exif: exifOf(block) };
}

const exifOf = (block: Buffer | undefined): Exif | null => (block ? parseExif(block) : null);

/**
 * RGB with a profile is left in its own colour space, and the profile is attached to the result again; anything else is
 * converted to sRGB by the profile it came with.
 */
export function colourPolicy(
  colour: ImageFacts['colour'],
  profile: Buffer | undefined,
): { icc: Buffer | null; reading: SharpOptions } {
  const icc = colour === 'rgb' ? usableRgbProfile(profile) : null;
  return { icc, reading: { ...READING, ignoreIcc: icc !== null } };
}

async function readSamples(
  { image }: OpenedImage,
  facts: ImageFacts,
  { maxSide, keepDepth }: DecodeOptions,
): Promise<Omit<Picture, 'metadata'>> {
  const deep = facts.isDeep && keepDepth;
  const { data, info } = await image
    .autoOrient()
    .resize({ width: maxSide, height: maxSide, fit: 'inside', withoutEnlargement: true })
    .toColourspace(deep ? 'rgb16' : 'srgb')
    .timeout({ seconds: LIBVIPS_TIMEOUT_SECONDS })
    .raw({ depth: deep ? 'ushort' : 'uchar' })
    .toBuffer({ resolveWithObject: true });
  const samples: Samples = deep ? new Uint16Array(data.buffer, data.byteOffset, data.length / 2) : data;
  return { width: info.width, height: info.height, ...splitAlpha(samples, info.channels) };
}

/**
 * A JPEG that lacks nothing but its end marker is whole. With the marker put back it decodes without a single warning,
 * which a file that was cut never does.
 * @throws `original` where the marker is there: something else was wrong
 */
async function openJpegWithoutEnd(facts: ImageFacts, original: unknown): Promise<Sharp> {
  const bytes = await readFile(facts.path);
  if (bytes.includes(Buffer.from([0xff, 0xd9]), Math.max(0, bytes.length - 1024))) throw original;
  const { reading } = colourPolicy(facts.colour, facts.embedded?.icc);
  return sharp(Buffer.concat([bytes, Buffer.from([0xff, 0xd9])]), { ...reading, failOn: 'warning' });
}

/** Undoes the mixing with white that Photoshop does where its merged picture is transparent. */
function removeWhiteMatte(rgb: Samples, alpha: Samples): void {
  const white = rgb instanceof Uint16Array ? 0xffff : 0xff;
  for (let pixel = 0; pixel < alpha.length; pixel++) {
    const opacity = (alpha[pixel] ?? white) / white;
    if (opacity === 0 || opacity === 1) continue;
    for (let at = pixel * 3; at < pixel * 3 + 3; at++) {
      const mixed = rgb[at] ?? 0;
      rgb[at] = Math.min(white, Math.max(0, Math.round((mixed - white * (1 - opacity)) / opacity)));
    }
  }
}
