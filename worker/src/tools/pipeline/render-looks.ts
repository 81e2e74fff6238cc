import type { Look } from '@clearframe/contract';
import { type AiPipeline, BOKEH_PRESETS, ColorEnhance, FaceLifting } from '@clearframe/contract/pipeline';
import { DEFAULT_DETECTOR_RES, detectFaces } from '../../networks/face-detector.js';
import type { Sessions } from '../../networks/sessions.js';
import type { Raster } from '../../rasters/raster.js';
import { blurBackground } from '../bokeh/bokeh.js';
import { type Correction, measureColor } from '../color/color-measure.js';
import { colorSpaceOf } from '../color/color-space.js';
import { enhanceColor } from '../color/enhance-color.js';
import { liftFaces } from '../face/face-lifting.js';
import { verifyFaces } from '../face/verify-faces.js';
import { restoreFade } from '../fade/restore-fade.js';
import { contextOf, type PipelineContext } from '../restoration/context.js';

/** The picture with one model of a tool, beside the other tools of its result. */
export interface RenderedLook extends Pick<Look, 'tool' | 'model'> {
  readonly raster: Raster;
}

interface LooksOptions {
  /** Absent: sRGB. */
  readonly icc?: Uint8Array | undefined;
  readonly signal: AbortSignal;
}

type Finishing = Pick<AiPipeline, 'fade' | 'faceLifting' | 'bokeh' | 'colorEnhance'>;

/** 33 take twice as long. Thumbnails differ from results by at most 3 levels. */
const TABLE_POINTS = 25;
const BLURS = Object.keys(BOKEH_PRESETS) as (keyof typeof BOKEH_PRESETS)[];

/**
 * Renders every look, blur and retouching style on a small restored picture. Tools that several of them share run once.
 */
export async function renderLooks(
  sessions: Sessions,
  restored: Raster,
  { fade, faceLifting, bokeh, colorEnhance }: AiPipeline,
  options: LooksOptions,
): Promise<RenderedLook[]> {
  const context = await begin(sessions, restored, options);
  const apply = (picture: Raster, tools: Finishing) => finish(context, picture, tools);
  const base = await apply(restored, { fade });
  const lifted = await apply(base, { faceLifting });
  const blurred = await apply(lifted, { bokeh });
  const looks: RenderedLook[] = [];
  const correction = await measureColor(blurred, colorSpaceOf(context.icc));
  for (const model of ColorEnhance.shape.model.options) {
    const raster = await finish(context, blurred, { colorEnhance: { model } }, correction);
    looks.push({ tool: 'color_enhance', model, raster });
  }
  for (const model of BLURS) {
    looks.push({ tool: 'bokeh', model, raster: await apply(lifted, { bokeh: { model }, colorEnhance }) });
  }
  for (const model of FaceLifting.shape.model.options) {
    const raster = await apply(base, { faceLifting: { model }, bokeh, colorEnhance });
    looks.push({ tool: 'face_lifting', model, raster });
  }
  return looks;
}

async function begin(sessions: Sessions, base: Raster, { icc, signal }: LooksOptions): Promise<PipelineContext> {
  const context = contextOf({ sessions, signal, original: base, current: base, deep: null, icc: icc ?? null });
  const detector = await sessions.get('detect-face');
  const found = await detectFaces(detector, base, { maxInputRes: DEFAULT_DETECTOR_RES, signal });
  context.faces = await verifyFaces(context, found);
  return context;
}

/** @param correction of the picture, if it was measured before; for a change of color alone */
async function finish(
  context: PipelineContext,
  picture: Raster,
  { fade, faceLifting, bokeh, colorEnhance }: Finishing,
  correction?: Correction,
): Promise<Raster> {
  const current = { ...picture, data: Uint8Array.from(picture.data) };
  const own: PipelineContext = { ...context, original: current, current, reports: [] };
  const ignore = () => undefined;
  if (fade) await restoreFade(own, fade, ignore);
  if (faceLifting) await liftFaces(own, { strength: 1, ...faceLifting }, ignore);
  if (bokeh) await blurBackground(own, bokeh, ignore);
  if (colorEnhance) await enhanceColor({ ...own, correction }, { ...colorEnhance, points: TABLE_POINTS }, ignore);
  return current;
}
