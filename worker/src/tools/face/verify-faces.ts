import { type DetectedFace, overlapsOne, suppressOverlaps } from '../../networks/face-detector.js';
import { clampBox } from '../../rasters/raster.js';
import type { Face, PipelineContext } from '../restoration/context.js';
import { measureSoftness } from '../restoration/softness.js';
import { isRestoredAlike, locateBlurredFace, locateFace, MESH_SCALE, squareAround } from './locate-face.js';

/** Confidence from which the detector suffices: the mesh misses tiny and turned faces. */
export const TRUSTED_CONFIDENCE = 0.9;
/** Confidence from which the mesh suffices: below, it also takes pockets, patches and folds for faces. */
const LOCATED_CONFIDENCE = 0.85;
/** Real pixels across a face from which the mesh is right to reject it. */
export const ALWAYS_LOCATED = 56;

/** Keeps candidates confirmed by the mesh, doubtful ones by their restoration too, and measures their softness. */
export async function verifyFaces(
  { sessions, original, noiseless, signal }: Pick<PipelineContext, 'sessions' | 'original' | 'noiseless' | 'signal'>,
  candidates: readonly DetectedFace[],
): Promise<Face[]> {
  const withSoftness = (face: DetectedFace): Face => measureFace({ original, noiseless }, face);
  const faces: Face[] = [];
  const doubtful: { candidate: DetectedFace; points: Float32Array }[] = [];
  const rejected: DetectedFace[] = [];
  for (const candidate of candidates) {
    signal.throwIfAborted();
    if (candidate.confidence >= TRUSTED_CONFIDENCE) {
      faces.push(withSoftness(candidate));
      continue;
    }
    const points = await locateFace(sessions, original, candidate.box);
    if (!points) rejected.push(candidate);
    else if (candidate.confidence >= LOCATED_CONFIDENCE) faces.push(withSoftness(candidate));
    else doubtful.push({ candidate, points });
  }
  doubtful.sort((a, b) => b.candidate.confidence - a.candidate.confidence);
  for (const { candidate, points } of doubtful) {
    signal.throwIfAborted();
    if (overlapsOne(candidate.box, faces)) continue;
    if (await isRestoredAlike(sessions, original, candidate.box, points)) faces.push(withSoftness(candidate));
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
  return { ...face, softness: measureSoftness(noiseless ?? original, square) };
}

export function realPixelsOf({ box, softness }: Face): number {
  return Math.max(box.width, box.height) / softness;
}
