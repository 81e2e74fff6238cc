import type { Sessions } from '../../networks/sessions.js';
import { type Box, clampBox, type Raster } from '../../rasters/raster.js';
import { resizePlane } from '../../rasters/row-sampler.js';
import type { Face, PipelineContext } from '../restoration/context.js';
import { drawHairline, drawRegions } from './face-regions.js';
import { locateBlurredFace, locateFace, settlePoints, squareAround } from './locate-face.js';
import { realPixelsOf } from './verify-faces.js';

interface FaceGeometry {
  /** The mesh's points in pixels of the region as shown, x and y alternating. */
  points: Float32Array;
  /** Eyes, brows, lips, nostrils and hair line per pixel of the region as shown, 0..1. */
  features: Float32Array;
}

/** Side of the restored square in face boxes, with hair, chin and neck. A large face is cropped closer, which takes less time. */
const CROP_SCALE = { closest: 1.6, widest: 1.9 } as const;
/** Real pixels across the square from which it is cropped closer. */
const WIDE = 190;

/** Longest side in pixels at which the parts are drawn: their edges are soft anyway. */
const GRID = 128;

const HAIRLINE = 0.7;

/** The square to restore, and its part inside the picture. */
export function regionOf({ original }: Pick<PipelineContext, 'original'>, face: Face): { full: Box; at: Box } {
  const scale = Math.max(CROP_SCALE.closest, Math.min(CROP_SCALE.widest, WIDE / realPixelsOf(face)));
  const full = squareAround(face.box, scale);
  return { full, at: clampBox(full, original.width, original.height) };
}

/** Locates a face in a region of the picture that is shown at another size; null where it is not found. */
export async function locateInRegion(
  sessions: Sessions,
  picture: Raster,
  face: Omit<Face, 'softness'>,
  region: Box,
  size: Pick<Box, 'width' | 'height'>,
  isHiddenByNoise = false,
): Promise<FaceGeometry | null> {
  const points = face.points ?? (await locate(sessions, picture, face, isHiddenByNoise));
  if (!points) return null;
  const [across, down] = [size.width / region.width, size.height / region.height];
  const placed = points.map((value, at) => (at % 2 === 0 ? (value - region.x) * across : (value - region.y) * down));
  const reduction = Math.max(1, Math.max(size.width, size.height) / GRID);
  const columns = Math.ceil(size.width / reduction);
  const rows = Math.ceil(size.height / reduction);
  const onGrid = placed.map((value) => value / reduction);
  const faceWidth = (face.box.width * across) / reduction;
  const { oval, skin } = drawRegions(onGrid, faceWidth, columns, rows);
  const hairline = drawHairline(onGrid, faceWidth, columns, rows);
  const features = oval.map((value, at) => Math.max(value - (skin[at] ?? 0), HAIRLINE * (hairline[at] ?? 0)));
  const grid = { width: columns, height: rows, data: features };
  const span = { width: columns * reduction, height: rows * reduction };
  return { points: placed, features: resizePlane(grid, size.width, size.height, span).data };
}

async function locate(
  sessions: Sessions,
  picture: Raster,
  face: Omit<Face, 'softness'>,
  isHiddenByNoise: boolean,
): Promise<Float32Array | null> {
  const points = (await locateFace(sessions, picture, face.box)) ?? (await locateBlurredFace(sessions, picture, face));
  return points && isHiddenByNoise ? settlePoints(sessions, picture, face.box, points) : points;
}
