import { meshFace } from '../../../networks/faces/face-mesh.js';
import type { Session } from '../../../networks/sessions.js';
import { stretch } from '../../../rasters/filters.js';
import { type Box, clampBox, crop, type Raster } from '../../../rasters/raster.js';
import { drawRegions } from '../regions/face-regions.js';
import { MESH_SCALE, squareAround } from '../verification/verify-faces.js';

/** Where a face's parts lie in its region. */
export interface FaceGeometry {
  /** The mesh's points in pixels of the region, x and y alternating. */
  points: Float32Array;
  /** Eyes, brows, lips and nostrils per pixel of the region, 0..1. */
  features: Float32Array;
}

const MIN_PRESENCE = 0.5;
/** Longest side in pixels at which the parts are drawn: their edges are soft anyway. */
const GRID = 128;

/** Locates a face in a region of the picture; null where the mesh finds none. */
export async function locateInRegion(
  mesh: Session,
  picture: Raster,
  box: Box,
  region: Box,
): Promise<FaceGeometry | null> {
  const square = clampBox(squareAround(box, MESH_SCALE), picture.width, picture.height);
  const { points, presence } = await meshFace(mesh, crop(picture, square));
  if (presence < MIN_PRESENCE) return null;
  const placed = points.map((value, at) => {
    return at % 2 === 0 ? value * square.width + square.x - region.x : value * square.height + square.y - region.y;
  });
  const reduction = Math.max(1, Math.max(region.width, region.height) / GRID);
  const columns = Math.ceil(region.width / reduction);
  const rows = Math.ceil(region.height / reduction);
  const { oval, skin } = drawRegions(
    placed.map((value) => value / reduction),
    box.width / reduction,
    columns,
    rows,
  );
  const features = oval.data.map((value, at) => value - (skin.data[at] ?? 0));
  return { points: placed, features: stretch(features, columns, rows, region.width, region.height, reduction) };
}
