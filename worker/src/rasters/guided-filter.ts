import { BoxSpace } from './filters.js';
import { floatsAt, heap, kernels, reserve, withKernels } from './kernels.js';
import type { Plane } from './row-sampler.js';

/** Red, green and blue, 0..1. */
export type Guide = readonly [Float32Array, Float32Array, Float32Array];

/** The target at every pixel: red * r + green * g + blue * b + offset, in this order. */
type GuidedModel = [red: Float32Array, green: Float32Array, blue: Float32Array, offset: Float32Array];

/**
 * Color guided filter (He, Sun and Tang, Guided Image Filtering, TPAMI 2013) without its last step. The model varies
 * slowly: fitted at a reduced size and evaluated at full size (Fast Guided Filter), it keeps edges sharp.
 * @param radius of the windows, in pixels
 * @param epsilon variance of the guide (0..1) below which a window is flat and the target averaged
 */
export function fitGuidedModel(guide: Guide, target: Plane, radius: number, epsilon: number): GuidedModel {
  const { width, height } = target;
  const size = width * height;
  return withKernels(() => {
    // Kernels may write beyond the end of a plane.
    const stride = 4 * size + 16;
    const first = reserve(stride * (SOURCES.length + PRODUCTS.length));
    const space = new BoxSpace(width, height);
    for (const [at, data] of [...guide, target.data].entries()) heap.floats.set(data, (first + at * stride) >> 2);
    for (const [at, [one, other]] of PRODUCTS.entries()) {
      kernels.multiply(first + one * stride, first + other * stride, first + (SOURCES.length + at) * stride, size);
    }
    for (let at = 0; at < SOURCES.length + PRODUCTS.length; at++) space.mean(first + at * stride, radius);
    kernels.solveGuided(first, stride, epsilon, size);
    return SOURCES.map((at) => {
      space.mean(first + at * stride, radius);
      return floatsAt(first + at * stride, size).slice();
    }) as GuidedModel;
  });
}

/** Red, green, blue and the target, and their products in the order of the kernel. */
const SOURCES = [0, 1, 2, 3] as const;
const PRODUCTS = [
  [0, 0],
  [0, 1],
  [0, 2],
  [1, 1],
  [1, 2],
  [2, 2],
  [0, 3],
  [1, 3],
  [2, 3],
] as const;
