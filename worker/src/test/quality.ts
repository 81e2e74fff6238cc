import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { blur, crop, luma, type Raster } from '../rasters/raster.js';
import { resize } from '../rasters/resize.js';

/** Applied in this order. */
export interface Degradation {
  /** Standard deviation of a Gaussian, in pixels. */
  blur?: number;
  /** Factor of the reduction, which is enlarged again at the end. */
  reduction?: number;
  /** Standard deviation of noise in levels, at the reduced size. */
  noise?: number;
  /** Quality of a JPEG at the reduced size. */
  jpeg?: number;
}

/** The astronaut's head and shoulders, 300 x 300. */
export async function portrait(): Promise<Raster> {
  return crop(await fixture('astronaut.jpg'), { x: 80, y: 0, width: 300, height: 300 });
}

/** The astronaut to the waist, 480 x 480. */
export async function halfLength(): Promise<Raster> {
  return crop(await fixture('astronaut.jpg'), { x: 16, y: 0, width: 480, height: 480 });
}

/** Chelsea the cat, 451 x 300: fur, whiskers, no people. */
export function cat(): Promise<Raster> {
  return fixture('chelsea.jpg');
}

/** A white page of dark and blue letters made of bars and stems of one pixel, 320 x 240. */
export function page(): Raster {
  const raster = { width: 320, height: 240, data: new Uint8Array(320 * 240 * 3).fill(255) };
  const strokes = [
    [0, 0, 1, 8],
    [4, 0, 1, 8],
    [0, 0, 5, 1],
    [0, 4, 5, 1],
    [0, 7, 5, 1],
  ] as const;
  for (let letter = 0; letter < 20 * 50; letter++) {
    const [column, row] = [letter % 50, Math.floor(letter / 50)];
    for (const [index, [left, top, width, height]] of strokes.entries()) {
      // Another three or so of the strokes in each letter.
      if ((letter * 7 + index * 5 + (letter >> 2)) % 8 < 3) continue;
      for (let y = top; y < top + height; y++) {
        const first = ((4 + row * 12 + y) * raster.width + 8 + column * 6 + left) * 3;
        for (let at = first; at < first + 3 * width; at += 3)
          raster.data.set(row % 2 === 0 ? [20, 20, 30] : [30, 80, 160], at);
      }
    }
  }
  return raster;
}

async function fixture(name: string): Promise<Raster> {
  const file = fileURLToPath(new URL(`../../test/fixtures/${name}`, import.meta.url));
  const { data, info } = await sharp(file).raw().toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data };
}

/** Deterministic. */
export async function degrade(picture: Raster, degradation: Degradation): Promise<Raster> {
  const factor = degradation.reduction ?? 1;
  const soft = degradation.blur ? await blur(picture, degradation.blur) : picture;
  const small = await resize(soft, Math.round(picture.width / factor), Math.round(picture.height / factor), 'cubic');
  const noisy = { ...small, data: degradation.noise ? withNoise(small.data, degradation.noise) : small.data };
  const compressed = degradation.jpeg ? await throughJpeg(noisy, degradation.jpeg) : noisy;
  return await resize(compressed, picture.width, picture.height, 'cubic');
}

/** Box-Muller with a fixed seed. */
function withNoise(data: Uint8Array, deviation: number): Uint8Array {
  let state = 1;
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state + 0.5) / 2 ** 32;
  };
  const noisy = Uint8ClampedArray.from(data, (value) => {
    return value + deviation * Math.sqrt(-2 * Math.log(random())) * Math.cos(2 * Math.PI * random());
  });
  return new Uint8Array(noisy.buffer);
}

async function throughJpeg({ width, height, data }: Raster, quality: number): Promise<Raster> {
  const jpeg = await sharp(data, { raw: { width, height, channels: 3 } })
    .jpeg({ quality })
    .toBuffer();
  return { width, height, data: await sharp(jpeg).raw().toBuffer() };
}

/** Root mean square difference of luma, in levels. */
export function difference(a: Raster, b: Raster): number {
  const [left, right] = [luma(a), luma(b)];
  return Math.sqrt(left.reduce((sum, value, at) => sum + (value - (right[at] ?? 0)) ** 2, 0) / left.length);
}

/** Mean structural similarity of luma over 8 x 8 pixels, with the usual constants. */
export function similarity(a: Raster, b: Raster): number {
  const [left, right] = [luma(a), luma(b)];
  let total = 0;
  let count = 0;
  for (let y = 0; y + 8 <= a.height; y += 4) {
    for (let x = 0; x + 8 <= a.width; x += 4, count++) {
      const sums = { l: 0, r: 0, ll: 0, rr: 0, lr: 0 };
      for (let at = 0; at < 64; at++) {
        const index = (y + (at >> 3)) * a.width + x + (at & 7);
        const [l, r] = [left[index] ?? 0, right[index] ?? 0];
        sums.l += l / 64;
        sums.r += r / 64;
        sums.ll += (l * l) / 64;
        sums.rr += (r * r) / 64;
        sums.lr += (l * r) / 64;
      }
      const variances = sums.ll - sums.l ** 2 + sums.rr - sums.r ** 2;
      const structure = (2 * (sums.lr - sums.l * sums.r) + 58.5) / (variances + 58.5);
      total += (structure * (2 * sums.l * sums.r + 6.5)) / (sums.l ** 2 + sums.r ** 2 + 6.5);
    }
  }
  return total / count;
}
