import type { Planes } from '../../../rasters/planes.js';
import type { FaceRegions } from '../regions/face-regions.js';
import type { SkinBands } from '../skin/skin-smooth.js';
import type { SkinStatistics } from '../skin/skin-tone.js';

/**
 * What is to be added to a face, on a grid of its own that may be coarser than the picture: differences of brightness
 * and colour, and the part by which whatever is finer than `low` changes, so that pores are kept or softened at
 * the picture's own resolution.
 */
export interface Retouch extends Planes {
  low: Float32Array;
  /** -1 takes the finest detail away, 0 leaves it. */
  fine: Float32Array;
}

/** One face on its grid, with what was found out about it. */
export interface Face {
  planes: Planes;
  points: Float32Array;
  /** In pixels of the grid. */
  width: number;
  regions: FaceRegions;
  skin: Float32Array;
  statistics: SkinStatistics;
  /** 0 where the picture has no colour and must get none, else 1. */
  colour: number;
  bands: SkinBands;
}

export function add(target: Float32Array, at: number, value: number): void {
  target[at] = (target[at] ?? 0) + value;
}
