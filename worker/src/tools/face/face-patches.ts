import { blendEllipse } from '../../rasters/blend.js';
import { clampBox, crop, type Raster } from '../../rasters/raster.js';
import type { FaceReport, PipelineContext } from '../restoration/context.js';
import { blendWhileSimilar } from './blend-face.js';
import { IdentityCheck } from './identity.js';

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
