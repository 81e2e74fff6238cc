import { blendEllipse } from '../../rasters/blend.js';
import { type Box, clampBox, crop, type Raster } from '../../rasters/raster.js';
import type { FacePatch, FaceReport, Patch, PipelineContext } from '../restoration/context.js';
import { IdentityCheck } from './identity.js';

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

function paste(picture: Raster, patch: Raster, at: Box): void {
  for (let row = 0; row < at.height; row++) {
    const source = patch.data.subarray(row * at.width * 3, (row + 1) * at.width * 3);
    picture.data.set(source, ((at.y + row) * picture.width + at.x) * 3);
  }
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

/** In place, in the order of the faces. Returns whether a pixel changed. */
export function blendPatches(
  picture: Raster,
  { patches }: Pick<PipelineContext, 'patches'>,
  strength: number,
): boolean {
  let isChanged = false;
  for (const patch of patches) {
    const blend = (patch?.blend ?? 0) * strength;
    if (!patch || blend <= 0) continue;
    const before: Raster | null = isChanged ? null : crop(picture, patch.at);
    blendEllipse(picture, patch.restored, patch.at, patch.full, blend);
    if (before) isChanged = Buffer.compare(before.data, crop(picture, patch.at).data) !== 0;
  }
  return isChanged;
}

export function reportsOf(
  { original, faces, patches }: Pick<PipelineContext, 'original' | 'faces' | 'patches'>,
  strength: number,
): FaceReport[] {
  return faces.map(({ box, confidence }, index) => {
    const { blend = 0, similarity = null, heldBack = false } = patches[index] ?? {};
    const ownBox = clampBox(box, original.width, original.height);
    const own = { box: ownBox, confidence, identitySimilarity: similarity, blend: blend * strength, heldBack };
    return { ...own, isVisible: false };
  });
}
