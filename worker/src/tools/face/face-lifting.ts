import type { DetectedFace } from '../../networks/face-detector.js';
import type { Role } from '../../networks/manifest.js';
import type { Session } from '../../networks/sessions.js';
import { bytesAt, heap, kernels, reserve, withKernels } from '../../rasters/kernels.js';
import { ramp } from '../../rasters/ramp.js';
import { type Box, clampBox, crop, type Raster, toPlanes } from '../../rasters/raster.js';
import { resize } from '../../rasters/resize.js';
import { interleaved, RowSampler } from '../../rasters/row-sampler.js';
import type { FaceReport, PipelineContext } from '../restoration/context.js';
import { LastResult } from '../restoration/last-result.js';
import type { Retouch } from './face-lifting-face.js';
import { planRetouch } from './face-lifting-retouch.js';
import { type LiftingModel, STYLES } from './face-lifting-styles.js';
import { drawRegions, outlineOf } from './face-regions.js';
import { type FaceShape, locateFace, uprightPatch } from './face-regions-shape.js';
import { IdentityCheck } from './identity.js';

interface LiftingOptions {
  model: LiftingModel;
  /** 0..1. */
  strength: number;
}

const MAX_FACES = 12;
/** In face widths. */
const MARGIN = 0.1;
/** Maximum width for analysis; only the finest detail is handled at full resolution. */
const GRID_FACE = 300;
/** Face width in pixels at which skin is visible, and of the full effect. */
const SMALLEST = [28, 64] as const;
/** Reduces the effect below this similarity. Another person's face reaches 0.63. */
export const MIN_SIMILARITY = 0.9;

/** Per large face on two cores; used for progress. */
const SECONDS_PER_FACE = 0.5;

/** Estimate for the detected faces, or for one before detection. */
export function secondsForLifting(context: PipelineContext): number {
  return Math.max(1, Math.min(MAX_FACES, context.faces.length)) * SECONDS_PER_FACE;
}

/** Retouches faces that are large and clear enough to show skin. */
export async function liftFaces(
  context: PipelineContext,
  options: LiftingOptions,
  onProgress: (fraction: number) => void,
): Promise<void> {
  const mesh = await context.sessions.get('face-mesh');
  const wanted = options.strength > 0 ? Math.min(MAX_FACES, context.faces.length) : 0;
  for (const [index, face] of context.faces.entries()) {
    context.signal.throwIfAborted();
    const lifted = index < wanted ? await liftFace(context, mesh, index, options) : null;
    reportLifting(context, face, lifted ?? { similarity: null, blend: 0 });
    onProgress(Math.min(1, (index + 1) / Math.max(1, wanted)));
  }
}

interface Lifted {
  similarity: number | null;
  blend: number;
}

/** What a style does to a face at any strength. */
interface FacePlan {
  readonly shape: FaceShape;
  readonly at: Box;
  readonly before: Raster;
  readonly check: IdentityCheck;
  readonly retouch: Retouch | null;
}

/** Null for a face too small or unclear to retouch. */
interface PlanResult {
  readonly plan: FacePlan | null;
  readonly roles: ReadonlySet<Role>;
}

/** Keeps the largest face only: the others are planned in a picture in which it is retouched. */
const lastPlan = new LastResult<PlanResult>();

async function liftFace(
  context: PipelineContext,
  mesh: Session,
  index: number,
  { model, strength }: LiftingOptions,
): Promise<Lifted | null> {
  const { sessions, current, faces } = context;
  const box = faces[index]?.box;
  if (!box) return null;
  const compute = async (): Promise<PlanResult> => {
    const roles = new Set<Role>();
    const plan = await sessions.clock.record(roles, () => planFace(context, mesh, box, model));
    return { plan, roles };
  };
  const { plan, roles } =
    index === 0 ? await lastPlan.of(current, [sessions.fingerprint, model, box], compute) : await compute();
  for (const role of roles) sessions.clock.reuse(role);
  if (!plan?.retouch) return null;
  context.signal.throwIfAborted();
  const { shape, at, before, check, retouch } = plan;
  const share = strength * shape.certainty * ramp(shape.width, ...SMALLEST);
  const apply = retoucher(current, before, at, retouch);
  for (let blend = share; blend > 0; blend = nextStep(blend)) {
    apply(blend);
    const { similarity } = (await check.compare(await uprightPatch(current, shape.square))) ?? {};
    if (similarity !== undefined && similarity >= MIN_SIMILARITY) return { similarity, blend };
  }
  apply(0);
  return null;
}

async function planFace(
  context: PipelineContext,
  mesh: Session,
  box: Box,
  model: LiftingModel,
): Promise<FacePlan | null> {
  const shape = await locateFace(mesh, context.current, box);
  if (!shape || shape.certainty * ramp(shape.width, ...SMALLEST) <= 0) return null;
  const at = clampBox(boundingBox(shape), context.current.width, context.current.height);
  const before = crop(context.current, at);
  // Networks run in threads of their own, beside the plan.
  const [check, retouch] = await Promise.all([
    uprightPatch(context.current, shape.square)
      .then((patch) => IdentityCheck.of(context.sessions, patch, 1))
      .then((check) => check.prepare()),
    retouchOf(before, at, shape, model),
  ]);
  return { shape, at, before, check, retouch };
}

/** The next lower tenth: strengths above a face's limit give the same result. */
const nextStep = (blend: number): number => Math.ceil(blend * 10 - 1 - 1e-6) / 10;

async function retouchOf(face: Raster, at: Box, shape: FaceShape, model: LiftingModel): Promise<Retouch | null> {
  const scale = Math.min(1, GRID_FACE / shape.width);
  const width = Math.max(1, Math.round(at.width * scale));
  const height = Math.max(1, Math.round(at.height * scale));
  const reduced = await resize(face, width, height, 'linear');
  const points = shape.points.map((value, index) =>
    index % 2 === 0 ? (value - at.x) * (width / at.width) : (value - at.y) * (height / at.height),
  );
  const faceWidth = shape.width * scale;
  const regions = drawRegions(points, faceWidth, width, height);
  return planRetouch(toPlanes(reduced), points, faceWidth, regions, STYLES[model]);
}

function boundingBox({ points, width }: FaceShape): Box {
  const outline = outlineOf(points);
  const across = outline.map(({ x }) => x);
  const down = outline.map(({ y }) => y);
  const margin = width * MARGIN;
  const x = Math.min(...across) - margin;
  const y = Math.min(...down) - margin;
  return { x, y, width: Math.max(...across) + margin - x, height: Math.max(...down) + margin - y };
}

/** @returns writes the original face with a share of the retouch */
function retoucher(picture: Raster, before: Raster, at: Box, retouch: Retouch): (blend: number) => void {
  const { width, height } = before;
  const { luma, blueDifference, redDifference, low, fine } = retouch;
  const data = interleaved([luma, blueDifference, redDifference, low, fine], RETOUCH_FLOATS);
  return (blend) =>
    withKernels(() => {
      const sampler = new RowSampler({ ...retouch, data }, RETOUCH_FLOATS, width, height);
      const [pixels, target] = [reserve(3 * width), reserve(3 * width)];
      for (let row = 0; row < height; row++) {
        heap.bytes.set(before.data.subarray(row * width * 3, (row + 1) * width * 3), pixels);
        kernels.retouchRow(pixels, sampler.line(row), sampler.columns, blend, target, width);
        picture.data.set(bytesAt(target, 3 * width), ((at.y + row) * picture.width + at.x) * 3);
      }
    });
}

/** Floats of a pixel, as the kernel reads them. */
const RETOUCH_FLOATS = 8;

function reportLifting(context: PipelineContext, face: DetectedFace, { similarity, blend }: Lifted): void {
  const box = clampBox(face.box, context.original.width, context.original.height);
  const same = ({ box: other }: FaceReport) =>
    other.x === box.x && other.y === box.y && other.width === box.width && other.height === box.height;
  const earlier = context.reports.find(same);
  if (!earlier) {
    const own = { box, confidence: face.confidence, identitySimilarity: similarity, blend, heldBack: false };
    context.reports.push({ ...own, keptOriginal: false, isVisible: false });
  } else if (similarity !== null) {
    earlier.identitySimilarity = Math.min(earlier.identitySimilarity ?? 1, similarity);
  }
}
