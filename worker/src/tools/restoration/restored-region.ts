import { restoreAligned } from '../../networks/aligned-restoration.js';
import { enlarge } from '../../networks/super-resolution.js';
import { type Box, clampBox, type Raster } from '../../rasters/raster.js';
import { resize } from '../../rasters/resize.js';
import type { PipelineContext } from './context.js';
import { type Assessment, denoise } from './denoise.js';

/** The network looks further than the context; what lies there hardly counts. It halves its input four times. */
const TILES = { size: 512, feather: 16, context: 48, multiple: 16 } as const;
/**
 * Softness between which the network sees a region: it was trained on pictures enlarged by 1.2 to 4.8. Noise as fine as the pixels
 * of a sharp picture is nothing it knows, and remains.
 */
const SOFTNESS = { least: 1.5, most: 4 } as const;
const MOST_PIXELS = 3e6;
/** Seconds per megapixel of result on two quiet cores; used for progress only. */
export const RESTORATION_SECONDS = 0.6;

type Size = Pick<Raster, 'width' | 'height'>;

/** Factor by which a region is resized for a network that enlarges its input `scale` times. */
function factorFor({ width, height }: Size, softness: number, scale: number): number {
  const wanted = Math.min(SOFTNESS.most, Math.max(SOFTNESS.least, softness));
  return Math.min(wanted / softness, Math.sqrt(MOST_PIXELS / (width * height))) / scale;
}

export function restoredPixels(region: Size, softness: number): number {
  return region.width * region.height * factorFor(region, softness, 1) ** 2;
}

/**
 * What the network for faces makes of a region: without noise, blur and blockiness, at the region's size.
 * @param part what the network sees, in fractions of the region's sides; absent: all
 */
export async function restoreRegion(
  context: Pick<PipelineContext, 'sessions' | 'signal'>,
  region: Raster,
  assessed: Assessment,
  onProgress: (fraction: number) => void = () => undefined,
  part?: Box,
): Promise<Raster> {
  const session = await context.sessions.get('restore-face');
  const { alignment, scale = 1 } = session.entry;
  // Networks that enlarge take noise for detail.
  const source = scale > 1 ? await denoise(region, assessed) : region;
  const factor = factorFor(region, assessed.defects.softness, scale);
  const input = await resize(
    source,
    Math.max(1, Math.round(region.width * factor)),
    Math.max(1, Math.round(region.height * factor)),
    'lanczos3',
  );
  if (alignment) {
    const restored = await restoreAligned(session, await context.sessions.get('face-mesh'), input);
    return resize(restored, region.width, region.height, 'cubic');
  }
  const output = await enlarge(session, input, {
    limits: TILES,
    part: part && partOf(input, part),
    signal: context.signal,
    onTile: (done, total) => onProgress(done / total),
  });
  const restored = await resize(output, region.width, region.height, 'cubic');
  // A region reduced to less than that has lost detail.
  if (scale > 1 || factor >= 1 || factor * assessed.defects.softness >= SOFTNESS.least) return restored;
  return withLostDetail(restored, region, await resize(input, region.width, region.height, 'cubic'));
}

const partOf = ({ width, height }: Size, part: Box): Box =>
  clampBox(
    { x: part.x * width, y: part.y * height, width: part.width * width, height: part.height * height },
    width,
    height,
  );

/** With what the region has and its reduced form has not. */
function withLostDetail(restored: Raster, region: Raster, reduced: Raster): Raster {
  const sum = Uint8ClampedArray.from(
    restored.data,
    (value, at) => value + (region.data[at] ?? 0) - (reduced.data[at] ?? 0),
  );
  return { ...restored, data: new Uint8Array(sum.buffer) };
}

/** The networks enlarge four times: at this softness their outputs have the size of the region. */
const WORKING_SOFTNESS = 4;
/** Longest side in pixels; smaller regions take little time. */
const MIN_SIDE = 1024;
/** Less is not worth resizing. */
const MIN_REDUCTION = 1.15;

export interface WorkingCopy {
  readonly region: Raster;
  readonly assessed: Assessment;
  /** Pixels of the region per pixel of the copy, at least 1. */
  readonly reduction: number;
}

/** Reduces a large region that is softer than the networks' outputs. */
export async function workingCopy(region: Raster, assessed: Assessment): Promise<WorkingCopy> {
  const { softness } = assessed.defects;
  const side = Math.max(region.width, region.height);
  const wanted = Math.min(softness / WORKING_SOFTNESS, side / MIN_SIDE);
  if (wanted < MIN_REDUCTION) return { region, assessed, reduction: 1 };
  const [width, height] = [Math.round(region.width / wanted), Math.round(region.height / wanted)];
  // The sides differ by rounding only.
  const reduction = Math.sqrt((region.width * region.height) / (width * height));
  return {
    region: await resize(region, width, height, 'lanczos3'),
    assessed: { ...assessed, defects: { ...assessed.defects, softness: softness / reduction } },
    reduction,
  };
}
