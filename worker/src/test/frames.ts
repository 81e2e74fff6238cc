import { createRaster, type Raster } from '../rasters/raster.js';
import { type Frame, frameBytes } from '../video/frames/frame.js';

/** A frame of a picture with even sides, in BT.601. */
export function frameOf({ width, height, data }: Raster, time = 0): Frame {
  const bytes = new Uint8ClampedArray(frameBytes(width, height));
  const blueAt = width * height;
  const redAt = blueAt + blueAt / 4;
  const at = (x: number, y: number, channel: number) => data[(y * width + x) * 3 + channel] ?? 0;
  const lumaAt = (x: number, y: number) => 0.299 * at(x, y, 0) + 0.587 * at(x, y, 1) + 0.114 * at(x, y, 2);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const light = lumaAt(x, y);
      bytes[y * width + x] = 16 + (light * 219) / 255;
      if (x % 2 === 1 || y % 2 === 1) continue;
      const color = (y / 2) * (width / 2) + x / 2;
      bytes[blueAt + color] = 128 + ((at(x, y, 2) - light) / 1.772 / 255) * 224;
      bytes[redAt + color] = 128 + ((at(x, y, 0) - light) / 1.402 / 255) * 224;
    }
  }
  return { width, height, data: new Uint8Array(bytes.buffer), time };
}

/** The same picture within a larger, gray one. */
export function placed(picture: Raster, width: number, height: number, left: number, top: number): Raster {
  const out = createRaster(width, height);
  out.data.fill(128);
  for (let y = 0; y < picture.height; y++) {
    const row = picture.data.subarray(y * picture.width * 3, (y + 1) * picture.width * 3);
    out.data.set(row, ((top + y) * width + left) * 3);
  }
  return out;
}
