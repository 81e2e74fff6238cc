// Without schemas: pages load these, and Zod has 25 kB.
import { IMAGE_LIMITS } from '../media/types.js';
import type { AiPipeline, ToolName } from './tools.js';

/**
 * Damage goes first, since the others would sharpen it. The whole picture is denoised before faces are blended in, retouching works
 * on restored faces in their true colors, blur follows detail, and looks come last.
 */
export const TOOL_ORDER: readonly ToolName[] = [
  'repair',
  'backgroundEnhance',
  'faceEnhance',
  'fade',
  'faceLifting',
  'bokeh',
  'colorEnhance',
];

/** Tools of the request, in {@link TOOL_ORDER}. */
export const toolsOf = (pipeline: AiPipeline): ToolName[] => TOOL_ORDER.filter((tool) => pipeline[tool] !== undefined);

/** Changes colors alone: takes a moment, and keeps the size and 16 bits a sample. */
export const isColorTool = (tool: ToolName): boolean => tool === 'fade' || tool === 'colorEnhance';

/** The factor that applies when the request names none. */
export const upscaleFactorOf = (pipeline: AiPipeline): NonNullable<AiPipeline['upscale']>['factor'] => {
  const enlarges = !toolsOf(pipeline).every((tool) => tool === 'repair' || isColorTool(tool));
  return pipeline.upscale?.factor ?? (enlarges ? 'auto' : 1);
};

/**
 * Whether the networks that restore pixels may run: they take seconds. The others find faces and people, and an empty
 * pipeline only re-encodes.
 */
export const needsNetworks = (pipeline: AiPipeline): boolean =>
  upscaleFactorOf(pipeline) !== 1 || !toolsOf(pipeline).every(isColorTool);

/** Long side in pixels up to which `auto` enlarges (decisions, section 8), and its greatest factor. */
const AUTO_SIDE = 1024;
const AUTO_FACTOR = 4;

/**
 * Size of the result of an original, in pixels.
 * @param maxSide longest side of a result; an original is never reduced to it here
 */
export function enlargedSizeOf(
  { width, height }: { readonly width: number; readonly height: number },
  pipeline: AiPipeline,
  maxSide: number,
): { width: number; height: number } {
  const side = Math.max(width, height);
  const scale = Math.min(wantedSideOf(side, pipeline), maxSide) / side;
  if (scale <= 1) return { width, height };
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

function wantedSideOf(side: number, pipeline: AiPipeline): number {
  const factor = upscaleFactorOf(pipeline);
  return factor === 'auto' ? Math.min(AUTO_SIDE, side * AUTO_FACTOR) : side * factor;
}

/** Longest side of a JPEG, in pixels (ITU-T T.81, table B.2). */
const JPEG_MAX_SIDE = 65_535;

/**
 * Size of a result with the output size `original`, in pixels: that of the original or, enlarged, at most 100 megapixels. Only
 * an original that no JPEG can hold is reduced.
 */
export function fullSizeOf(
  { width, height }: { readonly width: number; readonly height: number },
  pipeline: AiPipeline,
): { width: number; height: number } {
  const side = Math.max(width, height);
  const most = Math.sqrt(IMAGE_LIMITS.maxPixels / (width * height));
  const enlarged = Math.max(1, Math.min(wantedSideOf(side, pipeline) / side, most));
  const scale = Math.min(enlarged, JPEG_MAX_SIDE / side);
  if (scale === 1) return { width, height };
  // Rounded up, a side could exceed the limit.
  const whole = scale < most ? Math.round : Math.floor;
  return { width: Math.max(1, whole(width * scale)), height: Math.max(1, whole(height * scale)) };
}

/** Megapixels of a result from which composing and encoding it takes longer than restoring it. */
const LARGE_MEGAPIXELS = 8;

/**
 * Whether a run takes far longer than one with a standard result.
 * @param megapixels of the original; null if unknown, which counts as large
 */
export function isLargeResult(pipeline: AiPipeline, megapixels: number | null): boolean {
  if (pipeline.outputSize !== 'original') return false;
  const factor = upscaleFactorOf(pipeline);
  return megapixels === null || megapixels * (factor === 'auto' ? 1 : factor) ** 2 > LARGE_MEGAPIXELS;
}

/**
 * Whether a file of a picture takes far longer than one of a standard result, since all its pixels are encoded.
 * @param picture a result or an original, in pixels
 */
export const isLargeFile = (
  { width, height }: { readonly width: number; readonly height: number },
  { maxSide, use }: { readonly maxSide: number | null; readonly use?: string | undefined },
): boolean => (maxSide === null || use === 'tiles') && width * height > LARGE_MEGAPIXELS * 1e6;

/** Size of the result's master, in pixels: see {@link fullSizeOf}; else as {@link enlargedSizeOf}, or reduced to `maxSide`. */
export function resultSizeOf(
  original: { readonly width: number; readonly height: number },
  pipeline: AiPipeline,
  maxSide: number,
): { width: number; height: number } {
  if (pipeline.outputSize === 'original') return fullSizeOf(original, pipeline);
  const scale = Math.min(1, maxSide / Math.max(original.width, original.height));
  const sideOf = (side: number) => Math.max(1, Math.round(side * scale));
  return enlargedSizeOf({ width: sideOf(original.width), height: sideOf(original.height) }, pipeline, maxSide);
}

/** Variants of {@link KeptPart} that a request needs; a missing one needs no network. */
export interface KeptVariants {
  /** The whole picture, enlarged or enhanced. */
  readonly background: string | null;
  readonly faces: string | null;
}

/** @param original its size in pixels, upright */
export function keptVariantsOf(
  pipeline: AiPipeline,
  original: { readonly width: number; readonly height: number },
  maxSide: number,
): KeptVariants {
  const { width, height } = enlargedSizeOf(original, pipeline, maxSide);
  const size = Math.max(width, height) > maxSide ? `${maxSide}` : `${width}x${height}`;
  const { backgroundEnhance, faceEnhance, repair } = pipeline;
  const of = repair ? `${size}/repaired-${repair.model}-${repair.strength ?? 1}` : size;
  const hasBackground = backgroundEnhance !== undefined || width > original.width || height > original.height;
  const background = hasBackground ? `background/${backgroundEnhance?.model ?? 'base'}/${of}` : null;
  return { background, faces: faceEnhance ? `faces/${modelsIn(faceEnhance)}/${of}` : null };
}

/** The model, and those that single faces have instead. */
function modelsIn({ model, faces = [] }: NonNullable<AiPipeline['faceEnhance']>): string {
  const own = faces.map((face) => face.model ?? model);
  if (own.every((each) => each === model)) return model;
  // A later entry may be the same face's.
  const placeOf = (face: (typeof faces)[number]) =>
    'index' in face ? face.index : [face.box.x, face.box.y, face.box.width, face.box.height].join(',');
  return [model, ...faces.map((face, at) => `${placeOf(face)}:${own[at]}`)].join('+');
}
