import type { Pipeline, Task } from '@clearframe/client/schemas.ts';
import type { Progress } from '@clearframe/client/tasks.ts';
import type { Service } from '../api/service.ts';
import { isFull, maskFromChanges, maskFromSelection } from '../core/mask.ts';
import { asLayer, inEightBits, withoutAlpha, withoutFullAlpha } from '../core/pixels.ts';
import { areaOf, type Bounds, heightOf, overlapOf, widthOf } from '../core/place.ts';
import { decodePng, encodePng, type Pixels } from '../core/png.ts';
import { blendCore, coreOf, type Tile, tilesOf } from '../core/tiles.ts';
import {
  type Choices,
  hasTool,
  isLocal,
  keepsDepth,
  pipelineOf,
  type UpscaleOffer,
  withoutFaces,
} from '../core/tools.ts';
import { jpegOf, openAsDocument, place, read, readSelection, type Target } from '../host/documents.ts';
import { HostError } from '../host/modal.ts';
import { remember } from './memory.ts';

/** Enhanced as one: the pixels, their result and the layer fit into 600 MB together. Samples of 16 bits take twice as much. */
const MAX_WHOLE_PIXELS = 26_000_000;
const MAX_DEEP_PIXELS = MAX_WHOLE_PIXELS / 2;
/** Enhanced in parts, which are put together here. */
const MAX_PIXELS = 60_000_000;
const TILE_SIDE = 4096;
/** More than the networks see around a pixel. */
const TILE_OVERLAP = 96;
const MAX_BYTES = 50_000_000;

export interface Step {
  readonly phase: 'reading' | 'uploading' | 'waiting' | 'processing' | 'placing';
  /** Of the whole, 0 to 1. */
  readonly share: number;
  /** Place in the queue, 1 being next. */
  readonly place: number | null;
  readonly remainingSeconds: number | null;
}

export interface RunOptions {
  readonly service: Service;
  readonly choices: Choices;
  readonly upscale: UpscaleOffer;
  /** Of the layer and of the step in the history. */
  readonly title: string;
  readonly signal: AbortSignal;
  readonly onStep: (step: Step) => void;
}

export interface Outcome {
  readonly task: Task;
  /** The result, for thumbnails of its faces; null where it was put together from parts. */
  readonly pixels: Pixels | null;
  /** Bits of a sample that it was made with. */
  readonly depth: 8 | 16;
  /** Sent as JPEG, as its PNG would have been too large. */
  readonly isJpeg: boolean;
}

interface Part {
  readonly taskId: string;
  readonly task: Task;
  readonly source: Pixels;
  readonly pixels: Pixels;
  readonly bounds: Bounds;
  readonly isJpeg: boolean;
}

const step = (phase: Step['phase'], share: number): Step => ({ phase, share, place: null, remainingSeconds: null });

/** Where the network's work lies in the whole. */
const stepOf = ({ phase, fraction, place: queuePlace, remainingSeconds }: Progress): Step => {
  const share = phase === 'uploading' ? 0.1 + fraction * 0.2 : phase === 'waiting' ? 0.3 : 0.3 + fraction * 0.6;
  return { phase: phase === 'done' ? 'processing' : phase, share, place: queuePlace, remainingSeconds };
};

/**
 * Enhances what the target names and places the result as a new layer. Photoshop is only held while pixels are read and written.
 * @throws HostError, ClearframeError, or the signal's reason
 */
export async function enhance(target: Target, options: RunOptions): Promise<Outcome> {
  const { choices, signal, onStep, title, service } = options;
  if (!hasTool(choices)) throw new HostError('no_tools');
  const area = areaOf(target.bounds);
  if (area > MAX_PIXELS) throw new HostError('many_pixels');
  if (choices.upscale > 1 && area * choices.upscale ** 2 > MAX_WHOLE_PIXELS) throw new HostError('enlarged');
  onStep(step('reading', 0));
  const selection = target.scope === 'selection' ? await readSelection(target, title) : null;
  const part =
    area > MAX_WHOLE_PIXELS ? await enhanceInTiles(target, options) : await enhancePart(target, target.bounds, options);
  signal.throwIfAborted();
  onStep(step('placing', 0.92));
  const { taskId, task, source, pixels, bounds, isJpeg } = part;
  const depth = pixels.data instanceof Uint16Array ? 16 : 8;
  const outcome = { task, pixels: source === pixels ? null : pixels, depth, isJpeg } as const;
  if (choices.upscale > 1) {
    await openAsDocument(asLayer(pixels, null), target.layerName, title);
    return outcome;
  }
  const mask = selection
    ? maskFromSelection(selection, bounds)
    : source === pixels
      ? null
      : await changesOf(service, taskId, bounds, signal);
  const name = `${target.layerName} · ${title}`;
  const placed = asLayer(pixels, source);
  await place(target, { name, commandName: title, pixels: placed, bounds, mask: mask && isFull(mask) ? null : mask });
  return outcome;
}

/** White where the result differs. A map that can't be made now leaves the layer without a mask. */
async function changesOf(
  service: Service,
  taskId: string,
  bounds: Bounds,
  signal: AbortSignal,
): Promise<Pixels | null> {
  try {
    const map = await decodePng(await service.changes(taskId, signal), signal);
    return maskFromChanges(map, { width: widthOf(bounds), height: heightOf(bounds) });
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof Error) return null;
    throw error;
  }
}

async function enhancePart(target: Target, part: Bounds, options: RunOptions): Promise<Part> {
  const { service, signal, onStep, title, choices, upscale } = options;
  const side = Math.max(widthOf(part), heightOf(part));
  const isDeep = target.depth === 16 && areaOf(part) <= MAX_DEEP_PIXELS && keepsDepth(choices, side, upscale);
  const { pixels: source, bounds } = await read(target, title, { bounds: part, depth: isDeep ? 16 : 8 });
  signal.throwIfAborted();
  onStep(step('reading', 0.05));
  const file = await fileOf(source, signal);
  const pipeline: Pipeline = pipelineOf(choices, Math.max(source.width, source.height), upscale);
  const name = `${target.layerName.slice(0, 200) || 'layer'}.${file.extension}`;
  const isJpeg = file.extension === 'jpg';
  const sent = { bytes: file.bytes, name, format: 'png', pipeline, runId: crypto.randomUUID() } as const;
  const result = await service.enhance(sent, { signal, onProgress: (progress) => onStep(stepOf(progress)) });
  const { taskId, task } = result;
  const pixels = await decodePng(result.bytes, signal);
  const isOfSize = pixels.width === widthOf(bounds) && pixels.height === heightOf(bounds);
  if (!isOfSize && choices.upscale === 1) throw new HostError('resized');
  // Before it is placed: what can't be placed any more is in the history, as its message says.
  const entry = { taskId, name: target.layerName, title, at: new Date().toISOString() };
  await remember({ ...entry, ...(isOfSize && { left: bounds.left, top: bounds.top }) });
  return { taskId, task, source, pixels, bounds, isJpeg };
}

/**
 * What is sent: a PNG, or a JPEG without transparency where that is too large.
 * @throws HostError `too_large`
 */
export async function fileOf(source: Pixels, signal: AbortSignal, maxBytes = MAX_BYTES) {
  const png = await encodePng(withoutFullAlpha(source), signal);
  if (png.length <= maxBytes) return { bytes: png, extension: 'png' } as const;
  const jpeg = await jpegOf(withoutAlpha(inEightBits(source)));
  if (jpeg.length > maxBytes) throw new HostError('too_large');
  return { bytes: jpeg, extension: 'jpg' } as const;
}

/** Part by part, faded into each other. Tools that look at the whole picture would do something else in each part. */
async function enhanceInTiles(target: Target, options: RunOptions): Promise<Part> {
  if (!isLocal(options.choices)) throw new HostError('tiles');
  const { bounds } = target;
  const [width, height] = [widthOf(bounds), heightOf(bounds)];
  const whole: Pixels = { width, height, channels: 4, data: new Uint8Array(width * height * 4) };
  const tiles = tilesOf(bounds, TILE_SIDE, TILE_OVERLAP);
  // Faces are told apart by their places in the whole.
  const choices = withoutFaces(options.choices);
  // Without its pixels: those of one tile at a time fit into memory beside the whole.
  let last: Pick<Part, 'taskId' | 'task'> | null = null;
  let isJpeg = false;
  for (const [index, tile] of tiles.entries()) {
    const onStep = (one: Step) => options.onStep({ ...one, share: (index + one.share) / tiles.length });
    try {
      const { taskId, task, ...part } = await enhancePart(target, tile.source, { ...options, choices, onStep });
      last = { taskId, task };
      isJpeg ||= part.isJpeg;
      insert(whole, bounds, tile, part);
    } catch (error) {
      // Nothing is there to enhance in this part of a layer.
      if (error instanceof HostError && error.reason === 'empty') continue;
      throw error;
    }
  }
  if (!last) throw new HostError('empty');
  return { taskId: last.taskId, task: last.task, source: whole, pixels: whole, bounds, isJpeg };
}

function insert(whole: Pixels, bounds: Bounds, tile: Tile, part: Pick<Part, 'source' | 'pixels' | 'bounds'>): void {
  // Photoshop leaves out empty edges: what it read may be smaller than the tile.
  const core = overlapOf(tile.core, part.bounds);
  if (!core) return;
  const kept = coreOf({ source: part.bounds, core }, asLayer(part.pixels, part.source));
  const [left, top] = [core.left - bounds.left, core.top - bounds.top];
  const rowOf = (y: number) => {
    const start = ((top + y) * whole.width + left) * 4;
    return whole.data.subarray(start, start + kept.width * 4);
  };
  blendCore(kept, rowOf, { left: core.left > bounds.left, top: core.top > bounds.top });
  for (let y = 0; y < kept.height; y++) rowOf(y).set(kept.data.subarray(y * kept.width * 4, (y + 1) * kept.width * 4));
}
