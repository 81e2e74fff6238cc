import type { Planes } from '../../../rasters/planes.js';
import type { FaceRegions } from '../regions/face-regions.js';
import type { SkinBands } from '../skin/skin-smooth.js';
import type { SkinStatistics } from '../skin/skin-tone.js';

/**
 * Changes to a face, on a grid that may be coarser than the picture: differences of luma and colour, and the factor by
 * which detail finer than `low` changes, so that pores are kept or softened at full resolution.
 */
export interface Retouch extends Planes {
  low: Float32Array;
  /** -1 removes the finest detail, 0 keeps it. */
  fine: Float32Array;
}

/** One face on its grid, with its measurements. */
export interface Face {
  planes: Planes;
  points: Float32Array;
  /** In pixels of the grid. */
  width: number;
  regions: FaceRegions;
  skin: Float32Array;
  statistics: SkinStatistics;
  /** 0 for a picture without colour, which gets none, else 1. */
  colour: number;
  bands: SkinBands;
}

export function add(target: Float32Array, at: number, value: number): void {
  target[at] = (target[at] ?? 0) + value;
}
