import { createHash } from 'node:crypto';
import sharp from 'sharp';
import type { RgbImage } from './rgb-image.ts';

/** Degradation of GFPGAN (Wang et al. 2021, equation 3): blur, downsample, noise, JPEG, upsample. */
export interface Degradation {
  /** Standard deviation of the Gaussian blur, in pixels. */
  readonly blur: number;
  /** Factor of downsampling and upsampling. */
  readonly factor: number;
  /** Standard deviation of Gaussian noise in 8-bit codes, at the small size. */
  readonly noise: number;
  /** JPEG quality at the small size. */
  readonly quality: number;
}

export const SEVERITIES = {
  mild: { blur: 1, factor: 2, noise: 3, quality: 85 },
  medium: { blur: 2.5, factor: 4, noise: 8, quality: 65 },
  heavy: { blur: 5, factor: 8, noise: 15, quality: 40 },
} as const satisfies Record<string, Degradation>;
export type Severity = keyof typeof SEVERITIES;

/** JPEG quality at full size: high enough to add no loss. */
const FINAL_QUALITY = 95;

/** Mulberry32: uniform numbers in [0, 1) by seed. */
function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function addNoise(codes: Buffer, deviation: number, seed: string): void {
  const random = seededRandom(Number.parseInt(createHash('sha256').update(seed).digest('hex').slice(0, 8), 16));
  for (let index = 0; index < codes.length; index++) {
    // Box-Muller.
    const radius = Math.sqrt(-2 * Math.log(Math.max(random(), 1e-12)));
    const normal = radius * Math.cos(2 * Math.PI * random());
    codes[index] = Math.min(255, Math.max(0, Math.round((codes[index] ?? 0) + normal * deviation)));
  }
}

/** Returns a JPEG of the photo's size, deterministic by name and severity. */
export async function degrade(photo: RgbImage, name: string, severity: Severity): Promise<Buffer> {
  const { blur, factor, noise, quality } = SEVERITIES[severity];
  const raw = { width: photo.width, height: photo.height, channels: 3 as const };
  const blurred = await sharp(photo.data, { raw }).blur(blur).png().toBuffer();
  const small = await sharp(blurred)
    .resize(Math.max(8, Math.round(photo.width / factor)), Math.max(8, Math.round(photo.height / factor)), {
      fit: 'fill',
      kernel: 'cubic',
    })
    .raw()
    .toBuffer({ resolveWithObject: true });
  addNoise(small.data, noise, `${name}|${severity}`);
  const { width, height, channels } = small.info;
  const compressed = await sharp(small.data, { raw: { width, height, channels } })
    .jpeg({ quality, chromaSubsampling: '4:2:0' })
    .toBuffer();
  return sharp(compressed)
    .resize(photo.width, photo.height, { fit: 'fill', kernel: 'cubic' })
    .jpeg({ quality: FINAL_QUALITY, chromaSubsampling: '4:4:4' })
    .toBuffer();
}
