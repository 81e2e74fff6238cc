import sharp from 'sharp';
import type { Raster } from './raster.js';
import { upscale } from './resampling/upscale.js';

export type ResizeKernel = 'cubic' | 'lanczos3' | 'linear';

/** The kernel applies to reductions, which average over all source pixels. */
export async function resize(raster: Raster, width: number, height: number, kernel: ResizeKernel): Promise<Raster> {
  if (raster.width === width && raster.height === height) return raster;
  if (width >= raster.width && height >= raster.height) return { width, height, data: upscale(raster, width, height) };
  const { data } = await sharp(raster.data, { raw: { width: raster.width, height: raster.height, channels: 3 } })
    .resize(width, height, { fit: 'fill', kernel })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width, height, data };
}
