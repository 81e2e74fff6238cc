import { type Box, crop, type Raster } from '../../../rasters/raster.js';
import { sampleWindow } from '../../../rasters/resampling/window.js';
import type { PipelineContext } from '../../context/context.js';
import { smallReduction } from '../../restoration/ensemble.js';

/** The background result also serves a face whose reduction differs by less than this factor. */
const REUSE_RATIO = 1.5;

/** The background step's result at the size of the face's copy, if its reduction suits this face. */
export function backgroundResult(
  { cleaned, original }: PipelineContext,
  at: Box,
  softness: number,
  { width, height }: Raster,
): Raster | undefined {
  if (!cleaned) return undefined;
  const ratio = cleaned.reduction / smallReduction(softness);
  if (ratio >= REUSE_RATIO || ratio <= 1 / REUSE_RATIO) return undefined;
  if (cleaned.raster.width === original.width && width === at.width) return crop(cleaned.raster, at);
  const scale = cleaned.raster.width / original.width;
  const window = { x: at.x * scale, y: at.y * scale, size: (at.width / width) * scale };
  return sampleWindow(cleaned.raster, window, width, height);
}
