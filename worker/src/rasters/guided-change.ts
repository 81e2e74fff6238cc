import { BoxSpace } from './filters.js';
import { floatsAt, reserve, withKernels } from './kernels.js';

/** Interleaved red, green and blue of 8 or 16 bits. */
export interface Colors {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array | Uint16Array;
}

/**
 * A change as a linear function of the picture that it changes: after = before + gain * before + offset, in levels of 255. Of rows
 * from `first` on.
 */
export interface GuidedChange {
  readonly first: number;
  readonly gain: Float32Array;
  readonly offset: Float32Array;
}

const CHANNELS = 3;
/** Of the windows in which the change is fitted, in pixels. */
const RADIUS = 2;
/** Variance in squared levels below which a window is flat, so that the change does not depend on its pixels. */
const FLAT = 1;
/** Beyond it, a gain would amplify what only the larger picture shows. Below -1 detail would be inverted. */
const MOST_GAIN = 1;

/**
 * The change between two pictures of a size, fitted to the first one as guided filters are (He and Sun, Fast Guided Filter, 2015).
 * Gain and offset vary slowly enough to be enlarged, and what they multiply keeps the edges of a larger picture sharp. What the fit
 * leaves is part of the offset: at this size the change is exact.
 */
export class GuidedChanges {
  readonly #before: Colors;
  readonly #after: Colors;
  #gain = new Float32Array();
  #offset = new Float32Array();

  constructor(before: Colors, after: Colors) {
    this.#before = before;
    this.#after = after;
  }

  /** Of rows from `first` to before `end`, until the next call; null where nothing changes. */
  in(first: number, end: number): GuidedChange | null {
    const length = (end - first) * this.#before.width * CHANNELS;
    // Reused: memory that JavaScript allocates stays until the next garbage collection.
    if (this.#gain.length < length) {
      this.#gain = new Float32Array(length);
      this.#offset = new Float32Array(length);
    }
    const change = { first, gain: this.#gain.subarray(0, length), offset: this.#offset.subarray(0, length) };
    return fit(this.#before, this.#after, change, end) ? change : null;
  }
}

/** Writes the change. @returns whether there is one */
function fit(before: Colors, after: Colors, { first, gain, offset }: GuidedChange, end: number): boolean {
  const { width, height } = before;
  const [top, bottom] = [Math.max(0, first - 2 * RADIUS), Math.min(height, end + 2 * RADIUS)];
  const stride = CHANNELS * width;
  const own = before.data.subarray(top * stride, bottom * stride);
  const changed = after.data.subarray(top * stride, bottom * stride);
  if (Buffer.compare(bytesOf(own), bytesOf(changed)) === 0) return false;
  const scale = (samples: Colors['data']) => (samples instanceof Uint16Array ? 255 / 65_535 : 1);
  const [ownScale, changedScale] = [scale(own), scale(changed)];
  withKernels(() => {
    const size = width * (bottom - top);
    const space = new BoxSpace(width, bottom - top);
    const [levels, changes, squares, products] = [0, 1, 2, 3].map(() => reserve(4 * size)) as [
      number,
      number,
      number,
      number,
    ];
    const skipped = (first - top) * width;
    for (let channel = 0; channel < CHANNELS; channel++) {
      const [mean, meanChange] = [floatsAt(levels, size), floatsAt(changes, size)];
      const [square, product] = [floatsAt(squares, size), floatsAt(products, size)];
      for (let at = 0, from = channel; at < size; at++, from += CHANNELS) {
        const level = (own[from] as number) * ownScale;
        const change = (changed[from] as number) * changedScale - level;
        mean[at] = level;
        meanChange[at] = change;
        square[at] = level * level;
        product[at] = level * change;
      }
      for (const plane of [levels, changes, squares, products]) space.mean(plane, RADIUS);
      for (let at = 0; at < size; at++) {
        const level = mean[at] as number;
        const variance = (square[at] as number) - level * level;
        const covariance = (product[at] as number) - level * (meanChange[at] as number);
        mean[at] = Math.max(-1, Math.min(MOST_GAIN, covariance / (Math.max(0, variance) + FLAT)));
      }
      space.mean(levels, RADIUS);
      for (let at = skipped, to = channel; to < gain.length; at++, to += CHANNELS) {
        const from = at * CHANNELS + channel;
        const level = (own[from] as number) * ownScale;
        const share = mean[at] as number;
        gain[to] = share;
        offset[to] = (changed[from] as number) * changedScale - level - share * level;
      }
    }
  });
  return true;
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Colors['data']): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);
