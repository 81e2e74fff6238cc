import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { GrayPicture } from '../image/mask.js';
import { fullOf, makeSamples, type Samples } from '../image/picture.js';
import { PixelFile, type PixelLayout } from '../image/pixel-file.js';
import { type Colors, type GuidedChange, GuidedChanges } from '../rasters/guided-change.js';
import { bytesAt, floatsAt, heap, kernels, reserve, withKernels } from '../rasters/kernels.js';
import { Enlargement, sourceRowsOf } from '../rasters/resize.js';
import { applyMaps, type PixelMap } from '../tools/pipeline/pixel-maps.js';

/** Pixels that are held and composed at a time; between them other jobs have their turn. */
export const STRIP_PIXELS = 1_000_000;
const COLORS = 3;

interface Size {
  readonly width: number;
  readonly height: number;
}

interface Composition {
  /** Not larger than the result. */
  readonly original: PixelFile;
  readonly size: Size;
  /** The original and the result in the size at which it was restored. */
  readonly before: Colors;
  readonly after: Colors;
  /** Applied to the composed pixels. */
  readonly maps?: readonly PixelMap[] | undefined;
  /** Of the original's size: what it blackens stays as it is, also beside what changes. */
  readonly mask?: GrayPicture | null;
  readonly signal: AbortSignal;
  readonly onProgress: (fraction: number) => void;
}

/** Composes a result into a file of the folder, and removes the original's. */
export async function composeToFile(composition: Composition, folder: string): Promise<PixelFile> {
  const { original, size } = composition;
  const { channels, isDeep } = original.layout;
  const layout = { width: size.width, height: size.height, channels, isDeep };
  const result = await PixelFile.write(join(folder, 'result'), layout, composeFullSize(composition));
  await rm(original.path);
  return result;
}

/**
 * A result in the size of its original, strip by strip: the original's pixels and, enlarged, what restoration changed in the smaller
 * picture. Where it changed nothing, the pixels are the original's.
 */
export async function* composeFullSize(composition: Composition): AsyncGenerator<Samples> {
  const { original, size, before, after, maps = [], mask, signal, onProgress } = composition;
  const rows = Math.max(1, Math.floor(STRIP_PIXELS / size.width));
  const changes = new GuidedChanges(before, after);
  for (let first = 0; first < size.height; first += rows) {
    signal.throwIfAborted();
    const end = Math.min(size.height, first + rows);
    const strip = await readStrip(original, size, first, end);
    const change = changes.in(...sourceRowsOf(before.height, size.height, [first, end]));
    if (change) {
      const own = mask ? strip.slice() : null;
      addChange(strip, { change, of: before }, { ...size, channels: original.layout.channels, first });
      if (mask && own) keepBlack(strip, own, mask, { ...size, channels: original.layout.channels, first });
    }
    if (maps.length > 0) applyMaps(strip, maps, { ...size, channels: original.layout.channels, first });
    yield strip;
    onProgress(end / size.height);
  }
}

/** Rows of a picture in another size: mostly a larger one. */
export async function readStrip(original: PixelFile, size: Size, first: number, end: number): Promise<Samples> {
  const { layout } = original;
  if (layout.width === size.width && layout.height === size.height) return original.rows(first, end - first);
  const [top, bottom] = sourceRowsOf(layout.height, size.height, [first, end]);
  return enlarge(await original.rows(top, bottom - top), { ...layout, first: top }, { ...size, first, end });
}

/** @param from of the samples, which begin at its row `first` */
function enlarge(
  samples: Samples,
  from: PixelLayout & { readonly first: number },
  to: Size & { readonly first: number; readonly end: number },
): Samples {
  const { channels } = from;
  const target = makeSamples(from.isDeep, (to.end - to.first) * to.width * channels);
  const most = fullOf(target);
  for (const [start, count] of channels === COLORS
    ? ([[0, COLORS]] as const)
    : ([
        [0, COLORS],
        [COLORS, 1],
      ] as const)) {
    const data = new Float32Array((samples.length / channels) * count);
    for (let at = 0, pixel = start; at < data.length; pixel += channels) {
      for (let channel = 0; channel < count; channel++) data[at++] = samples[pixel + channel] as number;
    }
    withKernels(() => {
      const enlargement = new Enlargement({ ...from, data }, count, to.width, to.height);
      for (let y = to.first, pixel = start; y < to.end; y++) {
        const row = floatsAt(enlargement.mix(y), count * to.width);
        for (let at = 0; at < row.length; pixel += channels) {
          for (let channel = 0; channel < count; channel++) target[pixel + channel] = codeOf(row[at++] as number, most);
        }
      }
    });
  }
  return target;
}

const codeOf = (value: number, most: number): number => (value <= 0 ? 0 : value >= most ? most : value + 0.5) | 0;

/** @param strip of a picture of this size, from its row `first` on */
function addChange(
  strip: Samples,
  { change, of }: { readonly change: GuidedChange; readonly of: Size },
  { width, height, channels, first }: Size & Pick<PixelLayout, 'channels'> & { readonly first: number },
): void {
  const most = fullOf(strip);
  const unit = most / 255;
  withKernels(() => {
    const enlarged = (data: Float32Array) =>
      new Enlargement({ width: of.width, height: of.height, data, first: change.first }, COLORS, width, height);
    const [gain, offset] = [enlarged(change.gain), enlarged(change.offset)];
    if (strip instanceof Uint8Array && channels === COLORS) {
      const count = COLORS * width;
      const [bytes, own, gained] = [reserve(count), reserve(4 * count), reserve(4 * count)];
      for (let y = first, at = 0; at < strip.length; y++, at += count) {
        heap.bytes.set(strip.subarray(at, at + count), bytes);
        kernels.widen(bytes, own, count);
        kernels.multiply(own, gain.mix(y), gained, count);
        kernels.addScaled(gained, 1, own, count);
        kernels.addScaled(offset.mix(y), unit, own, count);
        kernels.round(own, bytes, count);
        strip.set(bytesAt(bytes, count), at);
      }
      return;
    }
    for (let y = first, pixel = 0; pixel < strip.length; y++) {
      const gains = floatsAt(gain.mix(y), COLORS * width);
      const offsets = floatsAt(offset.mix(y), COLORS * width);
      for (let at = 0; at < gains.length; pixel += channels) {
        for (let channel = 0; channel < COLORS; channel++, at++) {
          const own = strip[pixel + channel] as number;
          strip[pixel + channel] = codeOf(own + (gains[at] as number) * own + unit * (offsets[at] as number), most);
        }
      }
    }
  });
}

/** Writes samples of the original where the mask, enlarged linearly, is black. */
function keepBlack(
  strip: Samples,
  own: Samples,
  mask: GrayPicture,
  { width, height, channels, first }: Size & Pick<PixelLayout, 'channels'> & { readonly first: number },
): void {
  const columns = Array.from({ length: width }, (_, x) => neighborsOf(x, width, mask.width));
  for (let y = first, pixel = 0; pixel < strip.length; y++) {
    const [upper, lower] = neighborsOf(y, height, mask.height).map((row) => row * mask.width) as [number, number];
    for (const [left, right] of columns) {
      const isBlack =
        mask.data[upper + left] === 0 &&
        mask.data[upper + right] === 0 &&
        mask.data[lower + left] === 0 &&
        mask.data[lower + right] === 0;
      if (isBlack) for (let at = pixel; at < pixel + COLORS; at++) strip[at] = own[at] as number;
      pixel += channels;
    }
  }
}

/** Pixels of a source between whose centers that of a target lies. */
function neighborsOf(target: number, length: number, source: number): [number, number] {
  const center = ((target + 0.5) * source) / length - 0.5;
  return [Math.max(0, Math.floor(center)), Math.min(source - 1, Math.ceil(center))];
}
