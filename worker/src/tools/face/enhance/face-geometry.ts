import type { DetectedFace } from '../../../networks/faces/face-detector.js';
import type { Sessions } from '../../../networks/sessions.js';
import { stretch } from '../../../rasters/filters.js';
import type { Box, Raster } from '../../../rasters/raster.js';
import { drawRegions } from '../regions/face-regions.js';
import { locateBlurredFace, locateFace } from '../verification/locate-face.js';

/** Where a face's parts lie in its region. */
export interface FaceGeometry {
  /** The mesh's points in pixels of the region, x and y alternating. */
  points: Float32Array;
  /** Eyes, brows, lips and nostrils per pixel of the region, 0..1. */
  features: Float32Array;
}

/** Longest side in pixels at which the parts are drawn: their edges are soft anyway. */
const GRID = 128;

/** Locates a face in a region of the picture; null where it is not found. */
export async function locateInRegion(
  sessions: Sessions,
  picture: Raster,
  face: DetectedFace,
  region: Box,
): Promise<FaceGeometry | null> {
  const points = (await locateFace(sessions, picture, face.box)) ?? (await locateBlurredFace(sessions, picture, face));
  if (!points) return null;
  const placed = points.map((value, at) => value - (at % 2 === 0 ? region.x : region.y));
  const reduction = Math.max(1, Math.max(region.width, region.height) / GRID);
  const columns = Math.ceil(region.width / reduction);
  const rows = Math.ceil(region.height / reduction);
  const { oval, skin } = drawRegions(
    placed.map((value) => value / reduction),
    face.box.width / reduction,
    columns,
    rows,
  );
  const features = oval.data.map((value, at) => value - (skin.data[at] ?? 0));
  return { points: placed, features: stretch(features, columns, rows, region.width, region.height, reduction) };
}
