import { runAligned } from '../../../networks/faces/aligned-restoration.js';
import { applyTo, fivePoints, invert } from '../../../networks/faces/face-alignment.js';
import type { DetectedFace } from '../../../networks/faces/face-detector.js';
import { meshFace } from '../../../networks/faces/face-mesh.js';
import type { Point } from '../../../networks/manifest.js';
import type { Sessions } from '../../../networks/sessions.js';
import { type Box, clampBox, crop, type Raster } from '../../../rasters/raster.js';

/**
 * The detector also finds cats, patches on suits and blotches of noise, and is unsure of degraded faces. By the mesh,
 * on portraits and group photos in four conditions, true faces scored above 0.9, everything else below 0.5, a cat 0.2.
 */
const MIN_PRESENCE = 0.5;
/** Side of the mesh's input, in face boxes. */
export const MESH_SCALE = 1.5;

/** Side of the small-face network's surroundings, in face boxes. */
const REGION_SCALE = 2.5;
/** Eyes, nose tip and mouth corners in a box of the detector: means over 60 faces. */
const POINTS_IN_BOX: readonly Point[] = [
  [0.29, 0.29],
  [0.7, 0.29],
  [0.5, 0.52],
  [0.32, 0.72],
  [0.68, 0.72],
];
/**
 * What the network restores from a cloud can look like a face too. Of 271 rejected candidates in 54 degraded pictures
 * without faces none met all of these, and all 5 faces of 24 to 35 pixels did (decision 56).
 */
const BLURRED = {
  confidence: 0.75,
  /** Presence by the mesh in the restored face. */
  presence: 0.8,
  /** Mean distance of the points from the expected ones, in face boxes. */
  shift: 0.18,
  /** The same after restoring once more, aligned by the first points. */
  drift: 0.06,
} as const;

/** 468 mesh points of a face in pixels of the picture, x and y alternating; null where the mesh finds none. */
export async function locateFace(sessions: Sessions, picture: Raster, box: Box): Promise<Float32Array | null> {
  const square = clampBox(squareAround(box, MESH_SCALE), picture.width, picture.height);
  const { points, presence } = await meshFace(await sessions.get('face-mesh'), crop(picture, square));
  if (presence < MIN_PRESENCE) return null;
  return mapPoints(points, ([x, y]) => [x * square.width + square.x, y * square.height + square.y]);
}

/**
 * Like {@link locateFace}, for faces too blurred for the mesh: looks for a face in what the network for small faces
 * restores, twice, because it must find the same one.
 */
export async function locateBlurredFace(
  sessions: Sessions,
  picture: Raster,
  { box, confidence }: DetectedFace,
): Promise<Float32Array | null> {
  if (confidence < BLURRED.confidence) return null;
  const expected = POINTS_IN_BOX.map(([x, y]): Point => [box.x + x * box.width, box.y + y * box.height]);
  const region = clampBox(squareAround(box, REGION_SCALE), picture.width, picture.height);
  const first = await locateRestored(sessions, picture, region, expected);
  if (!first || distance(fivePoints(first), expected) > BLURRED.shift * box.width) return null;
  const second = await locateRestored(sessions, picture, region, fivePoints(first));
  if (!second || distance(fivePoints(second), fivePoints(first)) > BLURRED.drift * box.width) return null;
  return second;
}

/** Mesh points in the picture's region restored as a face with these five points; null without a face. */
async function locateRestored(
  sessions: Sessions,
  picture: Raster,
  region: Box,
  five: readonly Point[],
): Promise<Float32Array | null> {
  const placed = five.map(([x, y]): Point => [x - region.x, y - region.y]);
  const { face, transform } = await runAligned(await sessions.get('restore-small-face'), crop(picture, region), placed);
  const { points, presence } = await meshFace(await sessions.get('face-mesh'), face);
  if (presence < BLURRED.presence) return null;
  const toRegion = invert(transform);
  return mapPoints(points, ([x, y]) => {
    const [u, v] = applyTo(toRegion, [x * face.width, y * face.height]);
    return [u + region.x, v + region.y];
  });
}

/** Mean distance between points of the same order. */
function distance(points: readonly Point[], others: readonly Point[]): number {
  const sum = points.reduce((total, [x, y], at) => {
    const [u, v] = others[at] ?? [x, y];
    return total + Math.hypot(x - u, y - v);
  }, 0);
  return sum / points.length;
}

function mapPoints(points: Float32Array, map: (point: Point) => Point): Float32Array {
  const mapped = new Float32Array(points.length);
  for (let at = 0; at < points.length; at += 2) mapped.set(map([points[at] ?? 0, points[at + 1] ?? 0]), at);
  return mapped;
}

/** Square around the same center; its side is `scale` times the longer one. */
export function squareAround(box: Box, scale: number): Box {
  const side = Math.max(box.width, box.height) * scale;
  return { x: box.x + (box.width - side) / 2, y: box.y + (box.height - side) / 2, width: side, height: side };
}
