import { type Box, clampBox, type Raster } from '../../rasters/raster.js';

/** Mean absolute difference in levels of 255 up to which a change is invisible. */
const INVISIBLE_LEVELS = 2;
/** Pixels. */
const BLOCK_SIDE = 64;

/** Whether the samples of a box differ visibly in two pictures of the same size. */
export function isVisibleIn(box: Box, before: Raster, after: Raster): boolean {
  const { x, y, width, height } = clampBox(box, before.width, before.height);
  let sum = 0;
  for (let row = y; row < y + height; row++) {
    const start = 3 * (row * before.width + x);
    for (let at = start; at < start + 3 * width; at++) {
      sum += Math.abs((before.data[at] as number) - (after.data[at] as number));
    }
  }
  return sum > INVISIBLE_LEVELS * 3 * width * height;
}

/** Whether some block differs visibly. Ends at the first: a whole picture of 4 megapixels takes about 10 ms, and no memory. */
export function isVisible(before: Raster, after: Raster): boolean {
  for (let y = 0; y < before.height; y += BLOCK_SIDE) {
    for (let x = 0; x < before.width; x += BLOCK_SIDE) {
      const block = {
        x,
        y,
        width: Math.min(BLOCK_SIDE, before.width - x),
        height: Math.min(BLOCK_SIDE, before.height - y),
      };
      if (isVisibleIn(block, before, after)) return true;
    }
  }
  return false;
}
