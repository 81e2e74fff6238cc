import { type Bounds, heightOf, widthOf } from './place.ts';
import { emptyLike, type Pixels, type Samples } from './png.ts';

/** A part of a picture that is enhanced by itself. */
export interface Tile {
  /** What is read and sent: with the overlap. */
  readonly source: Bounds;
  /** What is kept of the result. The cores of all tiles cover the picture, and overlap where they blend. */
  readonly core: Bounds;
}

/** Pixels over which two neighbours fade into each other. */
const BLEND = 32;

/**
 * Covers `bounds` by tiles with at most `side` pixels on a side, each with `overlap` pixels of its neighbours, which the networks need
 * to know what is beside it.
 */
export function tilesOf(bounds: Bounds, side: number, overlap: number): Tile[] {
  const columns = cutsOf(bounds.left, bounds.right, side, overlap);
  return cutsOf(bounds.top, bounds.bottom, side, overlap).flatMap((row) =>
    columns.map((column) => ({
      source: { left: column.from, top: row.from, right: column.to, bottom: row.to },
      core: { left: column.coreFrom, top: row.coreFrom, right: column.coreTo, bottom: row.coreTo },
    })),
  );
}

function cutsOf(start: number, end: number, side: number, overlap: number) {
  const length = end - start;
  const count = length <= side ? 1 : Math.ceil(length / (side - 2 * overlap));
  return Array.from({ length: count }, (_, index) => {
    const from = start + Math.round((length * index) / count);
    const to = start + Math.round((length * (index + 1)) / count);
    return {
      from: Math.max(start, from - overlap),
      to: Math.min(end, to + overlap),
      coreFrom: Math.max(start, from - BLEND / 2),
      coreTo: Math.min(end, to + BLEND / 2),
    };
  });
}

/** What is kept of a tile's result. @throws RangeError for another size than the tile's */
export function coreOf({ source, core }: Tile, { width, height, channels, data }: Pixels): Pixels {
  if (width !== widthOf(source) || height !== heightOf(source)) throw new RangeError('the result has another size');
  const [coreWidth, coreHeight] = [widthOf(core), heightOf(core)];
  const kept = emptyLike(data, coreWidth * coreHeight * channels);
  for (let y = 0; y < coreHeight; y++) {
    const from = ((y + core.top - source.top) * width + core.left - source.left) * channels;
    kept.set(data.subarray(from, from + coreWidth * channels), y * coreWidth * channels);
  }
  return { width: coreWidth, height: coreHeight, channels, data: kept };
}

/**
 * Fades a core into what lies under it where it overlaps the cores before it: those to the left and above.
 * @param rowUnder a row of the picture so far, at the place of the core
 */
export function blendCore(
  { width, height, channels, data }: Pixels,
  rowUnder: (y: number) => Samples,
  { left, top }: { left: boolean; top: boolean },
): void {
  for (let y = 0; y < height; y++) {
    const under = rowUnder(y);
    const start = y * width * channels;
    const row = top ? Math.min(1, (y + 0.5) / BLEND) : 1;
    // Behind the overlap nothing is blended.
    const last = row < 1 ? width : left ? Math.min(width, BLEND) : 0;
    for (let x = 0; x < last; x++) {
      const share = row * (left ? Math.min(1, (x + 0.5) / BLEND) : 1);
      for (let at = x * channels, to = at + channels; at < to; at++)
        data[start + at] = Math.round((data[start + at] as number) * share + (under[at] as number) * (1 - share));
    }
  }
}
