import type { Raster } from '../../rasters/raster.js';
import { resize } from '../../rasters/resize.js';
import type { Assessment } from './denoise.js';

/** The networks enlarge four times: at this softness their outputs have the size of the region. */
const SOFTNESS = 4;
/** Longest side in pixels; smaller regions take little time. */
const MIN_SIDE = 1024;
/** Less is not worth resizing. */
const MIN_REDUCTION = 1.15;

export interface WorkingCopy {
  readonly region: Raster;
  readonly assessed: Assessment;
  /** Pixels of the region per pixel of the copy, at least 1. */
  readonly reduction: number;
}

/** Reduces a large region that is softer than the networks' outputs. */
export async function workingCopy(region: Raster, assessed: Assessment): Promise<WorkingCopy> {
  const { softness } = assessed.defects;
  const side = Math.max(region.width, region.height);
  const wanted = Math.min(softness / SOFTNESS, side / MIN_SIDE);
  if (wanted < MIN_REDUCTION) return { region, assessed, reduction: 1 };
  const [width, height] = [Math.round(region.width / wanted), Math.round(region.height / wanted)];
  // The sides differ by rounding only.
  const reduction = Math.sqrt((region.width * region.height) / (width * height));
  return {
    region: await resize(region, width, height, 'lanczos3'),
    assessed: { ...assessed, defects: { ...assessed.defects, softness: softness / reduction } },
    reduction,
  };
}
