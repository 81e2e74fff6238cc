import {
  type DetectedFace,
  detectFaces,
  type FaceDetectorOptions,
  suppressOverlaps,
} from '../../../networks/faces/face-detector.js';
import { type Raster, scaleBox } from '../../../rasters/raster.js';
import { resize } from '../../../rasters/resize.js';
import type { Face, PipelineContext } from '../../context/context.js';
import { denoise } from '../../signal/denoise.js';
import { locateFace, locateHiddenFace } from './locate-face.js';
import { ALWAYS_LOCATED, measureFace, realPixelsOf, verifyFaces } from './verify-faces.js';

/** Levels of noise that can hide a soft face from the detector. */
const HIDING_NOISE = 2.5;

/** Detection depends on the original only, so that it can begin before the picture is measured. */
export class FaceSearch {
  readonly #context: PipelineContext;
  readonly #maxInputRes: number;
  #detecting: Promise<DetectedFace[]> | undefined;
  #report: (fraction: number) => void = () => undefined;

  constructor(context: PipelineContext, maxInputRes: number) {
    this.#context = context;
    this.#maxInputRes = maxInputRes;
  }

  begin(): void {
    this.#detecting = this.#detect();
    // Reported to the one who awaits it, or not needed.
    this.#detecting.catch(() => undefined);
  }

  async finish(onProgress: (fraction: number) => void): Promise<Face[]> {
    this.#report = onProgress;
    if (!this.#detecting) this.begin();
    return findFaces(this.#context, this.#options, await this.#detecting);
  }

  /** Resolves when nothing runs any more, however it ended. */
  async settled(): Promise<void> {
    await this.#detecting?.catch(() => undefined);
  }

  async #detect(): Promise<DetectedFace[]> {
    const { sessions, original } = this.#context;
    return detectFaces(await sessions.get('detect-face'), original, this.#options);
  }

  get #options(): FaceDetectorOptions {
    const onWindow = (done: number, total: number) => this.#report(done / total);
    return { maxInputRes: this.#maxInputRes, signal: this.#context.signal, onWindow };
  }
}

/**
 * Detects faces, in noise that hides all of them in the denoised picture, and confirms them by the mesh; largest first.
 * @param detected candidates in the original, if it has been searched
 */
export async function findFaces(
  context: PipelineContext,
  options: FaceDetectorOptions,
  detected?: readonly DetectedFace[],
): Promise<Face[]> {
  const session = await context.sessions.get('detect-face');
  const candidates = detected ?? (await detectFaces(session, context.original, options));
  const faces = await verifyFaces(context, candidates);
  // Beside a face, patterns of a shirt passed for one.
  if (faces.length > 0) return faces;
  const denoised = await withoutNoise(context, options.maxInputRes);
  if (!denoised) return [];
  const found = await detectFaces(session, denoised, { ...options, onWindow: undefined });
  const seen = await Promise.all(found.map(({ box }) => locateFace(context.sessions, denoised, box)));
  const scale = context.original.width / denoised.width;
  const others = found.map(({ box, confidence }) => ({ box: scaleBox(box, scale), confidence }));
  const clear = others.filter((_, index) => seen[index]);
  // Noise without a face can become one by denoising, so that the mesh has to find it in the noisy picture too.
  const located = await Promise.all(clear.map(({ box }) => locateFace(context.sessions, context.original, box)));
  const confirmed = await verifyFaces(
    context,
    clear.filter((_, index) => located[index]),
  );
  return confirmed.length > 0 ? confirmed : findHidden(context, denoised, [...others, ...candidates]);
}

/** Candidates that show the same face restored from the noisy and from the denoised picture. */
async function findHidden(
  context: PipelineContext,
  denoised: Raster,
  candidates: readonly DetectedFace[],
): Promise<Face[]> {
  const { sessions, original, signal } = context;
  const faces: Face[] = [];
  for (const candidate of candidates) {
    signal.throwIfAborted();
    const face = measureFace(context, candidate);
    if (realPixelsOf(face) >= ALWAYS_LOCATED) continue;
    const points = await locateHiddenFace(sessions, { noisy: original, denoised }, face.box);
    if (points) faces.push({ ...face, points });
  }
  return suppressOverlaps(faces).sort((a, b) => b.box.width - a.box.width);
}

/**
 * The picture at the size at which the detector searches. Null with little noise, or where that size averages it out.
 */
async function withoutNoise({ original, assessed }: PipelineContext, maxSide: number): Promise<Raster | null> {
  if (!assessed || assessed.defects.noise < HIDING_NOISE) return null;
  if (Math.max(assessed.planes.width, assessed.planes.height) > maxSide) return null;
  const { reduced } = await denoise(original, assessed);
  const scale = Math.min(1, maxSide / Math.max(original.width, original.height));
  const sideOf = (length: number) => Math.max(1, Math.round(length * scale));
  return resize(reduced, sideOf(original.width), sideOf(original.height), 'cubic');
}
