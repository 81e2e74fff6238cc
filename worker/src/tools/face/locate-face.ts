import { runAligned } from '../../networks/aligned-restoration.js';
import { applyTo, fivePoints, invert, meshFace } from '../../networks/face-alignment.js';
import type { DetectedFace } from '../../networks/face-detector.js';
import type { Point } from '../../networks/manifest.js';
import type { Sessions } from '../../networks/sessions.js';
import { type Box, clampBox, crop, type Raster, scaleBox } from '../../rasters/raster.js';

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
 * without faces none met all of these, and all 5 faces of 24 to 35 pixels did (bench/results/faces.md).
 */
const BLURRED_CONFIDENCE = 0.75;
const BLURRED: RestoredRule = { presence: 0.8, shift: 0.18, drift: 0.06 };
/**
 * Without that confidence, a face of the noisy and of the denoised picture must be the same one. Of 95 portraits in which noise hid the
 * face, 25 met it, one of them misplaced; of 156 noisy pictures without faces none did.
 */
const HIDDEN: RestoredRule = { presence: 0.95, shift: 0.16, drift: 0.045 };

/**
 * In noise the mesh misplaces points of small faces: those in their restoration are nearer, and move by at most .02
 * boxes when they align another one. Points that don't settle belong to no face.
 */
const SETTLED = { presence: 0.9, drift: 0.03, looks: 3 } as const;

/**
 * Presence and drift of a doubtful face's restorations. Of 81 true faces the least presence was 1.00 and the greatest drift .015; the nearest of
 * 20 false ones had .80 with .014, and .94 with .021 (bench/results/faces.md).
 */
const ALIKE = { presence: 0.98, drift: 0.02 } as const;

/** What a face restored from a candidate must meet. */
interface RestoredRule {
  readonly presence: number;
  /** Mean distance of the points from the expected ones, in face boxes. */
  readonly shift: number;
  /** The same after restoring once more, aligned by the first points. */
  readonly drift: number;
}

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
  return confidence < BLURRED_CONFIDENCE ? null : locateTwice(sessions, picture, box, BLURRED);
}

/** Like {@link locateBlurredFace}, for faces of any confidence in noise; the denoised picture may be smaller. */
export async function locateHiddenFace(
  sessions: Sessions,
  { noisy, denoised }: { readonly noisy: Raster; readonly denoised: Raster },
  box: Box,
): Promise<Float32Array | null> {
  const points = await locateTwice(sessions, noisy, box, HIDDEN);
  if (!points) return null;
  const scale = denoised.width / noisy.width;
  const others = await locateTwice(sessions, denoised, scaleBox(box, scale), HIDDEN);
  if (!others) return null;
  const between = distance(fivePoints(points), fivePoints(others.map((value) => value / scale)));
  return between <= HIDDEN.drift * box.width ? points : null;
}

/** Points of a small face in noise, moved to where they stay in its restoration; null if they don't. */
export async function settlePoints(
  sessions: Sessions,
  picture: Raster,
  box: Box,
  points: Float32Array,
): Promise<Float32Array | null> {
  let settled = points;
  for (let look = 0; look < SETTLED.looks; look++) {
    const five = fivePoints(settled);
    const next = await locateRestored(sessions, picture, box, five, SETTLED.presence);
    if (!next || distance(fivePoints(next), five) <= SETTLED.drift * box.width) return next;
    settled = next;
  }
  return null;
}

/** Whether a located face is restored as a face whose points stay where they are when it is restored again. */
export async function isRestoredAlike(
  sessions: Sessions,
  picture: Raster,
  box: Box,
  points: Float32Array,
): Promise<boolean> {
  const rule = { ...ALIKE, shift: Number.POSITIVE_INFINITY };
  return (await locateTwice(sessions, picture, box, rule, fivePoints(points))) !== null;
}

async function locateTwice(
  sessions: Sessions,
  picture: Raster,
  box: Box,
  { presence, shift, drift }: RestoredRule,
  expected = POINTS_IN_BOX.map(([x, y]): Point => [box.x + x * box.width, box.y + y * box.height]),
): Promise<Float32Array | null> {
  const first = await locateRestored(sessions, picture, box, expected, presence);
  if (!first || distance(fivePoints(first), expected) > shift * box.width) return null;
  const second = await locateRestored(sessions, picture, box, fivePoints(first), presence);
  return second && distance(fivePoints(second), fivePoints(first)) <= drift * box.width ? second : null;
}

/** Mesh points in the face's region of the picture, restored as a face with these five points; null without a face. */
async function locateRestored(
  sessions: Sessions,
  picture: Raster,
  box: Box,
  five: readonly Point[],
  minPresence: number,
): Promise<Float32Array | null> {
  const region = clampBox(squareAround(box, REGION_SCALE), picture.width, picture.height);
  const placed = five.map(([x, y]): Point => [x - region.x, y - region.y]);
  const { face, transform } = await runAligned(await sessions.get('restore-small-face'), crop(picture, region), placed);
  const { points, presence } = await meshFace(await sessions.get('face-mesh'), face);
  if (presence < minPresence) return null;
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
