import { blur, type Raster } from '../rasters/raster.js';
import { alignFace, alignmentOf } from './face-alignment.js';
import type { Point } from './manifest.js';
import type { Session } from './sessions.js';

/** In distances between the eyes. */
const FACE_WIDTH = 2.15;
/** Blur that leaves one real pixel, in real pixels. */
const BLUR_PER_PIXEL = 0.6;
/** Smaller blurs have no effect. */
const MIN_BLUR = 0.5;

/** A unit vector, similar for pictures of a person. Biometric data: keep it in memory, never store or log it. */
export type FaceEmbedding = Float32Array;

interface RecognitionCrop {
  readonly raster: Raster;
  readonly faceWidth: number;
  /** Pixels of the crop per pixel of the picture. */
  readonly scale: number;
}

export async function cropForRecognition(
  session: Session,
  picture: Raster,
  points: readonly Point[],
): Promise<RecognitionCrop> {
  const { raster, transform } = await alignFace(picture, points, session);
  const [first, second] = alignmentOf(session.entry);
  const eyeDistance = Math.hypot(second[0] - first[0], second[1] - first[1]) * session.side;
  return { raster, faceWidth: FACE_WIDTH * eyeDistance, scale: Math.hypot(transform.a, transform.b) };
}

/**
 * Reduces the face to `realPixels` across: different sharpness is comparable only at the resolution of the softer one.
 */
export async function embedFace(session: Session, crop: RecognitionCrop, realPixels: number): Promise<FaceEmbedding> {
  const sigma = (BLUR_PER_PIXEL * crop.faceWidth) / realPixels;
  const [embedding] = await session.runOn(sigma < MIN_BLUR ? crop.raster : await blur(crop.raster, sigma));
  const length = Math.sqrt(embedding.reduce((sum, value) => sum + value * value, 0)) || 1;
  return embedding.map((value) => value / length);
}

/** Cosine, 1 for equal embeddings. */
export function cosine(a: FaceEmbedding, b: FaceEmbedding): number {
  return a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0);
}
