import sharp from 'sharp';
import { type Box, crop, type Raster } from './raster.js';
import { upscale } from './upscale.js';

export type ResizeKernel = 'cubic' | 'lanczos3' | 'linear';

/** The kernel applies to reductions, which average over all source pixels. */
export async function resize(raster: Raster, width: number, height: number, kernel: ResizeKernel): Promise<Raster> {
  if (raster.width === width && raster.height === height) return raster;
  if (width >= raster.width && height >= raster.height) return { width, height, data: upscale(raster, width, height) };
  return reduce(raster, width, height, kernel);
}

/** The same for a part of a picture, without a copy of it where it is reduced. */
export function resizePart(
  raster: Raster,
  at: Box,
  width: number,
  height: number,
  kernel: ResizeKernel,
): Promise<Raster> {
  if (at.width <= width || at.height <= height) return resize(crop(raster, at), width, height, kernel);
  return reduce(raster, width, height, kernel, at);
}

async function reduce(
  raster: Raster,
  width: number,
  height: number,
  kernel: ResizeKernel,
  at: Box = { x: 0, y: 0, width: raster.width, height: raster.height },
): Promise<Raster> {
  const { data } = await sharp(raster.data, { raw: { width: raster.width, height: raster.height, channels: 3 } })
    .extract({ left: at.x, top: at.y, width: at.width, height: at.height })
    .resize(width, height, { fit: 'fill', kernel })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width, height, data };
}
