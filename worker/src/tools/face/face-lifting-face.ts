import type { Planes } from '../../rasters/raster.js';
import type { FaceRegions } from './face-regions.js';
import type { SkinBands } from './skin-smooth.js';
import type { SkinStatistics } from './skin-tone.js';

/**
 * Changes to a face on a grid that may be coarser than the picture, and the factor for detail finer than `low`, so that
 * pores are handled at full resolution.
 */
export interface Retouch extends Planes {
  low: Float32Array;
  /** -1 removes the finest detail, 0 keeps it. */
  fine: Float32Array;
}

export interface Face {
  planes: Planes;
  points: Float32Array;
  /** In grid pixels. */
  width: number;
  regions: FaceRegions;
  skin: Float32Array;
  statistics: SkinStatistics;
  /** 0 for a picture without color, else 1. */
  color: number;
  bands: SkinBands;
}

export function add(target: Float32Array, at: number, value: number): void {
  target[at] = (target[at] ?? 0) + value;
}
