import type { PictureMeasures } from '@clearframe/contract/pipeline';
import { DEFAULT_DETECTOR_RES } from '../../networks/face-detector.js';
import type { Sessions } from '../../networks/sessions.js';
import type { Raster } from '../../rasters/raster.js';
import { resize } from '../../rasters/resize.js';
import { measureLight } from '../color/color-measure.js';
import { colorSpaceOf } from '../color/color-space.js';
import { restorableFaces } from '../face/enhance-faces.js';
import { beginSearch } from '../face/find-faces.js';
import { realPixelsOf } from '../face/verify-faces.js';
import { isFaded, measureFade } from '../fade/measure-fade.js';
import { measureDamage } from '../repair/measure-damage.js';
import { contextOf, measurePicture } from '../restoration/context.js';
import { enhancementNeed } from '../restoration/denoise.js';

export interface AnalysisOptions {
  /** Size in pixels at which the picture would be restored, at least its own. */
  readonly size: { readonly width: number; readonly height: number };
  readonly faceDetectorMaxInputRes?: number | undefined;
  readonly seeksDamage?: boolean | undefined;
  /** Absent: sRGB. */
  readonly icc?: Uint8Array | undefined;
  readonly signal: AbortSignal;
}

/** Measures a picture as its restoration would, and restores nothing. */
export async function analyzePicture(
  sessions: Sessions,
  input: Raster,
  { size, faceDetectorMaxInputRes = DEFAULT_DETECTOR_RES, seeksDamage, icc, signal }: AnalysisOptions,
): Promise<PictureMeasures> {
  const original = await resize(input, size.width, size.height, 'cubic');
  const context = contextOf({ sessions, signal, original, current: original, deep: null, icc: icc ?? null });
  try {
    const search = beginSearch(context, faceDetectorMaxInputRes);
    Object.assign(context, await measurePicture(original));
    const own = original === input ? context.assessed : (await measurePicture(input)).assessed;
    await search(() => undefined);
    if (!context.assessed || !own) throw new Error('the picture has not been measured');
    const restorable = await restorableFaces(context);
    const space = colorSpaceOf(context.icc);
    const { softness, noise, blockiness } = own.defects;
    return {
      softness: rounded(softness),
      noise: rounded(noise),
      blockiness: rounded(blockiness),
      need: rounded(enhancementNeed(context.assessed.defects)),
      light: await measureLight(input, space),
      isFaded: isFaded(await measureFade(input, space)),
      faces: context.faces.map((face) => ({
        box: {
          x: face.box.x / original.width,
          y: face.box.y / original.height,
          width: face.box.width / original.width,
          height: face.box.height / original.height,
        },
        realPixels: Math.round(realPixelsOf(face)),
        isRestorable: restorable.has(face),
      })),
      ...(seeksDamage && { damage: await measureDamage(context, input) }),
    };
  } finally {
    await context.beside.ended();
  }
}

const rounded = (value: number): number => Math.round(value * 1000) / 1000;
