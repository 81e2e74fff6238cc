import { FACE_V1_PRE_BLUR } from '@clearframe/contract';
import { ramp } from '../../../rasters/ramp.js';
import { type Box, clampBox, createRaster, crop, type Raster } from '../../../rasters/raster.js';
import type { Face, FaceReport, Work } from '../../context/context.js';
import {
  type EnsembleOptions,
  LARGE_SECONDS,
  restoreTogether,
  secondsFor,
  smallReduction,
  verySoftPart,
} from '../../restoration/ensemble.js';
import { mixLayers } from '../../restoration/layers.js';
import { needOf } from '../../signal/need.js';
import { assess } from '../../signal/reclaim.js';
import { MESH_SCALE, squareAround } from '../verification/verify-faces.js';
import { layInWhileSimilar } from './lay-in.js';

export interface FaceOptions {
  model: 'base' | 'v1' | 'v2';
  /** 0..1. */
  strength: number;
}

const MODELS: Readonly<Record<FaceOptions['model'], EnsembleOptions>> = {
  base: { vigour: 0.5, maxGain: 2, small: 0.25, large: 0.45, largePixels: 144 ** 2, preBlur: 0, texture: 0 },
  v1: {
    vigour: 0.5,
    maxGain: 2,
    small: 0.4,
    large: 0.45,
    largePixels: 144 ** 2,
    preBlur: FACE_V1_PRE_BLUR,
    texture: 0,
  },
  v2: { vigour: 0.5, maxGain: 2.5, small: 0.15, large: 0.7, largePixels: 160 ** 2, preBlur: 0, texture: 0.35 },
};

/** Seconds for a face beside the networks. */
const SECONDS_BESIDE = 0.15;
/** More faces than this in one picture are a crowd; the biggest come first. */
const MAX_FACES = 12;
/**
 * Side of the square that is restored, in face boxes: hair, chin and neck come along. A face with more detail than
 * the large network takes is cut closer, so that less of it is lost.
 */
const CROP_SCALE = { closest: 1.6, widest: 1.9 } as const;
/** The square may have this many times more real pixels a side than the large network takes before it is cut closer. */
const CROP_LOSS = 1.3;
/** The whole picture's result serves a face too when its reduction suits the face this nearly. */
const NEAR = 1.5;

/**
 * Real pixels across a face box, and levels of noise. With fewer pixels and more noise the networks invent somebody;
 * a small face that is merely soft they bring nearer to who it is. Measured by the distance of a recognition network
 * before and after.
 */
const RECOGNISABLE = { from: 28, to: 64 } as const;
const DECEPTIVE = { from: 0.5, to: 3 } as const;
/** In this much noise a small face is more like itself in what the whole picture got: up to so much of that is kept. */
const HOPELESS = { from: 8, to: 11, kept: 0.45 } as const;
const LEAST_TRUST = 0.3;
/** The part that the small network keeps in a face that is only a little soft. */
const LITTLE_SMALL = 0.35;
/** A face is reduced less than a picture would be before noise is taken out: features are finer than noise. */
const FACE_REDUCTION = 0.75;

/**
 * Noise and blockiness in levels between which the vigour of the cleaning doubles, so that it is the whole picture's: a
 * little of them is less bad than a smoothed face.
 */
const NOISY = { from: 2, to: 7 } as const;
const BLOCKY = { from: 0.95, to: 1.6 } as const;

/** Estimated seconds for the faces found so far, or for one face when none was looked for yet. */
export function secondsForFaces(work: Work, name: FaceOptions['model']): number {
  const model = MODELS[name];
  if (work.faces.length === 0) return (model.largePixels / 1e6) * LARGE_SECONDS;
  return work.faces.slice(0, MAX_FACES).reduce((sum, face) => {
    return sum + SECONDS_BESIDE + secondsFor(regionOf(work, face, model).at, face.softness, model);
  }, 0);
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
    const report = (part: number) => onProgress((index + part) / chosen.length);
    work.reports.push(await enhanceFace(work, face, options, report));
    report(1);
  }
  for (const face of work.faces.slice(MAX_FACES)) work.reports.push(report(work, face, null, 0));
}

async function enhanceFace(
  work: Work,
  face: Face,
  options: FaceOptions,
  onProgress: (fraction: number) => void,
): Promise<FaceReport> {
  const model = MODELS[options.model];
  const { softness } = face;
  const { full, at } = regionOf(work, face, model);
  const original = crop(work.original, at);
  const assessed = await assess(original, softness, FACE_REDUCTION);
  // A face has few calm places, so that its texture may look like noise; the whole picture knows better.
  const noise = Math.min(assessed.damage.noise, work.assessed?.damage.noise ?? Number.POSITIVE_INFINITY);
  assessed.damage = { ...assessed.damage, noise };
  const small = 1 - ramp(realPixelsOf(face), RECOGNISABLE.from, RECOGNISABLE.to);
  const hope = 1 - HOPELESS.kept * small * ramp(noise, HOPELESS.from, HOPELESS.to);
  const share = options.strength * needOf(assessed.damage) * hope;
  if (share <= 0) return report(work, face, null, 0);
  const trust = 1 - (1 - LEAST_TRUST) * small * ramp(noise, DECEPTIVE.from, DECEPTIVE.to);
  const dirt = Math.max(ramp(noise, NOISY.from, NOISY.to), ramp(assessed.damage.blockiness, BLOCKY.from, BLOCKY.to));
  const { layers } = await restoreTogether(work, original, assessed, {
    ...model,
    vigour: model.vigour * (1 + dirt),
    small: smallPart(model, softness) * trust,
    large: model.large * trust,
    texture: model.texture * (1 - dirt),
    seen: model.preBlur > 0 ? undefined : seenAlready(work, at, softness),
    onProgress,
  });
  const restored = createRaster(at.width, at.height);
  mixLayers(restored, layers, 1);
  const measured = clampBox(squareAround(face.box, MESH_SCALE), work.original.width, work.original.height);
  const mesh = await work.sessions.get('face-mesh');
  const patch = { restored, at, full, measured };
  const { blend, similarity } = await layInWhileSimilar(mesh, work.original, work.current, patch, share);
  return report(work, face, similarity, blend);
}

/** A view that was softened by more than half of what the face lacks itself shows less of it than the face does. */
function smallPart({ small, preBlur }: EnsembleOptions, softness: number): number {
  const seen = preBlur > 0 ? ramp(softness, preBlur, 2 * preBlur) : 1;
  return small * seen * (LITTLE_SMALL + (1 - LITTLE_SMALL) * verySoftPart(softness));
}

/** Pixels across the face that carry detail. */
function realPixelsOf({ box, softness }: Face): number {
  return Math.max(box.width, box.height) / softness;
}

/** The square that is restored with a face, as it would be if the picture did not end, and what of it is inside. */
function regionOf({ original }: Work, face: Face, { largePixels }: EnsembleOptions): { full: Box; at: Box } {
  const fitting = (CROP_LOSS * Math.sqrt(largePixels)) / realPixelsOf(face);
  const full = squareAround(face.box, Math.max(CROP_SCALE.closest, Math.min(CROP_SCALE.widest, fitting)));
  return { full, at: clampBox(full, original.width, original.height) };
}

/** The background step's own result, when it looked about as closely as this face needs. */
function seenAlready(work: Work, at: Box, softness: number): Raster | undefined {
  if (!work.cleaned) return undefined;
  const ratio = work.cleaned.reduction / smallReduction(softness);
  return ratio < NEAR && ratio > 1 / NEAR ? crop(work.cleaned.raster, at) : undefined;
}

function report({ original }: Work, face: Face, identity: number | null, blend: number): FaceReport {
  return {
    box: clampBox(face.box, original.width, original.height),
    confidence: face.confidence,
    identitySimilarity: identity,
    blend,
  };
}
