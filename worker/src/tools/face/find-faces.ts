import {
  type DetectedFace,
  detectFaces,
  type FaceDetectorOptions,
  overlapsOne,
  suppressOverlaps,
} from '../../networks/face-detector.js';
import { type Box, type Raster, scaleBox } from '../../rasters/raster.js';
import { resize } from '../../rasters/resize.js';
import type { Face, Finish, PipelineContext } from '../restoration/context.js';
import { denoise } from '../restoration/denoise.js';
import { restoreRegion } from '../restoration/restored-region.js';
import { locateFace, locateHiddenFace } from './locate-face.js';
import { ALWAYS_LOCATED, measureFace, realPixelsOf, TRUSTED_CONFIDENCE, verifyFaces } from './verify-faces.js';

/** Levels of noise that can hide a soft face from the detector. */
const HIDING_NOISE = 2.5;
/** Least confidence of a face that only its restorations show: a page of text had one of .52. */
const HIDDEN_CONFIDENCE = 0.55;
/** Distance of centers in widths, and factor between widths, up to which two boxes are of the same face. */
const SAME_PLACE = { distance: 0.2, size: 1.5 } as const;

/** Detects faces at once: that depends on the original only, so that it can begin before the picture is measured. */
export function beginSearch(context: PipelineContext, maxInputRes: number): Finish {
  const { sessions, signal, original, beside } = context;
  let report: (fraction: number) => void = () => undefined;
  const options: FaceDetectorOptions = { maxInputRes, signal, onWindow: (done, total) => report(done / total) };
  const detecting = sessions.get('detect-face').then((session) => detectFaces(session, original, options));
  beside.add(detecting);
  return async (onProgress) => {
    report = onProgress;
    context.faces = await findFaces(context, options, await detecting);
  };
}

/**
 * Detects faces and confirms them by the mesh; largest first. In noise that can hide or imitate faces, the picture without
 * noise has to show them too.
 * @param detected candidates in the original, if it has been searched
 */
export async function findFaces(
  context: PipelineContext,
  options: FaceDetectorOptions,
  detected?: readonly DetectedFace[],
): Promise<Face[]> {
  const session = await context.sessions.get('detect-face');
  const candidates = detected ?? (await detectFaces(session, context.original, options));
  const faces = await verifyFaces(context, candidates);
  const clean = await withoutNoise(context, options.maxInputRes);
  if (!clean) return faces;
  const scale = context.original.width / clean.width;
  const found = await detectFaces(session, clean, { ...options, onWindow: undefined });
  const others = found.map(({ box, confidence }) => ({ box: scaleBox(box, scale), confidence }));
  const seen: Face[] = [];
  for (const face of faces) {
    context.signal.throwIfAborted();
    if (await isSeenTwice(context, face, clean, others)) seen.push(face);
  }
  const seenThere = candidates.filter(({ box }) => others.some((other) => isSamePlace(other.box, box)));
  const apart = [...others, ...seenThere].filter(({ box }) => !overlapsOne(box, seen));
  const hidden = await findHidden(context, clean, apart);
  return suppressOverlaps([...seen, ...hidden]).sort((a, b) => b.box.width - a.box.width);
}

/** Whether the picture without noise has a face of this size there too, and the mesh finds one in either picture. */
async function isSeenTwice(
  { sessions, original }: PipelineContext,
  { box, confidence }: Face,
  clean: Raster,
  others: readonly DetectedFace[],
): Promise<boolean> {
  if (confidence >= TRUSTED_CONFIDENCE) return true;
  if (!others.some((other) => isSamePlace(other.box, box))) return false;
  if (await locateFace(sessions, original, box)) return true;
  return (await locateFace(sessions, clean, scaleBox(box, clean.width / original.width))) !== null;
}

/** Misplaced boxes in noise were .24 of their width and more from a face, true ones mostly less than .16. */
function isSamePlace(one: Box, other: Box): boolean {
  const distance = Math.hypot(
    one.x + one.width / 2 - other.x - other.width / 2,
    one.y + one.height / 2 - other.y - other.height / 2,
  );
  const ratio = one.width / other.width;
  return distance <= SAME_PLACE.distance * other.width && ratio <= SAME_PLACE.size && ratio >= 1 / SAME_PLACE.size;
}

/** Candidates in the picture without noise that are the same face restored from it and from the noisy one. */
async function findHidden(
  context: PipelineContext,
  clean: Raster,
  candidates: readonly DetectedFace[],
): Promise<Face[]> {
  const { sessions, original, signal } = context;
  const faces: Face[] = [];
  for (const candidate of candidates) {
    signal.throwIfAborted();
    const face = measureFace(context, candidate);
    if (face.confidence < HIDDEN_CONFIDENCE || realPixelsOf(face) >= ALWAYS_LOCATED) continue;
    const points = await locateHiddenFace(sessions, { noisy: original, denoised: clean }, face.box);
    if (points) faces.push({ ...face, points });
  }
  return faces;
}

/**
 * What the network for faces makes of the picture at the size at which the detector searches. Null with little noise, or
 * where that size averages it out.
 */
async function withoutNoise(context: PipelineContext, maxSide: number): Promise<Raster | null> {
  const { original, assessed, sessions } = context;
  if (!assessed || assessed.defects.noise < HIDING_NOISE) return null;
  if (Math.max(assessed.planes.width, assessed.planes.height) > maxSide) return null;
  const scale = Math.min(1, maxSide / Math.max(original.width, original.height));
  const sideOf = (length: number) => Math.max(1, Math.round(length * scale));
  const searched = await resize(original, sideOf(original.width), sideOf(original.height), 'lanczos3');
  // A network of aligned faces needs to know where they are.
  if (sessions.entryFor('restore-face').alignment) return denoise(searched, assessed);
  if (searched === original) {
    context.restored = restoreRegion(context, original, assessed);
    return context.restored;
  }
  const defects = { ...assessed.defects, softness: Math.max(1, assessed.defects.softness * scale) };
  return restoreRegion(context, searched, { ...assessed, defects });
}
