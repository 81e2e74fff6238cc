import { type Bounds, heightOf, overlapOf, type Size, widthOf } from './place.ts';
import type { Pixels } from './png.ts';

/** Levels of a change map below which nothing is seen: an eighth of the 32 levels that are white. */
const LEAST_CHANGE = 32;

const gray = (width: number, height: number, data: Uint8Array): Pixels => ({ width, height, channels: 1, data });

/** The part of a selection in `bounds`, black outside of it. */
export function maskFromSelection(
  selection: { readonly bounds: Bounds; readonly mask: Pixels },
  bounds: Bounds,
): Pixels {
  const [width, height] = [widthOf(bounds), heightOf(bounds)];
  const data = new Uint8Array(width * height);
  const shared = overlapOf(selection.bounds, bounds);
  if (!shared) return gray(width, height, data);
  for (let y = shared.top; y < shared.bottom; y++) {
    const from = (y - selection.bounds.top) * selection.mask.width + shared.left - selection.bounds.left;
    const row = selection.mask.data.subarray(from, from + widthOf(shared));
    data.set(row, (y - bounds.top) * width + shared.left - bounds.left);
  }
  return gray(width, height, data);
}

/** White where the result differs visibly and around it, scaled to the layer: the map of a large result is smaller than it. */
export function maskFromChanges(map: Pixels, size: Size): Pixels {
  const { width, height } = size;
  const data = new Uint8Array(width * height);
  const [scaleX, scaleY] = [map.width / width, map.height / height];
  for (let y = 0; y < height; y++) {
    const row = Math.min(map.height - 1, Math.floor(y * scaleY)) * map.width;
    for (let x = 0; x < width; x++) {
      const level = map.data[(row + Math.min(map.width - 1, Math.floor(x * scaleX))) * map.channels] as number;
      data[y * width + x] = Math.min(255, level * (256 / LEAST_CHANGE));
    }
  }
  return gray(width, height, data);
}

/** Whether the mask hides nothing, so that the layer needs none. */
export const isFull = ({ data }: Pixels): boolean => data.every((level) => level === 255);
