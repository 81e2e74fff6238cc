import {
  type AiPipeline,
  isColorTool,
  type KeptVariants,
  RECIPE_VERSION,
  toolsOf,
  upscaleFactorOf,
} from '@clearframe/contract/pipeline';
import type { ModelReference, Role } from '../../networks/manifest.js';
import type { Sessions } from '../../networks/sessions.js';
import type { Raster } from '../../rasters/raster.js';
import { resize } from '../../rasters/resize.js';
import { blendPatches, reportsOf } from '../face/blend-face.js';
import { type FacePlan, planFaces } from '../face/plan-faces.js';
import type { Damage } from '../repair/find-damage.js';
import { REPAIR_SECONDS, type Repaired, repairDamage } from '../repair/repair-damage.js';
import { contextOf, type FaceReport, type LeftAlone, type PipelineContext } from '../restoration/context.js';
import { releaseResultsUnless } from '../restoration/last-result.js';
import {
  baseOf,
  type ChangeMap,
  composeBackground,
  type EncodedChanges,
  encodeChanges,
  isSame,
  isSameUnder,
  isVisible,
  isVisibleIn,
  limitToMask,
  type Mask,
  mapChanges,
  shownOf,
} from './compose.js';
import { type KeptBytes, KeptParts } from './kept-parts.js';
import type { PixelMap } from './pixel-maps.js';
import { PipelineProgress, type ReportProgress } from './progress.js';
import { FINISHING_STEPS, RESTORING_STEPS, restoresPicture, type Step, type Work } from './steps.js';

export interface StepTiming {
  readonly step: string;
  readonly ms: number;
  /** Part of `ms` inside networks. */
  readonly sessionMs: number;
}

export interface PipelineOptions {
  faceDetectorMaxInputRes?: number | undefined;
  /** 16-bit samples of the input; see {@link keepsDepth}. */
  deep?: Uint16Array | undefined;
  /** Absent: sRGB. */
  icc?: Uint8Array | undefined;
  /** Size of the result in pixels, at least the input's; absent: the input's. */
  size?: { readonly width: number; readonly height: number } | undefined;
  /** Whether a larger result follows, of the original in its size; see `unmapped` of {@link PipelineResult}. */
  isReduced?: boolean | undefined;
  /** Limits the result of all tools; of the result's size. Absent: they apply everywhere. */
  mask?: Uint8Array | undefined;
  /** Names of the parts to keep, and kept ones of earlier runs; absent: none. */
  keep?: { readonly variants: KeptVariants; readonly parts: readonly KeptBytes[] } | undefined;
  signal: AbortSignal;
  onProgress: ReportProgress;
}

export interface UnmappedResult {
  /** 16 bits, if the input had them. */
  readonly data: Uint8Array | Uint16Array;
  /** In order. Tables have all colors. */
  readonly maps: readonly PixelMap[];
}

export interface PipelineResult {
  raster: Raster;
  /** 16 bits, if the input was. */
  deep: Uint16Array | null;
  faces: FaceReport[];
  timings: StepTiming[];
  leftAlone: LeftAlone[];
  /** The result before its last steps, as far as these are maps and no mask limits them; only of reduced pictures. */
  unmapped: UnmappedResult | null;
  /** Neither enlarged nor visibly changed: the pixels are the input's. */
  isUntouched: boolean;
  /** What was found in the input and filled; null if it was not sought. */
  damage: Pick<Damage, 'area' | 'count'> | null;
  /** Places of requested faces that match none. */
  unmatchedFaces: number[];
  /** Networks that ran, here or for kept parts. */
  models: ModelReference[];
  /** The restored picture before other tools, of at most 320 pixels. */
  base: Raster;
  changes: ChangeMap | EncodedChanges | null;
  kept: readonly KeptBytes[];
}

/** Only color keeps 16 bits a sample; networks have 8. */
export function keepsDepth(pipeline: AiPipeline): boolean {
  return upscaleFactorOf(pipeline) === 1 && toolsOf(pipeline).every(isColorTool);
}

export async function runPipeline(
  sessions: Sessions,
  input: Raster,
  pipeline: AiPipeline,
  options: PipelineOptions,
): Promise<PipelineResult> {
  const { size = input, mask = null } = options;
  const progress = new PipelineProgress(options.onProgress);
  const timings: StepTiming[] = [];
  const rolesOfRepair = new Set<Role>();
  const repaired = await sessions.clock.record(rolesOfRepair, () =>
    repairFirst(sessions, input, pipeline, { ...options, progress, timings }),
  );
  const source = await resize(input, size.width, size.height, 'cubic');
  const original =
    repaired && repaired.picture !== input ? await resize(repaired.picture, size.width, size.height, 'cubic') : source;
  const work = workOn(sessions, original, pipeline, { ...options, isEnlarged: source !== input });
  work.ran.set('repair', rolesOfRepair);
  const { context } = work;
  const steps = [...RESTORING_STEPS, ...FINISHING_STEPS].filter((step) => step.wanted(work));
  const begun = new Map<Step, ReturnType<Step['begin']>>();
  const rolesIn = ({ name }: Step): Set<Role> => {
    const roles = work.ran.get(name) ?? new Set();
    work.ran.set(name, roles);
    return roles;
  };
  const begin = (step: Step) => {
    const finish = begun.get(step) ?? sessions.clock.record(rolesIn(step), () => step.begin(work));
    begun.set(step, finish);
    return finish;
  };
  const run = async (step: Step): Promise<void> => {
    options.signal.throwIfAborted();
    const remaining = steps.slice(steps.indexOf(step)).map(({ name, seconds }) => ({ name, seconds: seconds(work) }));
    const [planned] = remaining;
    const report = progress.begin(remaining);
    const start = performance.now();
    const inferenceStart = sessions.clock.total;
    const finish = begin(step);
    await sessions.clock.record(rolesIn(step), () => finish(report));
    report(1);
    const ms = performance.now() - start;
    if (planned) progress.end(planned, ms / 1000);
    timings.push({ step: step.name, ms, sessionMs: sessions.clock.total - inferenceStart });
  };
  try {
    for (const [at, step] of RESTORING_STEPS.entries()) {
      if (!steps.includes(step)) continue;
      const next = RESTORING_STEPS[at + 1];
      if (next && steps.includes(next)) begin(next);
      await run(step);
    }
  } finally {
    await context.beside.ended();
  }
  const { plans, unmatched } = planFaces(context, pipeline.faceEnhance);
  let leftAlone = applyStrengths(work, plans, mask);
  if (repaired && isSameUnder(mask, original.data, source.data)) leftAlone.unshift('repair');
  markVisibleFaces(context, original, mask);
  const restored = shownOf(context.current, source, mask);
  const isRestored = !isSame(restored, source);
  // libvips reduces on a thread of its own.
  const [base, map] = await Promise.all([baseOf(context.current), isRestored ? mapChanges(source, restored) : null]);
  let unmapped: UnmappedResult | null = null;
  const finishing = FINISHING_STEPS.filter((step) => steps.includes(step));
  // Encoded beside the finishing steps, which leave a core idle; without any, beside the result.
  const changes = map && finishing.length > 0 ? context.beside.add(encodeChanges(map)) : map;
  for (const step of finishing) {
    const before = {
      pixels: Uint8Array.from(context.current.data),
      deep: context.deep && Uint16Array.from(context.deep),
    };
    work.map = null;
    await run(step);
    const isUnchanged =
      isSameUnder(mask, before.pixels, context.current.data) &&
      (!before.deep || !context.deep || isSameUnder(mask, before.deep, context.deep));
    if (!options.isReduced || mask || (!work.map && !isUnchanged)) unmapped = null;
    else if (work.map) unmapped = withMap(unmapped, work.map, before.deep ?? before.pixels);
    // The light is one part of its tool: the other has said whether it was left alone.
    if (step.name === 'light') leftAlone = isUnchanged ? leftAlone : leftAlone.filter((tool) => tool !== step.tool);
    else if (isUnchanged) leftAlone.push(step.tool);
    else if (step.tool === 'face_lifting') markVisibleFaces(context, { ...original, data: before.pixels }, mask);
  }
  if (mask) {
    limitToMask(context.current.data, source.data, mask);
    if (context.deep && options.deep) limitToMask(context.deep, options.deep, mask);
  }
  const isRepaired = repaired !== null && !leftAlone.includes('repair');
  const isUntouched = !work.isEnlarged && !isRepaired && !isChanged(context);
  return {
    raster: isUntouched ? source : context.current,
    deep: isUntouched ? (options.deep ?? null) : context.deep,
    faces: context.reports,
    timings,
    leftAlone,
    unmapped: isUntouched ? null : unmapped,
    isUntouched,
    damage: repaired && { area: repaired.area, count: repaired.count },
    unmatchedFaces: unmatched,
    models: sessions.referencesOf(rolesOf(work)),
    base,
    changes: isUntouched ? null : await changes,
    kept: (await work.kept?.written()) ?? [],
  };
}

/** Seconds per megapixel that other tools take after the repair: for progress, before they can be estimated. */
const SECONDS_AFTER_REPAIR = 3;

/** Before all else, in the input's own size; null if it is not asked for. */
async function repairFirst(
  sessions: Sessions,
  input: Raster,
  pipeline: AiPipeline,
  {
    signal,
    progress,
    timings,
  }: Pick<PipelineOptions, 'signal'> & { progress: PipelineProgress; timings: StepTiming[] },
): Promise<Repaired | null> {
  if (!pipeline.repair) return null;
  const megapixels = (input.width * input.height) / 1e6;
  const planned = { name: 'repair', seconds: megapixels * REPAIR_SECONDS };
  const others = toolsOf(pipeline).length > 1 ? [{ name: 'others', seconds: megapixels * SECONDS_AFTER_REPAIR }] : [];
  const report = progress.begin([planned, ...others]);
  const [start, inferenceStart] = [performance.now(), sessions.clock.total];
  const repaired = await repairDamage({ sessions, signal }, input, pipeline.repair);
  report(1);
  const ms = performance.now() - start;
  progress.end(planned, ms / 1000);
  timings.push({ step: planned.name, ms, sessionMs: sessions.clock.total - inferenceStart });
  return repaired;
}

function workOn(
  sessions: Sessions,
  original: Raster,
  pipeline: AiPipeline,
  { keep, isEnlarged, isReduced = false, ...options }: PipelineOptions & { isEnlarged: boolean },
): Work {
  const { faceDetectorMaxInputRes } = options;
  releaseResultsUnless(original);
  const context = contextOf({
    sessions,
    signal: options.signal,
    original,
    current: { ...original, data: Uint8Array.from(original.data) },
    deep: options.deep ? Uint16Array.from(options.deep) : null,
    icc: options.icc ?? null,
    wholeTables: isReduced,
  });
  const dependencies = [RECIPE_VERSION, sessions.fingerprint, faceDetectorMaxInputRes];
  const kept =
    keep && (keep.variants.background ?? keep.variants.faces)
      ? new KeptParts(original, dependencies, keep.variants, keep.parts)
      : null;
  const faces = kept?.faces() ?? null;
  return {
    context,
    pipeline,
    isEnlarged,
    faceDetectorMaxInputRes,
    kept,
    background: kept?.background() ?? null,
    faces,
    isBlended: false,
    map: null,
    ran: new Map(),
  };
}

const withMap = (result: UnmappedResult | null, map: PixelMap, before: UnmappedResult['data']): UnmappedResult => ({
  data: result?.data ?? before,
  maps: [...(result?.maps ?? []), map],
});

function markVisibleFaces({ reports, current }: PipelineContext, before: Raster, mask: Mask): void {
  for (const report of reports) report.isVisible ||= isVisibleIn(report.box, before, current, mask);
}

const isChanged = ({ original, current, reports }: PipelineContext): boolean =>
  isVisible(original, current) || reports.some(({ box }) => isVisibleIn(box, original, current));

/** Writes the restored picture with the requested strengths. Returns the tools that changed nothing. */
function applyStrengths(work: Work, plans: readonly FacePlan[], mask: Mask): LeftAlone[] {
  const { context, pipeline } = work;
  const { original, current } = context;
  const { backgroundEnhance, faceEnhance } = pipeline;
  if (!restoresPicture(work) && !faceEnhance) return [];
  const ofBackground = backgroundEnhance?.strength ?? 1;
  const areFacesFull = plans.every(({ strength, isOriginal }) => strength === 1 && !isOriginal);
  const leftAlone: LeftAlone[] = [];
  if (faceEnhance) context.reports = reportsOf(context, plans);
  if (work.isBlended && ofBackground === 1 && areFacesFull) {
    const background = context.background ?? context.original;
    if (backgroundEnhance && isSameUnder(mask, background.data, original.data)) leftAlone.push('background_enhance');
    if (isSameUnder(mask, current.data, background.data)) leftAlone.push('face_enhance');
    return leftAlone;
  }
  composeBackground(context, ofBackground);
  if (backgroundEnhance && isSameUnder(mask, current.data, original.data)) leftAlone.push('background_enhance');
  const withoutFaces = faceEnhance && mask ? Uint8Array.from(current.data) : null;
  const isChanged = faceEnhance && blendPatches(current, context, plans);
  const isHidden = withoutFaces !== null && isSameUnder(mask, withoutFaces, current.data);
  if (faceEnhance && (!isChanged || isHidden)) leftAlone.push('face_enhance');
  return leftAlone;
}

const rolesOf = ({ background, faces, ran }: Work): Set<Role> =>
  new Set([...(background?.roles ?? []), ...(faces?.roles ?? []), ...[...ran.values()].flatMap((step) => [...step])]);
