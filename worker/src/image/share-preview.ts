import { SHARE_PREVIEW_SIZE } from '@clearframe/contract';
import sharp from 'sharp';
import type { EncodedImage } from './encode.js';
import { verifyEncoded } from './encode.js';
import { LIBVIPS_TIMEOUT_SECONDS, READING } from './libvips.js';

const { width: WIDTH, height: HEIGHT } = SHARE_PREVIEW_SIZE;
/** In pixels. */
const DIVIDER = 4;
const SIDE_WIDTH = (WIDTH - DIVIDER) / 2;
/** A complete picture takes about 120 kB. */
const QUALITY = 85;

/** The divider's knob of the product's viewer. */
const KNOB = Buffer.from(
  `<svg xmlns="http://www.w3.org/2000/svg" width="72" height="72" fill="none" stroke="#111827" stroke-width="4"
    stroke-linecap="round" stroke-linejoin="round"><circle cx="36" cy="36" r="34" fill="#fff" stroke="none"/>
    <path d="m24 28-8 8 8 8M48 28l8 8-8 8M16 36h40"/></svg>`,
);

/** A point in fractions of the picture. */
export interface Focus {
  readonly x: number;
  readonly y: number;
}

/**
 * Both sides of a picture next to each other, cropped around the same point. sRGB without metadata.
 * @param before path of a JPEG or WebP; `after` has the same shape
 */
export async function encodeSharePreview(before: string, after: string, focus: Focus): Promise<EncodedImage> {
  const [left, right] = await Promise.all([cropped(before, focus), cropped(after, focus)]);
  const bytes = await sharp({ create: { width: WIDTH, height: HEIGHT, channels: 3, background: '#fff' } })
    .composite([
      { input: left, left: 0, top: 0 },
      { input: right, left: SIDE_WIDTH + DIVIDER, top: 0 },
      { input: KNOB },
    ])
    .removeAlpha()
    .jpeg({ quality: QUALITY, progressive: true })
    .timeout({ seconds: LIBVIPS_TIMEOUT_SECONDS })
    .toBuffer();
  const size = { width: WIDTH, height: HEIGHT };
  await verifyEncoded(bytes, 'image/jpeg', size);
  return { bytes, contentType: 'image/jpeg', ...size };
}

/** The largest part of the shape of one side, with the focus as near to its center as possible. */
async function cropped(path: string, focus: Focus): Promise<Buffer> {
  const { width, height } = await sharp(path, READING).metadata();
  const scale = Math.max(SIDE_WIDTH / width, HEIGHT / height);
  const scaled = {
    width: Math.max(SIDE_WIDTH, Math.round(width * scale)),
    height: Math.max(HEIGHT, Math.round(height * scale)),
  };
  const startOf = (whole: number, part: number, at: number): number =>
    Math.round(Math.min(whole - part, Math.max(0, at * whole - part / 2)));
  return sharp(path, READING)
    .flatten({ background: '#fff' })
    .resize({ ...scaled, fit: 'fill' })
    .extract({
      left: startOf(scaled.width, SIDE_WIDTH, focus.x),
      top: startOf(scaled.height, HEIGHT, focus.y),
      width: SIDE_WIDTH,
      height: HEIGHT,
    })
    .toColourspace('srgb')
    .timeout({ seconds: LIBVIPS_TIMEOUT_SECONDS })
    .png({ compressionLevel: 0 })
    .toBuffer();
}
