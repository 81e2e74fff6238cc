import { type DetectedFace, overlapsOne, suppressOverlaps } from '../../../networks/faces/face-detector.js';
import { clampBox } from '../../../rasters/raster.js';
import type { Face, PipelineContext } from '../../context/context.js';
import { measureDetail } from '../../signal/detail.js';
import { locateBlurredFace, locateFace, MESH_SCALE, squareAround } from './locate-face.js';

/** Confidence from which the detector suffices: the mesh misses tiny and turned faces. */
const TRUSTED_CONFIDENCE = 0.9;
/** Real pixels across a face from which the mesh is right to reject it. */
export const ALWAYS_LOCATED = 56;

/** Keeps candidates confirmed by the mesh, and measures their softness. */
export async function verifyFaces(
  { sessions, original, noiseless, signal }: Pick<PipelineContext, 'sessions' | 'original' | 'noiseless' | 'signal'>,
  candidates: readonly DetectedFace[],
): Promise<Face[]> {
  const withSoftness = (face: DetectedFace): Face => measureFace({ original, noiseless }, face);
  const faces: Face[] = [];
  const rejected: DetectedFace[] = [];
  for (const face of candidates) {
    signal.throwIfAborted();
    const isFace = face.confidence >= TRUSTED_CONFIDENCE || (await locateFace(sessions, original, face.box));
    if (isFace) faces.push(withSoftness(face));
    else rejected.push(face);
  }
  // Never on parts of a face: a nose restored as a face has one.
  const apart = rejected.filter(({ box }) => !overlapsOne(box, faces));
  for (const candidate of apart) {
    signal.throwIfAborted();
    const face = withSoftness(candidate);
    if (realPixelsOf(face) >= ALWAYS_LOCATED) continue;
    if (await locateBlurredFace(sessions, original, face)) faces.push(face);
  }
  // Done after verification, so that false candidates suppress no face.
  return suppressOverlaps(faces).sort((a, b) => b.box.width - a.box.width);
}

export function measureFace(
  { original, noiseless }: Pick<PipelineContext, 'original' | 'noiseless'>,
  face: DetectedFace,
): Face {
  const square = clampBox(squareAround(face.box, MESH_SCALE), original.width, original.height);
  return { ...face, softness: measureDetail(noiseless ?? original, square).softness };
}

/** Pixels with detail across the face. */
export function realPixelsOf({ box, softness }: Face): number {
  return Math.max(box.width, box.height) / softness;
}
