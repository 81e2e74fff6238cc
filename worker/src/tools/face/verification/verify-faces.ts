import { type DetectedFace, suppressOverlaps } from '../../../networks/faces/face-detector.js';
import { meshFace } from '../../../networks/faces/face-mesh.js';
import type { Session } from '../../../networks/sessions.js';
import { type Box, clampBox, crop, type Raster } from '../../../rasters/raster.js';
import type { Face, PipelineContext } from '../../context/context.js';
import { measureDetail } from '../../signal/detail.js';

/**
 * The detector also finds cats, patches on suits and blotches of noise, and is unsure of degraded faces. By the mesh,
 * on portraits and group photos in four conditions, true faces scored above 0.9, everything else below 0.5, a cat 0.2.
 */
const MIN_PRESENCE = 0.5;
/** From this confidence the detector suffices: the mesh misses tiny and turned faces. */
const TRUSTED_CONFIDENCE = 0.9;
/** Of the mesh's input, in face boxes. */
export const MESH_SCALE = 1.5;

/** Keeps candidates confirmed by the mesh, and measures their softness. */
export async function verifyFaces(
  mesh: Session,
  { original, noiseless, signal }: Pick<PipelineContext, 'original' | 'noiseless' | 'signal'>,
  candidates: readonly DetectedFace[],
): Promise<Face[]> {
  const faces: Face[] = [];
  for (const face of candidates) {
    signal.throwIfAborted();
    const square = clampBox(squareAround(face.box, MESH_SCALE), original.width, original.height);
    if (face.confidence < TRUSTED_CONFIDENCE && (await presenceIn(mesh, original, square)) < MIN_PRESENCE) continue;
    faces.push({ ...face, softness: measureDetail(noiseless ?? original, square).softness });
  }
  // After verification, so that false candidates suppress no face.
  return suppressOverlaps(faces).sort((a, b) => b.box.width - a.box.width);
}

async function presenceIn(mesh: Session, picture: Raster, square: Box): Promise<number> {
  return (await meshFace(mesh, crop(picture, square))).presence;
}

/** Same centre, `scale` times the longer side. */
export function squareAround(box: Box, scale: number): Box {
  const side = Math.max(box.width, box.height) * scale;
  return { x: box.x + (box.width - side) / 2, y: box.y + (box.height - side) / 2, width: side, height: side };
}
