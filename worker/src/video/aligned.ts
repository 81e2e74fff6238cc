import { applyTo, invert, type Similarity } from '../networks/face-alignment.js';
import type { Frame } from './frame.js';

/** A face in the pose of a template: a square of `side` pixels. */
export interface AlignedSample {
  readonly side: number;
  readonly luma: Float32Array;
  /** NCHW, 0..1. */
  readonly planes: Float32Array;
}

/** Below this many aligned pixels per pixel several samples are averaged. */
const REDUCED = 0.7;

/** Samples a frame at the inverse of `toFace`. */
export function sampleAligned(frame: Frame, toFace: Similarity, side: number): AlignedSample {
  const back = invert(toFace);
  const luma = new Float32Array(side * side);
  const planes = new Float32Array(3 * side * side);
  const taps = Math.hypot(toFace.a, toFace.b) < REDUCED ? [0.25, 0.75] : [0.5];
  const { width, height, data } = frame;
  const blueAt = width * height;
  const redAt = blueAt + (width / 2) * (height / 2);
  const area = side * side;
  for (let y = 0, at = 0; y < side; y++) {
    for (let x = 0; x < side; x++, at++) {
      let light = 0;
      for (const down of taps) {
        for (const across of taps) {
          const u = back.a * (x + across) - back.b * (y + down) + back.shift[0] - 0.5;
          const v = back.b * (x + across) + back.a * (y + down) + back.shift[1] - 0.5;
          light += sample(data, 0, width, height, u, v);
        }
      }
      light /= taps.length ** 2;
      const [u, v] = applyTo(back, [x + 0.5, y + 0.5]);
      const blue = sample(data, blueAt, width / 2, height / 2, u / 2 - 0.5, v / 2 - 0.5) - 128;
      const red = sample(data, redAt, width / 2, height / 2, u / 2 - 0.5, v / 2 - 0.5) - 128;
      luma[at] = light;
      const level = (light - 16) * LUMA;
      planes[at] = unit(level + 1.6 * CHROMA * red);
      planes[at + area] = unit(level - 0.3 * CHROMA * blue - 0.65 * CHROMA * red);
      planes[at + 2 * area] = unit(level + 1.82 * CHROMA * blue);
    }
  }
  return { side, luma, planes };
}

/** Factors to full range. The matrix lies between those of SD and HD, so that skin looks natural in both. */
const LUMA = 1 / 219;
const CHROMA = 1 / 224;
/** Levels of limited range per unit. */
export const LEVELS = 219;

const unit = (value: number): number => Math.max(0, Math.min(1, value));

/** Bilinear, clamped at edges. */
function sample(
  data: Uint8Array | Float32Array,
  start: number,
  width: number,
  height: number,
  x: number,
  y: number,
): number {
  const left = x <= 0 ? 0 : x >= width - 1 ? width - 1 : Math.floor(x);
  const top = y <= 0 ? 0 : y >= height - 1 ? height - 1 : Math.floor(y);
  const right = Math.min(left + 1, width - 1);
  const bottom = Math.min(top + 1, height - 1);
  const across = Math.max(0, Math.min(1, x - left));
  const down = Math.max(0, Math.min(1, y - top));
  const upper = start + top * width;
  const lower = start + bottom * width;
  const above = (data[upper + left] as number) * (1 - across) + (data[upper + right] as number) * across;
  const below = (data[lower + left] as number) * (1 - across) + (data[lower + right] as number) * across;
  return above * (1 - down) + below * down;
}

/** An oval around the face in the template, solid up to this part of its radii. */
const OVAL = { x: 0.5, y: 0.52, across: 0.43, down: 0.49, solid: 0.72 } as const;

/**
 * Blends `luma + residual` of a face into the output's luma: an oval with a soft border. Outside, the output stays.
 */
export function paintFace(
  output: Uint8Array,
  frame: Frame,
  toFace: Similarity,
  residual: Float32Array,
  side: number,
  strength: number,
): void {
  const { width, height, data } = frame;
  const target = new Uint8ClampedArray(output.buffer, output.byteOffset, width * height);
  const back = invert(toFace);
  const corners = [0, side].flatMap((x) => [0, side].map((y) => applyTo(back, [x, y])));
  const [left, right] = range(
    corners.map(([x]) => x),
    width,
  );
  const [top, bottom] = range(
    corners.map(([, y]) => y),
    height,
  );
  for (let y = top; y < bottom; y++) {
    for (let x = left; x < right; x++) {
      const [u, v] = applyTo(toFace, [x + 0.5, y + 0.5]);
      const across = (u / side - OVAL.x) / OVAL.across;
      const down = (v / side - OVAL.y) / OVAL.down;
      const distance = Math.sqrt(across * across + down * down);
      if (distance >= 1) continue;
      const part = Math.min(1, (1 - distance) / (1 - OVAL.solid));
      const opacity = part * part * (3 - 2 * part) * strength;
      const at = y * width + x;
      const restored = (data[at] as number) + sample(residual, 0, side, side, u - 0.5, v - 0.5);
      const own = target[at] as number;
      target[at] = own + (restored - own) * opacity;
    }
  }
}

function range(values: readonly number[], length: number): [number, number] {
  return [Math.max(0, Math.floor(Math.min(...values))), Math.min(length, Math.ceil(Math.max(...values)))];
}
