import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import type { Raster } from '../rasters/raster.js';

const QUALITY = 84;

/** @param isBrief shown for seconds only: a smaller file isn't worth the time */
export async function writeJpeg(
  folder: string,
  name: string,
  raster: Raster,
  maxSide: number,
  isBrief = false,
): Promise<void> {
  const { width, height, data } = raster;
  const bytes = await sharp(data, { raw: { width, height, channels: 3 } })
    .resize(maxSide, maxSide, { fit: 'inside', withoutEnlargement: true })
    .jpeg({ quality: QUALITY, mozjpeg: !isBrief })
    .toBuffer();
  await writeFile(join(folder, name), bytes);
}
