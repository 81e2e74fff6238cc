import { FACE_V1_PRE_BLUR } from '@clearframe/contract';
import type { DetectedFace } from '../ai/face-detector.js';
import { type Box, clampBox, crop, type Raster } from '../ai/raster.js';
import { blendEllipse } from './blend.js';
import type { FaceReport, Work } from './context.js';
import { measureDetail } from './detail.js';
import { type FaceModel, restoreRegion } from './face-restore.js';
import { limitGain } from './gain-limiter.js';
import { identitySimilarity } from './identity.js';

export interface FaceOptions {
  model: 'base' | 'v1' | 'v2';
  /** 0..1. */
  strength: number;
}

const MODELS: Readonly<Record<FaceOptions['model'], FaceModel>> = {
  base: { longestSide: 144, preBlur: 0, texture: 0.8 },
  v1: { longestSide: 144, preBlur: FACE_V1_PRE_BLUR, texture: 0.8 },
  v2: { longestSide: 168, preBlur: 0, texture: 1 },
};

/** Seconds that the large network takes for a megapixel of its input on two cores; only for sharing out progress. */
const SECONDS_PER_MEGAPIXEL = 145;
/** More faces than this in one picture are a crowd; the biggest come first. */
const MAX_FACES = 12;
/** Side of the square that is restored, in face boxes: hair, chin and neck come along. */
const CROP_SCALE = 1.9;
/** Side of the square in which softness and identity are measured, in face boxes. */
const MEASURE_SCALE = 1.5;
/** Local contrast of a restored face may grow further than that of a background: eyes and lips come back. */
const GAIN = { maxGain: 2, allowance: 2 } as const;

/** Below this softness a face is sharp and is left alone, from the other on it is restored fully. */
const SHARP = 1.25;
const SOFT = 1.75;

/**
 * Real pixels across a face box. With fewer, the networks invent somebody, so that mostly noise is removed; with
 * more, they can be believed. Measured by the distance of a recognition network before and after.
 */
const UNRECOGNISABLE = 28;
const RECOGNISABLE = 56;
const LEAST_TRUST = 0.15;

/** A face that came out less similar than this is mixed with itself until it is similar enough. */
const LEAST_SIMILARITY = 0.7;
const LEAST_BLEND = 0.15;

/** Estimated seconds for the faces found so far, or for one face when none was looked for yet. */
export function secondsForFaces(work: Work, model: FaceOptions['model']): number {
  const megapixels = MODELS[model].longestSide ** 2 / 1e6;
  return Math.max(1, Math.min(MAX_FACES, work.faces.length)) * megapixels * SECONDS_PER_MEGAPIXEL;
}

/** Restores every face at the resolution it really has and lays it into the picture as far as it helps. */
export async function enhanceFaces(
  work: Work,
  options: FaceOptions,
  onProgress: (fraction: number) => void,
): Promise<void> {
  const chosen = work.faces.slice(0, MAX_FACES);
  for (const [index, face] of chosen.entries()) {
    work.signal.throwIfAborted();
    work.reports.push(await enhanceFace(work, face, options));
    onProgress((index + 1) / chosen.length);
  }
  for (const face of work.faces.slice(MAX_FACES)) work.reports.push(report(work, face, null, 0));
}

async function enhanceFace(work: Work, face: DetectedFace, options: FaceOptions): Promise<FaceReport> {
  const { width, height } = work.original;
  const measured = clampBox(squareAround(face.box, MEASURE_SCALE), width, height);
  const { softness } = measureDetail(work.original, measured);
  const share = options.strength * ramp(softness, SHARP, SOFT);
  if (share <= 0) return report(work, face, null, 0);
  const full = squareAround(face.box, CROP_SCALE);
  const at = clampBox(full, width, height);
  const original = crop(work.original, at);
  const realPixels = Math.max(face.box.width, face.box.height) / softness;
  const trust = LEAST_TRUST + (1 - LEAST_TRUST) * ramp(realPixels, UNRECOGNISABLE, RECOGNISABLE);
  const restored = await restoreRegion(work, at, softness, MODELS[options.model], trust);
  limitGain(restored, original, { ...GAIN, radius: Math.max(6, softness * 1.5) });
  return await blendWhileSimilar(work, face, { restored, at, full, measured }, share);
}

interface Patch {
  restored: Raster;
  at: Box;
  full: Box;
  measured: Box;
}

/** Lays the restored face in; halves its part while it makes another face of it. */
async function blendWhileSimilar(work: Work, face: DetectedFace, patch: Patch, share: number): Promise<FaceReport> {
  const { restored, at, full, measured } = patch;
  const mesh = await work.sessions.get('face-mesh');
  const before = crop(work.original, measured);
  const underneath = crop(work.current, at);
  for (let blend = share; ; blend /= 2) {
    blendEllipse(work.current, restored, at, full, blend);
    const similarity = await identitySimilarity(mesh, before, crop(work.current, measured));
    if (similarity === null || similarity >= LEAST_SIMILARITY) return report(work, face, similarity, blend);
    paste(work.current, underneath, at);
    if (blend / 2 < LEAST_BLEND) return report(work, face, null, 0);
  }
}

/** 0 up to `from`, 1 from `to` on, linear between. */
function ramp(value: number, from: number, to: number): number {
  return Math.max(0, Math.min(1, (value - from) / (to - from)));
}

function squareAround(box: Box, scale: number): Box {
  const side = Math.max(box.width, box.height) * scale;
  return { x: box.x + (box.width - side) / 2, y: box.y + (box.height - side) / 2, width: side, height: side };
}

function paste(picture: Raster, patch: Raster, at: Box): void {
  for (let row = 0; row < at.height; row++) {
    const source = patch.data.subarray(row * at.width * 3, (row + 1) * at.width * 3);
    picture.data.set(source, ((at.y + row) * picture.width + at.x) * 3);
  }
}

function report(work: Work, face: DetectedFace, identity: number | null, blend: number): FaceReport {
  return {
    box: clampBox(face.box, work.original.width, work.original.height),
    confidence: face.confidence,
    identitySimilarity: identity,
    blend,
  };
}
