import { type Box, createRaster, crop, paste, type Raster } from '../rasters/raster.js';
import { resize } from '../rasters/resize.js';
import type { Session } from './sessions.js';

export interface DetectedFace {
  /** In pixels; may reach slightly beyond the picture's edges. */
  box: Box;
  /** 0..1. */
  confidence: number;
}

export interface FaceDetectorOptions {
  /** Longest searched side. */
  maxInputRes: number;
  signal?: AbortSignal | undefined;
  onWindow?(done: number, total: number): void;
}

export const DEFAULT_DETECTOR_RES = 800;

const WINDOW = 256;
/** Windows overlap by 40 %: a face cut by one is whole in the next. */
const STRIDE = Math.round(WINDOW * 0.6);
/** Shorter side in windows, in the passes after the first; each finds smaller faces. */
const FINER_PASSES = [1.5, 3];
/** Low, to keep faces in bad pictures; `verifyFaces` rejects false positives. */
const CONFIDENCE_THRESHOLD = 0.5;
/** Intersection over union from which two boxes are the same candidate. */
const SAME_CANDIDATE = 0.3;
/** Intersection over the smaller box from which only one of two boxes is a face. */
const SAME_FACE = 0.25;
/** Cells per side and anchors per cell, in the order of scores and boxes. */
const GRIDS = [
  { cells: 16, anchors: 2 },
  { cells: 8, anchors: 6 },
] as const;
const VALUES_PER_BOX = 16;
/** Windows that wait in the network's thread, so that it goes on while the caller's thread is busy for 50 ms. */
const WINDOWS_AHEAD = 8;

/**
 * Searches several scales with a network of 256 x 256 pixels; largest first. Candidates may lie within others; see
 * {@link suppressOverlaps}.
 */
export async function detectFaces(
  session: Session,
  picture: Raster,
  options: FaceDetectorOptions,
): Promise<DetectedFace[]> {
  const reduction = Math.min(1, options.maxInputRes / Math.max(picture.width, picture.height));
  const passes = passScales(picture, reduction);
  const plans = passes.map((scale) => {
    const width = Math.max(1, Math.round(picture.width * scale));
    const height = Math.max(1, Math.round(picture.height * scale));
    const windows = windowStarts(height).flatMap((y) => windowStarts(width).map((x) => ({ x, y })));
    return { scale, width, height, windows };
  });
  const total = plans.reduce((sum, plan) => sum + plan.windows.length, 0);
  let done = 0;
  const searches: Promise<DetectedFace[]>[] = [];
  const search = async (scaled: Raster, { x, y }: { x: number; y: number }, scale: number): Promise<DetectedFace[]> => {
    const outputs = await session.runOn(windowOf(scaled, x, y));
    options.onWindow?.(++done, total);
    return decode(outputs, x, y, scale);
  };
  try {
    for (const plan of plans) {
      const scaled = await resize(picture, plan.width, plan.height, 'linear');
      for (const window of plan.windows) {
        await searches.at(-WINDOWS_AHEAD);
        options.signal?.throwIfAborted();
        const searching = search(scaled, window, plan.scale);
        // Reported below.
        searching.catch(() => undefined);
        searches.push(searching);
      }
    }
  } finally {
    // Networks of a cancelled picture would take the next one's cores.
    await Promise.allSettled(searches);
  }
  options.signal?.throwIfAborted();
  const found = (await Promise.all(searches)).flat();
  const inside = found.filter(({ box }) => centerInside(box, picture));
  // A nose can score above its face; `verifyFaces` decides between overlapping candidates.
  return suppressOverlaps(inside, alike, SAME_CANDIDATE).sort((a, b) => b.box.width - a.box.width);
}

/** The whole picture in one window, then larger, up to the allowed resolution. */
function passScales(picture: Raster, reduction: number): number[] {
  const longest = Math.max(picture.width, picture.height);
  const shortest = Math.min(picture.width, picture.height);
  const scales = [WINDOW / longest];
  for (const windows of FINER_PASSES) {
    // Enlarging by up to 1.5 helps with faces of twenty pixels.
    const scale = Math.min((WINDOW * windows) / shortest, reduction * 1.5);
    if (scale > (scales.at(-1) ?? 0) * 1.2) scales.push(scale);
  }
  return scales;
}

function windowStarts(length: number): number[] {
  if (length <= WINDOW) return [0];
  const count = Math.ceil((length - WINDOW) / STRIDE) + 1;
  return Array.from({ length: count }, (_, index) => Math.min(index * STRIDE, length - WINDOW));
}

/** Black outside the picture. */
function windowOf(picture: Raster, x: number, y: number): Raster {
  const [width, height] = [Math.min(WINDOW, picture.width - x), Math.min(WINDOW, picture.height - y)];
  const window = createRaster(WINDOW, WINDOW);
  paste(window, crop(picture, { x, y, width, height }), { x: 0, y: 0 });
  return window;
}

function decode(outputs: readonly Float32Array[], left: number, top: number, scale: number): DetectedFace[] {
  const faces: DetectedFace[] = [];
  for (const [grid, { cells, anchors }] of GRIDS.entries()) {
    const scores = outputs[grid];
    const boxes = outputs[grid + GRIDS.length];
    if (!scores || !boxes) throw new Error('The face detector returned too few outputs');
    for (const [index, logit] of scores.entries()) {
      const confidence = 1 / (1 + Math.exp(-logit));
      if (confidence < CONFIDENCE_THRESHOLD) continue;
      const cell = Math.floor(index / anchors);
      const anchorX = (((cell % cells) + 0.5) / cells) * WINDOW;
      const anchorY = ((Math.floor(cell / cells) + 0.5) / cells) * WINDOW;
      const at = index * VALUES_PER_BOX;
      const width = (boxes[at + 2] ?? 0) / scale;
      const height = (boxes[at + 3] ?? 0) / scale;
      const centerX = (left + anchorX + (boxes[at] ?? 0)) / scale;
      const centerY = (top + anchorY + (boxes[at + 1] ?? 0)) / scale;
      faces.push({ box: { x: centerX - width / 2, y: centerY - height / 2, width, height }, confidence });
    }
  }
  return faces;
}

export function suppressOverlaps<Candidate extends DetectedFace>(
  faces: readonly Candidate[],
  shared: (a: Box, b: Box) => number = overlapOf,
  most: number = SAME_FACE,
): Candidate[] {
  const kept: Candidate[] = [];
  for (const face of [...faces].sort((a, b) => b.confidence - a.confidence)) {
    if (kept.every((other) => shared(face.box, other.box) <= most)) kept.push(face);
  }
  return kept;
}

/** Whether a box shows a part of one of the faces, or contains it. */
export function overlapsOne(box: Box, faces: readonly DetectedFace[]): boolean {
  return faces.some((face) => overlapOf(box, face.box) > SAME_FACE);
}

/** Intersection over the smaller box: 1 for a box inside another. */
export function overlapOf(a: Box, b: Box): number {
  return sharedArea(a, b) / Math.min(a.width * a.height, b.width * b.height);
}

/** Intersection over union: 1 for equal boxes. */
function alike(a: Box, b: Box): number {
  const shared = sharedArea(a, b);
  return shared / (a.width * a.height + b.width * b.height - shared);
}

function sharedArea(a: Box, b: Box): number {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  return Math.max(0, width) * Math.max(0, height);
}

function centerInside(box: Box, picture: Raster): boolean {
  const x = box.x + box.width / 2;
  const y = box.y + box.height / 2;
  return x >= 0 && y >= 0 && x < picture.width && y < picture.height;
}
