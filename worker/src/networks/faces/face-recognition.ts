import { blur, type Raster } from '../../rasters/raster.js';
import type { Point } from '../manifest.js';
import type { Session } from '../sessions.js';
import { toPlanes } from './aligned-restoration.js';
import { alignFace } from './face-alignment.js';

/** Width of a face in distances between its eyes. */
const FACE_WIDTH = 2.15;
/** Standard deviation of a blur that leaves one real pixel, in such pixels. */
const BLUR_PER_PIXEL = 0.6;
/** A smaller blur changes nothing. */
const MIN_BLUR = 0.5;

/**
 * A unit vector that is similar for pictures of the same person. It is biometric data: keep it in memory, and neither
 * store nor log it.
 */
export type FaceEmbedding = Float32Array;

/** A face as the network takes it. */
export interface RecognitionCrop {
  readonly raster: Raster;
  /** Width of the face in the crop. */
  readonly faceWidth: number;
  /** Pixels of the crop per pixel of the picture. */
  readonly scale: number;
}

export async function cropForRecognition(
  session: Session,
  picture: Raster,
  points: readonly Point[],
): Promise<RecognitionCrop> {
  const { alignment } = session.entry;
  if (!alignment) throw new Error(`${session.entry.id} has no alignment`);
  const side = sideOf(session);
  const { raster, transform } = await alignFace(picture, points, alignment, side);
  const [first, second] = alignment;
  const eyeDistance = Math.hypot(second[0] - first[0], second[1] - first[1]) * side;
  return { raster, faceWidth: FACE_WIDTH * eyeDistance, scale: Math.hypot(transform.a, transform.b) };
}

/**
 * The embedding of a face as if it had `realPixels` across: pictures of different sharpness are comparable only at the
 * resolution of the softer one.
 */
export async function embedFace(session: Session, crop: RecognitionCrop, realPixels: number): Promise<FaceEmbedding> {
  const side = sideOf(session);
  const sigma = (BLUR_PER_PIXEL * crop.faceWidth) / realPixels;
  const { data } = sigma < MIN_BLUR ? crop.raster : await blur(crop.raster, sigma);
  const planes = toPlanes({ width: side, height: side, data }, session.entry.input.range ?? [0, 1]);
  const [embedding] = await session.run(planes, [1, 3, side, side]);
  if (!embedding) throw new Error(`${session.entry.id} returned no output`);
  const length = Math.sqrt(embedding.reduce((sum, value) => sum + value * value, 0)) || 1;
  return embedding.map((value) => value / length);
}

/** Cosine of two embeddings: 1 for equal ones. */
export function cosine(a: FaceEmbedding, b: FaceEmbedding): number {
  return a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0);
}

const sideOf = ({ entry }: Session): number => Number(entry.input.shape[2]);
