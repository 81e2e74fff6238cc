import { fivePoints, meshFace } from '../../networks/face-alignment.js';
import { cosine, cropForRecognition, embedFace, type FaceEmbedding } from '../../networks/face-recognition.js';
import type { Point } from '../../networks/manifest.js';
import type { Session, Sessions } from '../../networks/sessions.js';
import { ramp } from '../../rasters/ramp.js';
import { luma, type Raster } from '../../rasters/raster.js';
import { resize } from '../../rasters/resize.js';

const MIN_PRESENCE = 0.5;
/**
 * Minimum similarity of a person, by real pixels across the face. On 35 people, faces restored from 16, 24, 48 and 96
 * pixels had at least .79, .82, .93 and .97; other people's faces at most .72, .69, .62 and .63.
 */
const SMALL_FACE = { pixels: 24, similarity: 0.72 } as const;
const LARGE_FACE = { pixels: 96, similarity: 0.85 } as const;
/** Side for light and shade: features remain, texture does not. */
const COARSE_SIDE = 24;

/**
 * Compares a changed face with the original by the smaller of two measures: the cosine of recognition embeddings at the
 * original's real resolution, and coarse light and shade, which recognition ignores (a mirrored face has nearly the
 * same embedding).
 */
export class IdentityCheck {
  readonly #networks: Networks;
  readonly #before: Raster;
  readonly #softness: number;
  /** Null if the original is too blurred for the mesh. */
  readonly #points: readonly Point[] | null;
  #original: OriginalFace | undefined;

  private constructor(networks: Networks, before: Raster, softness: number, points: readonly Point[] | null) {
    this.#networks = networks;
    this.#before = before;
    this.#softness = softness;
    this.#points = points;
  }

  /**
   * @param before the face and its surroundings
   * @param softness pixels per real pixel; see `measureSoftness`
   */
  static async of(sessions: Sessions, before: Raster, softness: number): Promise<IdentityCheck> {
    const [mesh, recognition] = [await sessions.get('face-mesh'), await sessions.get('recognize-face')];
    return new IdentityCheck({ mesh, recognition }, before, Math.max(1, softness), await pointsOf(mesh, before));
  }

  /** Measures the original before the first comparison needs it. */
  async prepare(): Promise<this> {
    if (this.#points) await this.#originalAt(this.#points);
    return this;
  }

  /** Null without a face in either picture. The picture has the original's size and position. */
  async compare(after: Raster): Promise<Comparison | null> {
    const points = this.#points ?? (await pointsOf(this.#networks.mesh, after));
    if (!points) return null;
    const { embedding, realPixels } = await this.#originalAt(points);
    const { recognition } = this.#networks;
    const other = await embedFace(recognition, await cropForRecognition(recognition, after, points), realPixels);
    const correlation = await coarseCorrelation(this.#before, after);
    const similarity = Math.max(0, Math.min(1, correlation, cosine(embedding, other)));
    return { similarity, same: similarity >= thresholdFor(realPixels) };
  }

  async #originalAt(points: readonly Point[]): Promise<OriginalFace> {
    if (this.#original) return this.#original;
    const { recognition } = this.#networks;
    const face = await cropForRecognition(recognition, this.#before, points);
    const realPixels = face.faceWidth / face.scale / this.#softness;
    const original = { embedding: await embedFace(recognition, face, realPixels), realPixels };
    // Cached only with points of its own: otherwise these are the changed face's.
    if (this.#points) this.#original = original;
    return original;
  }
}

interface Comparison {
  /** 0..1. */
  readonly similarity: number;
  readonly same: boolean;
}

interface Networks {
  readonly mesh: Session;
  readonly recognition: Session;
}

interface OriginalFace {
  readonly embedding: FaceEmbedding;
  /** Real pixels across the face. */
  readonly realPixels: number;
}

function thresholdFor(realPixels: number): number {
  const size = ramp(realPixels, SMALL_FACE.pixels, LARGE_FACE.pixels);
  return SMALL_FACE.similarity + size * (LARGE_FACE.similarity - SMALL_FACE.similarity);
}

async function pointsOf(mesh: Session, picture: Raster): Promise<Point[] | null> {
  const { points, presence } = await meshFace(mesh, picture);
  if (presence < MIN_PRESENCE) return null;
  return fivePoints(points).map(([x, y]): Point => [x * picture.width, y * picture.height]);
}

async function coarseCorrelation(before: Raster, after: Raster): Promise<number> {
  const a = luma(await resize(before, COARSE_SIDE, COARSE_SIDE, 'linear'));
  const b = luma(await resize(after, COARSE_SIDE, COARSE_SIDE, 'linear'));
  const meanA = mean(a);
  const meanB = mean(b);
  let covariance = 0;
  let varianceA = 0;
  let varianceB = 0;
  for (let index = 0; index < a.length; index++) {
    const offA = (a[index] ?? 0) - meanA;
    const offB = (b[index] ?? 0) - meanB;
    covariance += offA * offB;
    varianceA += offA * offA;
    varianceB += offB * offB;
  }
  return covariance / Math.sqrt(Math.max(1e-6, varianceA * varianceB));
}

function mean(values: Float32Array): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum / values.length;
}
