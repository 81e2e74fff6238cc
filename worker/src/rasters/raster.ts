import sharp from 'sharp';

/** Interleaved 8-bit RGB, row by row without padding. */
export interface Raster {
  width: number;
  height: number;
  data: Uint8Array;
}

/** Pixels from the top left corner. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export function createRaster(width: number, height: number): Raster {
  return { width, height, data: new Uint8Array(width * height * 3) };
}

/** The box must consist of whole pixels inside the picture. */
export function crop(raster: Raster, box: Box): Raster {
  const out = createRaster(box.width, box.height);
  const rowBytes = box.width * 3;
  for (let row = 0; row < box.height; row++) {
    const start = ((box.y + row) * raster.width + box.x) * 3;
    out.data.set(raster.data.subarray(start, start + rowBytes), row * rowBytes);
  }
  return out;
}

/** Writes a part, which lies inside the picture. */
export function paste(picture: Raster, part: Raster, { x, y }: Pick<Box, 'x' | 'y'>): void {
  const rowBytes = part.width * 3;
  for (let row = 0; row < part.height; row++) {
    const source = part.data.subarray(row * rowBytes, (row + 1) * rowBytes);
    picture.data.set(source, ((y + row) * picture.width + x) * 3);
  }
}

/** Gaussian; sigma in pixels. */
export async function blur(raster: Raster, sigma: number): Promise<Raster> {
  const { width, height } = raster;
  const data = await sharp(raster.data, { raw: { width, height, channels: 3 } })
    .blur(Math.max(0.3, sigma))
    .raw()
    .toBuffer();
  return { width, height, data };
}

/** Largest box of whole pixels inside the given one and the picture. */
export function clampBox(box: Box, width: number, height: number): Box {
  const left = Math.max(0, Math.min(width - 1, Math.round(box.x)));
  const top = Math.max(0, Math.min(height - 1, Math.round(box.y)));
  const right = Math.max(left + 1, Math.min(width, Math.round(box.x + box.width)));
  const bottom = Math.max(top + 1, Math.min(height, Math.round(box.y + box.height)));
  return { x: left, y: top, width: right - left, height: bottom - top };
}

export function scaleBox({ x, y, width, height }: Box, scale: number): Box {
  return { x: x * scale, y: y * scale, width: width * scale, height: height * scale };
}

/** 0..255 (ITU-R BT.601). */
export function luma(raster: Raster): Float32Array {
  const { data } = raster;
  const out = new Float32Array(raster.width * raster.height);
  for (let pixel = 0, offset = 0; pixel < out.length; pixel++, offset += 3) {
    out[pixel] = 0.299 * (data[offset] ?? 0) + 0.587 * (data[offset + 1] ?? 0) + 0.114 * (data[offset + 2] ?? 0);
  }
  return out;
}

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
