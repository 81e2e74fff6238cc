import { DAMAGE_SHAPES, type MeasuredDamage } from '@clearframe/contract/pipeline';
import type { Raster } from '../../rasters/raster.js';
import { resize } from '../../rasters/resize.js';
import { findDamage } from './find-damage.js';

/** Longest side in pixels of the picture that is searched: fewer marks of reflections than at its own size, in half a second. */
const SIDE = 1200;
/** Share of the picture above what reflections and fine bright detail marked in 64 undamaged ones (docs/reference/restoring-photos.md). */
const LEAST = 0.007;
/** Of the marked pixels. */
const LEAST_SHARE = 0.1;

/** How much of a picture is damaged, roughly. */
export async function measureDamage(
  context: Parameters<typeof findDamage>[0],
  picture: Raster,
): Promise<MeasuredDamage> {
  const scale = SIDE / Math.max(picture.width, picture.height);
  const scaled = (side: number) => Math.max(1, Math.round(side * scale));
  const [width, height] = [scaled(picture.width), scaled(picture.height)];
  const { area, lines } = await findDamage(context, await resize(picture, width, height, 'cubic'));
  if (area < LEAST) return { area: 0, shapes: [] };
  const shares = { lines, spots: 1 - lines };
  return {
    area: Math.round(area * 10_000) / 10_000,
    shapes: DAMAGE_SHAPES.filter((shape) => shares[shape] >= LEAST_SHARE),
  };
}
