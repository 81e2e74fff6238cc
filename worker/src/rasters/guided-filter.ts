import { boxMean } from './filters.js';
import { RowSampler } from './resampling/row-sampler.js';

/** One value per pixel, row by row. */
export interface Plane {
  width: number;
  height: number;
  data: Float32Array;
}

/** RGB planes of one size, 0..1. */
export type Guide = readonly [Plane, Plane, Plane];

export interface GuidedFilterOptions {
  /** Radius of the windows, in pixels. */
  radius: number;
  /** Variance of the guide (0..1) below which a window is flat and the target averaged. */
  epsilon: number;
}

/** The target at every pixel: red * r + green * g + blue * b + offset. */
export interface GuidedModel {
  width: number;
  height: number;
  red: Float32Array;
  green: Float32Array;
  blue: Float32Array;
  offset: Float32Array;
}

/**
 * Color guided filter (He, Sun and Tang, Guided Image Filtering, TPAMI 2013) without its last step. The model varies
 * slowly: fitted at a reduced size and evaluated at full size (Fast Guided Filter), it keeps edges sharp.
 */
export function fitGuidedModel(guide: Guide, target: Plane, { radius, epsilon }: GuidedFilterOptions): GuidedModel {
  const [r, g, b] = guide;
  const { width, height } = target;
  const size = width * height;
  const smooth = (plane: Float32Array) => boxMean(plane, width, height, radius);
  const product = (first: Float32Array, second: Float32Array) => {
    const out = new Float32Array(size);
    for (let at = 0; at < size; at++) out[at] = (first[at] as number) * (second[at] as number);
    return smooth(out);
  };
  const [meanR, meanG, meanB, meanT] = [smooth(r.data), smooth(g.data), smooth(b.data), smooth(target.data)];
  const [rr, rg, rb] = [product(r.data, r.data), product(r.data, g.data), product(r.data, b.data)];
  const [gg, gb, bb] = [product(g.data, g.data), product(g.data, b.data), product(b.data, b.data)];
  const [rt, gt, bt] = [product(r.data, target.data), product(g.data, target.data), product(b.data, target.data)];
  const red = new Float32Array(size);
  const green = new Float32Array(size);
  const blue = new Float32Array(size);
  const offset = new Float32Array(size);
  for (let at = 0; at < size; at++) {
    const [mr, mg, mb, mt] = [meanR[at] ?? 0, meanG[at] ?? 0, meanB[at] ?? 0, meanT[at] ?? 0];
    // Covariance of the guide's channels, regularized, and with the target.
    const vrr = (rr[at] ?? 0) - mr * mr + epsilon;
    const vrg = (rg[at] ?? 0) - mr * mg;
    const vrb = (rb[at] ?? 0) - mr * mb;
    const vgg = (gg[at] ?? 0) - mg * mg + epsilon;
    const vgb = (gb[at] ?? 0) - mg * mb;
    const vbb = (bb[at] ?? 0) - mb * mb + epsilon;
    const cr = (rt[at] ?? 0) - mr * mt;
    const cg = (gt[at] ?? 0) - mg * mt;
    const cb = (bt[at] ?? 0) - mb * mt;
    // Cofactors of the symmetric, positive definite 3 x 3 matrix.
    const c11 = vgg * vbb - vgb * vgb;
    const c12 = vrb * vgb - vrg * vbb;
    const c13 = vrg * vgb - vrb * vgg;
    const c22 = vrr * vbb - vrb * vrb;
    const c23 = vrb * vrg - vrr * vgb;
    const c33 = vrr * vgg - vrg * vrg;
    const scale = 1 / (vrr * c11 + vrg * c12 + vrb * c13);
    const ar = (c11 * cr + c12 * cg + c13 * cb) * scale;
    const ag = (c12 * cr + c22 * cg + c23 * cb) * scale;
    const ab = (c13 * cr + c23 * cg + c33 * cb) * scale;
    red[at] = ar;
    green[at] = ag;
    blue[at] = ab;
    offset[at] = mt - ar * mr - ag * mg - ab * mb;
  }
  return { width, height, red: smooth(red), green: smooth(green), blue: smooth(blue), offset: smooth(offset) };
}

/** Bilinear: reducing by more than half skips values between the samples. */
export function resizePlane(source: Plane, width: number, height: number): Plane {
  const data = new Float32Array(width * height);
  const sampler = new RowSampler(source, width, height);
  for (let y = 0; y < height; y++) sampler.fill(source.data, y, data.subarray(y * width, (y + 1) * width));
  return { width, height, data };
}
