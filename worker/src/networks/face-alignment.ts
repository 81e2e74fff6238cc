import { createRaster, type Raster } from '../rasters/raster.js';
import { resize } from '../rasters/resize.js';
import type { Alignment, ModelEntry, Point } from './manifest.js';
import type { Session } from './sessions.js';
import { reflect } from './tiling.js';

interface FaceMesh {
  /** x and y of 468 points, 0..1 of the crop. */
  points: Float32Array;
  /** Probability that the crop shows a face, 0..1. */
  presence: number;
}

const SIDE = 192;
const POINTS = 468;

/** For one face in a square crop of about 1.5 times its box. */
export async function meshFace(session: Session, face: Raster): Promise<FaceMesh> {
  const [mesh, presence] = await session.runOn(await resize(face, SIDE, SIDE, 'cubic'));
  const points = new Float32Array(POINTS * 2);
  for (let point = 0; point < POINTS; point++) {
    points[point * 2] = (mesh[point * 3] ?? 0) / SIDE;
    points[point * 2 + 1] = (mesh[point * 3 + 1] ?? 0) / SIDE;
  }
  return { points, presence: presence?.[0] ?? 0 };
}

/** Rotation, uniform scale and shift: x' = a x - b y + shift.x, y' = b x + a y + shift.y. */
export interface Similarity {
  a: number;
  b: number;
  shift: Readonly<Point>;
}

/** Mesh points of an alignment template: inner and outer eye corners, nose tip, mouth corners. */
const EYES = [
  [33, 133],
  [362, 263],
] as const;
const SINGLE = [1, 61, 291] as const;

/** Middle of each eye, nose tip and mouth corners, from 468 mesh points (x and y alternate). */
export function fivePoints(mesh: Float32Array): Point[] {
  const at = (index: number): Point => [mesh[index * 2] ?? 0, mesh[index * 2 + 1] ?? 0];
  const eyes = EYES.map(([first, second]): Point => {
    const [a, b] = [at(first), at(second)];
    return [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
  });
  return [...eyes, ...SINGLE.map(at)];
}

/** Least squares (Umeyama 1991, without reflection). */
export function fitSimilarity(from: readonly Point[], to: readonly Point[]): Similarity {
  const [fromX, fromY] = center(from);
  const [toX, toY] = center(to);
  let along = 0;
  let across = 0;
  let squares = 0;
  for (const [index, [x, y]] of from.entries()) {
    const [u, v] = to[index] ?? [0, 0];
    along += (x - fromX) * (u - toX) + (y - fromY) * (v - toY);
    across += (x - fromX) * (v - toY) - (y - fromY) * (u - toX);
    squares += (x - fromX) ** 2 + (y - fromY) ** 2;
  }
  const [a, b] = [along / Math.max(squares, 1e-9), across / Math.max(squares, 1e-9)];
  return { a, b, shift: [toX - a * fromX + b * fromY, toY - b * fromX - a * fromY] };
}

function center(points: readonly Point[]): Point {
  const sum = points.reduce<Point>(([x, y], point) => [x + point[0], y + point[1]], [0, 0]);
  return [sum[0] / points.length, sum[1] / points.length];
}

export function invert({ a, b, shift: [x, y] }: Similarity): Similarity {
  const square = a * a + b * b;
  const [c, d] = [a / square, -b / square];
  return { a: c, b: d, shift: [-c * x + d * y, -d * x - c * y] };
}

export function applyTo({ a, b, shift }: Similarity, [x, y]: Point): Point {
  return [a * x - b * y + shift[0], b * x + a * y + shift[1]];
}

/** The square with the face as in the template, and the transformation from the picture. */
interface AlignedFace {
  readonly raster: Raster;
  readonly transform: Similarity;
}

/**
 * Aligns a face for a network.
 * @param points in pixels of the picture; see {@link fivePoints}
 */
export async function alignFace(
  picture: Raster,
  points: readonly Point[],
  { entry, side }: Session,
): Promise<AlignedFace> {
  const places = alignmentOf(entry).map(([x, y]): Point => [x * side, y * side]);
  const transform = fitSimilarity(points, places);
  const back = invert(transform);
  // Averages first, because `warp` does not.
  const scale = Math.min(1, Math.hypot(transform.a, transform.b));
  const width = Math.max(1, Math.round(picture.width * scale));
  const height = Math.max(1, Math.round(picture.height * scale));
  const reduced = await resize(picture, width, height, 'cubic');
  const [across, down] = [width / picture.width, height / picture.height];
  // They differ by rounding only.
  const mean = Math.sqrt(across * down);
  const toReduced = {
    a: back.a * mean,
    b: back.b * mean,
    shift: [back.shift[0] * across, back.shift[1] * down],
  } as const;
  return { raster: warp(reduced, toReduced, side, side), transform };
}

export function alignmentOf({ alignment, id }: ModelEntry): Alignment {
  if (!alignment) throw new Error(`${id} has no alignment`);
  return alignment;
}

const TAPS = 4;

/**
 * Samples `source` at `toSource` of each pixel of the result; coordinates in pixels, centers at halves. Cubic
 * (Catmull-Rom), mirrored at edges. Does not average: reduce the source first.
 */
export function warp(source: Raster, toSource: Similarity, width: number, height: number): Raster {
  const target = createRaster(width, height);
  const data = new Uint8ClampedArray(target.data.buffer);
  // Reused: a face of a large picture has a million pixels.
  const columns = new Int32Array(TAPS);
  const across = new Float64Array(TAPS);
  const down = new Float64Array(TAPS);
  const { a, b, shift } = toSource;
  for (let y = 0, to = 0; y < height; y++) {
    for (let x = 0; x < width; x++, to += 3) {
      const u = a * (x + 0.5) - b * (y + 0.5) + shift[0];
      const v = b * (x + 0.5) + a * (y + 0.5) + shift[1];
      const left = Math.floor(u - 0.5);
      const top = Math.floor(v - 0.5);
      setCubicWeights(across, u - 0.5 - left);
      setCubicWeights(down, v - 0.5 - top);
      for (let tap = 0; tap < TAPS; tap++) columns[tap] = 3 * reflect(left - 1 + tap, source.width);
      let red = 0;
      let green = 0;
      let blue = 0;
      for (let line = 0; line < TAPS; line++) {
        const row = 3 * source.width * reflect(top - 1 + line, source.height);
        for (let tap = 0; tap < TAPS; tap++) {
          const weight = (down[line] as number) * (across[tap] as number);
          const at = row + (columns[tap] as number);
          red += weight * (source.data[at] as number);
          green += weight * (source.data[at + 1] as number);
          blue += weight * (source.data[at + 2] as number);
        }
      }
      data[to] = red;
      data[to + 1] = green;
      data[to + 2] = blue;
    }
  }
  return target;
}

/** Writes the Catmull-Rom weights of four samples, for a place `part` after the second. */
function setCubicWeights(weights: Float64Array, part: number): void {
  const square = part * part;
  const cube = square * part;
  weights[0] = (-cube + 2 * square - part) / 2;
  weights[1] = (3 * cube - 5 * square + 2) / 2;
  weights[2] = (-3 * cube + 4 * square + part) / 2;
  weights[3] = (cube - square) / 2;
}
