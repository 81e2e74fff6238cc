import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import type { Raster } from '../../rasters/raster.js';

const QUALITY = 84;

export async function writeJpeg(folder: string, name: string, raster: Raster, maxSide: number): Promise<void> {
  const { width, height, data } = raster;
  const bytes = await sharp(data, { raw: { width, height, channels: 3 } })
    .resize(maxSide, maxSide, { fit: 'inside', withoutEnlargement: true })
    .jpeg({ quality: QUALITY, mozjpeg: true })
    .toBuffer();
  await writeFile(join(folder, name), bytes);
}
