import { meshFace } from '../../networks/face-alignment.js';
import type { Session } from '../../networks/sessions.js';
import { ramp } from '../../rasters/ramp.js';
import { type Box, clampBox, createRaster, crop, type Raster } from '../../rasters/raster.js';
import { resize } from '../../rasters/resize.js';

/** In pixels of the picture; `angle` clockwise in radians. */
interface TurnedSquare {
  centerX: number;
  centerY: number;
  side: number;
  angle: number;
}

export interface FaceShape {
  /** x and y of 468 points, in pixels. */
  points: Float32Array;
  /** Along the line of the eyes, in pixels, corrected for a turned head. */
  width: number;
  /** Reliability, 0..1: lower for unlikely faces and profiles. */
  certainty: number;
  /** The upright square in which the face was found, for the comparison of identity. */
  square: TurnedSquare;
}

/** Side of the mesh's input, in face boxes, as in its training. */
const SQUARE_SCALE = 1.5;
const PATCH_SIDE = 192;
/** Face probability over which the mesh becomes reliable. */
const PRESENCE = [0.5, 0.9] as const;
/**
 * Ratio of the nose's distances to both cheeks: 1 for a frontal face. Below the upper bound points on the far side
 * become guesses, below the lower one all do.
 */
const PROFILE = [0.08, 0.3] as const;

const EYES = { right: 33, left: 263 };
const CHEEKS = { right: 234, left: 454 };
const NOSE_TIP = 1;
const FOREHEAD = 10;
const CHIN = 152;

/** Finds a face at any tilt; null where the mesh finds none. */
export async function locateFace(mesh: Session, picture: Raster, box: Box): Promise<FaceShape | null> {
  const start = {
    centerX: box.x + box.width / 2,
    centerY: box.y + box.height / 2,
    side: Math.max(box.width, box.height) * SQUARE_SCALE,
    angle: 0,
  };
  let found = await meshIn(mesh, picture, start);
  // The detector finds rotated heads, the mesh upright ones only.
  for (const turns of [1, 3, 2]) {
    if (found.presence >= PRESENCE[1]) break;
    const other = await meshIn(mesh, picture, { ...start, angle: (turns * Math.PI) / 2 });
    if (other.presence > found.presence) found = other;
  }
  if (found.presence <= PRESENCE[0]) return null;
  const closer = await meshIn(mesh, picture, squareOf(found.points));
  if (closer.presence >= Math.min(found.presence, PRESENCE[1])) found = closer;
  const certainty = ramp(found.presence, ...PRESENCE) * ramp(frontality(found.points), ...PROFILE);
  if (certainty <= 0) return null;
  return { points: found.points, width: faceWidth(found.points), certainty, square: found.square };
}

interface Found {
  points: Float32Array;
  presence: number;
  square: TurnedSquare;
}

async function meshIn(mesh: Session, picture: Raster, square: TurnedSquare): Promise<Found> {
  const { points, presence } = await meshFace(mesh, await uprightPatch(picture, square));
  const [cos, sin] = [Math.cos(square.angle) * square.side, Math.sin(square.angle) * square.side];
  const placed = new Float32Array(points.length);
  for (let at = 0; at < points.length; at += 2) {
    const x = (points[at] ?? 0) - 0.5;
    const y = (points[at + 1] ?? 0) - 0.5;
    placed[at] = square.centerX + x * cos - y * sin;
    placed[at + 1] = square.centerY + x * sin + y * cos;
  }
  return { points: placed, presence, square };
}

/** Around the mesh's own points, with level eyes. */
function squareOf(points: Float32Array): TurnedSquare {
  const right = pointOf(points, EYES.right);
  const left = pointOf(points, EYES.left);
  const angle = Math.atan2(left.y - right.y, left.x - right.x);
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  let [minU, maxU, minV, maxV] = [Infinity, -Infinity, Infinity, -Infinity];
  for (let at = 0; at < points.length; at += 2) {
    const [x, y] = [points[at] ?? 0, points[at + 1] ?? 0];
    const [u, v] = [x * cos + y * sin, y * cos - x * sin];
    [minU, maxU, minV, maxV] = [Math.min(minU, u), Math.max(maxU, u), Math.min(minV, v), Math.max(maxV, v)];
  }
  const [u, v] = [(minU + maxU) / 2, (minV + maxV) / 2];
  const side = Math.max(maxU - minU, maxV - minV) * SQUARE_SCALE;
  return { centerX: u * cos - v * sin, centerY: u * sin + v * cos, side, angle };
}

/** A rotated square made upright, 192 x 192; the picture's edges are repeated. */
export async function uprightPatch(picture: Raster, square: TurnedSquare): Promise<Raster> {
  const reach = square.side * Math.SQRT1_2;
  const around = { x: square.centerX - reach, y: square.centerY - reach, width: reach * 2, height: reach * 2 };
  const at = clampBox(around, picture.width, picture.height);
  const scale = PATCH_SIDE / square.side;
  const width = Math.max(1, Math.round(at.width * scale));
  const height = Math.max(1, Math.round(at.height * scale));
  const reduced = await resize(crop(picture, at), width, height, 'linear');
  const patch = createRaster(PATCH_SIDE, PATCH_SIDE);
  const [cos, sin] = [Math.cos(square.angle), Math.sin(square.angle)];
  const middleX = (square.centerX - at.x) * (width / at.width) - 0.5;
  const middleY = (square.centerY - at.y) * (height / at.height) - 0.5;
  for (let row = 0, to = 0; row < PATCH_SIDE; row++) {
    const v = row + 0.5 - PATCH_SIDE / 2;
    for (let column = 0; column < PATCH_SIDE; column++, to += 3) {
      const u = column + 0.5 - PATCH_SIDE / 2;
      samplePixel(reduced, middleX + u * cos - v * sin, middleY + u * sin + v * cos, patch.data, to);
    }
  }
  return patch;
}

/** Bilinear, three channels at `to`. */
function samplePixel({ data, width, height }: Raster, x: number, y: number, target: Uint8Array, to: number): void {
  const across = Math.max(0, Math.min(width - 1, x));
  const down = Math.max(0, Math.min(height - 1, y));
  const left = Math.floor(across);
  const top = Math.floor(down);
  const shareX = across - left;
  const shareY = down - top;
  const right = Math.min(width - 1, left + 1);
  const bottom = Math.min(height - 1, top + 1);
  const topLeft = (top * width + left) * 3;
  const topRight = (top * width + right) * 3;
  const bottomLeft = (bottom * width + left) * 3;
  const bottomRight = (bottom * width + right) * 3;
  for (let channel = 0; channel < 3; channel++) {
    const above = (data[topLeft + channel] ?? 0) * (1 - shareX) + (data[topRight + channel] ?? 0) * shareX;
    const below = (data[bottomLeft + channel] ?? 0) * (1 - shareX) + (data[bottomRight + channel] ?? 0) * shareX;
    target[to + channel] = above * (1 - shareY) + below * shareY + 0.5;
  }
}

/** Shorter to longer distance from the nose to a cheek. */
function frontality(points: Float32Array): number {
  const nose = pointOf(points, NOSE_TIP);
  const eyeRight = pointOf(points, EYES.right);
  const eyeLeft = pointOf(points, EYES.left);
  const length = Math.max(1e-3, Math.hypot(eyeLeft.x - eyeRight.x, eyeLeft.y - eyeRight.y));
  const along = ({ x, y }: Point) =>
    ((x - nose.x) * (eyeLeft.x - eyeRight.x) + (y - nose.y) * (eyeLeft.y - eyeRight.y)) / length;
  const right = -along(pointOf(points, CHEEKS.right));
  const left = along(pointOf(points, CHEEKS.left));
  return Math.max(0, Math.min(right, left)) / Math.max(1e-3, right, left);
}

/** Width from cheek to cheek. A turned head is narrower, so its height limits the width from below. */
function faceWidth(points: Float32Array): number {
  const span = (from: number, to: number) => {
    const [a, b] = [pointOf(points, from), pointOf(points, to)];
    return Math.hypot(a.x - b.x, a.y - b.y);
  };
  return Math.max(span(CHEEKS.right, CHEEKS.left), span(FOREHEAD, CHIN) * 0.8);
}

export interface Point {
  x: number;
  y: number;
}

export function pointOf(points: Float32Array, index: number): Point {
  return { x: points[index * 2] ?? 0, y: points[index * 2 + 1] ?? 0 };
}
