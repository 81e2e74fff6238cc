import { createRaster, type Raster } from './raster.js';

/** Luma (0..255) and two color differences (about -128..127). */
export interface Planes {
  width: number;
  height: number;
  luma: Float32Array;
  blueDifference: Float32Array;
  redDifference: Float32Array;
}

/** ITU-R BT.601. */
export const RED = 0.299;
export const BLUE = 0.114;
export const GREEN = 1 - RED - BLUE;
const BLUE_SCALE = 0.564;
const RED_SCALE = 0.713;

export function toPlanes({ width, height, data }: Raster): Planes {
  const size = width * height;
  const luma = new Float32Array(size);
  const blueDifference = new Float32Array(size);
  const redDifference = new Float32Array(size);
  for (let pixel = 0, at = 0; pixel < size; pixel++, at += 3) {
    const red = data[at] ?? 0;
    const blue = data[at + 2] ?? 0;
    const bright = RED * red + GREEN * (data[at + 1] ?? 0) + BLUE * blue;
    luma[pixel] = bright;
    blueDifference[pixel] = (blue - bright) * BLUE_SCALE;
    redDifference[pixel] = (red - bright) * RED_SCALE;
  }
  return { width, height, luma, blueDifference, redDifference };
}

export function fromPlanes({ width, height, luma, blueDifference, redDifference }: Planes): Raster {
  const raster = createRaster(width, height);
  // A clamped array rounds and clamps on assignment.
  const data = new Uint8ClampedArray(raster.data.buffer);
  for (let pixel = 0, at = 0; pixel < luma.length; pixel++, at += 3) {
    const bright = luma[pixel] ?? 0;
    const red = bright + (redDifference[pixel] ?? 0) / RED_SCALE;
    const blue = bright + (blueDifference[pixel] ?? 0) / BLUE_SCALE;
    data[at] = red;
    data[at + 1] = (bright - RED * red - BLUE * blue) / GREEN;
    data[at + 2] = blue;
  }
  return raster;
}
