import { bytesAt, floatsAt, heap, kernels, reserve, withKernels } from '../../rasters/kernels.js';
import { smoothstep } from '../../rasters/ramp.js';
import { type Box, clampBox, crop, paste, type Raster } from '../../rasters/raster.js';
import type { FacePatch, FaceReport, Patch, PipelineContext } from '../restoration/context.js';
import { regionOf } from './face-geometry.js';
import { IdentityCheck } from './identity.js';
import type { FacePlan } from './plan-faces.js';

/** Smaller shares are not worth their seams. */
const MIN_BLEND = 0.15;
/** Bisections between the greatest accepted and the least rejected share. */
const REFINEMENTS = 2;

/**
 * Blends a restored face in place by the greatest share at which it still shows the same person. Returns the share,
 * the similarity if known, and whether the share was reduced.
 */
export async function blendWhileSimilar(
  check: IdentityCheck,
  picture: Raster,
  { restored, at, full, measured }: Patch,
  share: number,
): Promise<Pick<FacePatch, 'blend' | 'similarity' | 'heldBack'>> {
  const underneath = crop(picture, at);
  let shown: number | null = null;
  const show = (blend: number): void => {
    if (blend === shown) return;
    if (shown !== null) paste(picture, underneath, at);
    if (blend > 0) blendEllipse(picture, restored, at, full, blend);
    shown = blend;
  };
  let accepted: { blend: number; similarity: number | null } = { blend: 0, similarity: null };
  let rejected = Number.POSITIVE_INFINITY;
  const attempt = async (blend: number): Promise<boolean> => {
    show(blend);
    const comparison = await check.compare(crop(picture, measured));
    const isSame = comparison?.same ?? true;
    if (isSame) accepted = { blend, similarity: comparison?.similarity ?? null };
    else rejected = blend;
    return isSame;
  };
  let blend = share;
  while (!(await attempt(blend)) && blend / 2 >= MIN_BLEND) blend /= 2;
  const isHeldBack = accepted.blend < share;
  if (isHeldBack && accepted.blend > 0) {
    for (let done = 0; done < REFINEMENTS; done++) await attempt((accepted.blend + rejected) / 2);
  }
  show(accepted.blend);
  return { ...accepted, heldBack: isHeldBack };
}

/** Blends kept patches into the current picture again, and measures in it how much of each may be blended. */
export async function blendAgain(context: PipelineContext): Promise<void> {
  for (const [index, patch] of context.patches.entries()) {
    context.signal.throwIfAborted();
    if (!patch) continue;
    const { sessions, original, current } = context;
    const check = await IdentityCheck.of(sessions, crop(original, patch.measured), patch.softness);
    const blended = await blendWhileSimilar(check, current, patch, patch.share);
    context.patches[index] = { ...patch, ...blended };
  }
}

/** In place, in the order of the faces. Returns whether a restored one changed a pixel. */
export function blendPatches(
  picture: Raster,
  { original, faces, patches }: Pick<PipelineContext, 'original' | 'faces' | 'patches'>,
  plans: readonly FacePlan[],
): boolean {
  let isChanged = false;
  for (const [index, patch] of patches.entries()) {
    const blend = shownShare(patch, plans[index]);
    if (!patch || blend <= 0) continue;
    const before: Raster | null = isChanged ? null : crop(picture, patch.at);
    blendEllipse(picture, patch.restored, patch.at, patch.full, blend);
    if (before) isChanged = Buffer.compare(before.data, crop(picture, patch.at).data) !== 0;
  }
  // Last: another face may reach into them.
  for (const [index, face] of faces.entries()) {
    if (!plans[index]?.isOriginal) continue;
    const { at, full } = regionOf({ original }, face);
    blendEllipse(picture, crop(original, at), at, full, 1);
  }
  return isChanged;
}

export function reportsOf(
  { original, faces, patches }: Pick<PipelineContext, 'original' | 'faces' | 'patches'>,
  plans: readonly FacePlan[],
): FaceReport[] {
  return faces.map(({ box, confidence }, index) => {
    const { similarity = null, heldBack = false } = patches[index] ?? {};
    return {
      box: clampBox(box, original.width, original.height),
      confidence,
      identitySimilarity: similarity,
      blend: shownShare(patches[index], plans[index]),
      heldBack,
      keptOriginal: plans[index]?.isTooDifferent ?? false,
      isVisible: false,
    };
  });
}

const shownShare = (patch: FacePatch | null | undefined, plan: FacePlan | undefined): number =>
  !plan || plan.isOriginal ? 0 : (patch?.blend ?? 0) * plan.strength;

/** Relative radius of full opacity; from here the patch fades out. */
const OPAQUE_RADIUS = 0.62;
/** Relative radius beyond which less than a fifth of the opacity is left. */
const VISIBLE_RADIUS = 0.9;

/**
 * Blends a patch through a feathered ellipse, in place. The patch covers `at`; the ellipse belongs to `full`, the
 * region before it was cut at the picture's edge, where faces must not fade.
 */
export function blendEllipse(picture: Raster, patch: Raster, at: Box, full: Box, share: number): void {
  const across = ellipseTerms(at.x - full.x, at.width, full.width);
  const down = ellipseTerms(at.y - full.y, at.height, full.height);
  const stride = at.width * 3;
  withKernels(() => {
    const shares = reserve(4 * at.width);
    const [own, restored, blended] = [reserve(stride), reserve(stride), reserve(stride)];
    for (let y = 0; y < at.height; y++) {
      if (!writeOpacities(across, down[y] ?? 1, share, floatsAt(shares, at.width))) continue;
      const start = ((at.y + y) * picture.width + at.x) * 3;
      heap.bytes.set(picture.data.subarray(start, start + stride), own);
      heap.bytes.set(patch.data.subarray(y * stride, (y + 1) * stride), restored);
      kernels.blendBytes(own, restored, shares, blended, at.width);
      picture.data.set(bytesAt(blended, stride), start);
    }
  });
}

/** Where a patch shows in {@link blendEllipse}, in fractions of `at`. */
export function visiblePart(at: Box, full: Box): Box {
  const [width, height] = [VISIBLE_RADIUS * full.width, VISIBLE_RADIUS * full.height];
  return {
    x: (full.x + (full.width - width) / 2 - at.x) / at.width,
    y: (full.y + (full.height - height) / 2 - at.y) / at.height,
    width: width / at.width,
    height: height / at.height,
  };
}

/** Writes the opacities of a row of the ellipse; false where the row is outside. */
function writeOpacities(across: Float32Array, vertical: number, share: number, opacities: Float32Array): boolean {
  if (vertical >= 1) return false;
  for (let x = 0; x < opacities.length; x++) {
    const distance = vertical + (across[x] as number);
    opacities[x] =
      distance <= OPAQUE_RADIUS ** 2 ? share : share * (1 - smoothstep(OPAQUE_RADIUS, 1, Math.sqrt(distance)));
  }
  return true;
}

/** Squared distance from the center, in radii. */
function ellipseTerms(start: number, length: number, full: number): Float32Array {
  return Float32Array.from({ length }, (_, index) => (((start + index + 0.5) * 2) / full - 1) ** 2);
}
