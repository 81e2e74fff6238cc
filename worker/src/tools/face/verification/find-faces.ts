import { detectFaces, type FaceDetectorOptions } from '../../../networks/faces/face-detector.js';
import type { Box, Raster } from '../../../rasters/raster.js';
import { resize } from '../../../rasters/resize.js';
import type { Face, PipelineContext } from '../../context/context.js';
import { denoise } from '../../signal/denoise.js';
import { locateFace } from './locate-face.js';
import { verifyFaces } from './verify-faces.js';

/** Levels of noise that can hide a soft face from the detector. */
const HIDING_NOISE = 2.5;

/** Detects faces, in noise that hides all of them in the denoised picture, and confirms them by the mesh; largest first. */
export async function findFaces(context: PipelineContext, options: FaceDetectorOptions): Promise<Face[]> {
  const session = await context.sessions.get('detect-face');
  const candidates = await detectFaces(session, context.original, options);
  const faces = await verifyFaces(context, candidates);
  // Beside a face, patterns of a shirt passed for one.
  if (faces.length > 0) return faces;
  const denoised = await withoutNoise(context, options.maxInputRes);
  if (!denoised) return [];
  const others = await detectFaces(session, denoised, { ...options, onWindow: undefined });
  const seen = await Promise.all(others.map(({ box }) => locateFace(context.sessions, denoised, box)));
  const scale = context.original.width / denoised.width;
  const clear = others
    .filter((_, index) => seen[index])
    .map(({ box, confidence }) => ({ box: scaled(box, scale), confidence }));
  // Noise without a face can become one by denoising, so that the mesh has to find it in the noisy picture too.
  const located = await Promise.all(clear.map(({ box }) => locateFace(context.sessions, context.original, box)));
  return verifyFaces(
    context,
    clear.filter((_, index) => located[index]),
  );
}

/**
 * The picture at the size at which the detector searches. Null with little noise, or where that size averages it out.
 */
async function withoutNoise({ original, assessed }: PipelineContext, maxSide: number): Promise<Raster | null> {
  if (!assessed || assessed.defects.noise < HIDING_NOISE) return null;
  if (Math.max(assessed.planes.width, assessed.planes.height) > maxSide) return null;
  const { reduced } = await denoise(original, assessed);
  const scale = Math.min(1, maxSide / Math.max(original.width, original.height));
  const sideOf = (length: number) => Math.max(1, Math.round(length * scale));
  return resize(reduced, sideOf(original.width), sideOf(original.height), 'cubic');
}

const scaled = ({ x, y, width, height }: Box, scale: number): Box => ({
  x: x * scale,
  y: y * scale,
  width: width * scale,
  height: height * scale,
});
