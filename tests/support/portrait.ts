import { fileURLToPath } from 'node:url';
import sharp from 'sharp';

/** NASA's portrait of Eileen Collins, public domain; the license note is beside the file. */
const ASTRONAUT = fileURLToPath(new URL('../../worker/test/fixtures/astronaut.jpg', import.meta.url));

/** Blurred and noisy; sides in pixels, square by default. Its lower part is cut off where it is wide. */
export async function blurredPortrait(width = 512, height = width): Promise<Buffer> {
  const small = await sharp(ASTRONAUT)
    .resize(Math.round(width / 4), Math.round(height / 4), { position: 'top' })
    .blur(0.8)
    .jpeg({ quality: 70 })
    .toBuffer();
  return sharp(small).resize(width, height, { fit: 'fill', kernel: 'cubic' }).jpeg({ quality: 90 }).toBuffer();
}

/** Keeps the worker busy for longer than a slow browser takes to show its progress and to cancel it. */
export const slowPortrait = () => blurredPortrait(4000);

/** Blurred and noisy; the face is large enough for the smallest pictures. Square, `width` in pixels. */
export async function blurredFace(width = 240): Promise<Buffer> {
  const { width: side = 0 } = await sharp(ASTRONAUT).metadata();
  const head = Math.round(side / 2);
  const small = await sharp(ASTRONAUT)
    .extract({ left: Math.round(side * 0.2), top: 0, width: head, height: head })
    .resize(Math.round(width / 3))
    .jpeg({ quality: 75 })
    .toBuffer();
  return sharp(small).resize(width, width, { kernel: 'cubic' }).jpeg({ quality: 90 }).toBuffer();
}

/** 12 megapixels (3000 × 4000) with a large, soft face, like a phone's in low light. */
export async function phonePortrait(): Promise<Buffer> {
  const { width = 0, height = 0 } = await sharp(ASTRONAUT).metadata();
  const side = Math.min(width, height);
  const crop = {
    left: Math.round(side * 0.2),
    top: 0,
    width: Math.round(side * 0.5),
    height: Math.round(side * 0.5 * (4 / 3)),
  };
  const small = await sharp(ASTRONAUT)
    .extract(crop)
    .resize(750, 1000, { fit: 'fill' })
    .jpeg({ quality: 75 })
    .toBuffer();
  return sharp(small).resize(3000, 4000, { fit: 'fill', kernel: 'cubic' }).jpeg({ quality: 90 }).toBuffer();
}

const DETAIL_SIDE = 1024;

/** A sharp picture, 4 : 3, around a face that is soft at its size. */
export async function faceInDetail(megapixels: number): Promise<Buffer> {
  const height = Math.round(Math.sqrt((megapixels * 1e6 * 3) / 4));
  const width = Math.floor((megapixels * 1e6) / height);
  let state = 1;
  const grain = Uint8Array.from({ length: DETAIL_SIDE * DETAIL_SIDE }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return 108 + (state >>> 24) / 6;
  });
  const raw = { width: DETAIL_SIDE, height: DETAIL_SIDE, channels: 1 } as const;
  const tile = await sharp(grain, { raw }).toColourspace('srgb').png().toBuffer();
  const side = Math.round(height / 4);
  const face = await sharp(await blurredFace())
    .resize(side, side, { kernel: 'cubic' })
    .toBuffer();
  return sharp({ create: { width, height, channels: 3, background: '#7a7f86' }, limitInputPixels: false })
    .composite([
      { input: tile, tile: true },
      { input: face, left: Math.round(width / 3), top: Math.round(height / 3) },
    ])
    .jpeg({ quality: 85 })
    .toBuffer();
}
