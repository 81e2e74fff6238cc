/** Kernels on reduced light. `planes`: red, green, blue and weight as planes of floats, `stride` bytes apart. */
import { clampToOne } from './planes';

function smoothStep(values: v128, scale: f32, offset: f32): v128 {
  const part = clampToOne(f32x4.add(f32x4.mul(values, f32x4.splat(scale)), f32x4.splat(offset)));
  return f32x4.mul(f32x4.mul(part, part), f32x4.sub(f32x4.splat(3), f32x4.add(part, part)));
}

/** ITU-R BT.709. */
function luminance(red: v128, green: v128, blue: v128): v128 {
  const partly = f32x4.add(f32x4.mul(red, f32x4.splat(0.2126)), f32x4.mul(green, f32x4.splat(0.7152)));
  return f32x4.add(partly, f32x4.mul(blue, f32x4.splat(0.0722)));
}

/** Four floats a pixel to planes. */
export function separate(pixels: usize, planes: usize, stride: usize, count: i32): void {
  for (let x = 0; x < count; x++, pixels += 16, planes += 4) {
    const pixel = v128.load(pixels);
    v128.store32_lane(planes, pixel, 0);
    v128.store32_lane(planes + stride, pixel, 1);
    v128.store32_lane(planes + 2 * stride, pixel, 2);
    v128.store32_lane(planes + 3 * stride, pixel, 3);
  }
}

/** Planes to four floats a pixel, `step` bytes from one to the next. */
export function join(planes: usize, stride: usize, target: usize, step: usize, count: i32): void {
  for (let x = 0; x < count; x++, planes += 4, target += step) {
    let pixel = v128.load32_zero(planes);
    pixel = v128.load32_lane(planes + stride, pixel, 1);
    pixel = v128.load32_lane(planes + 2 * stride, pixel, 2);
    v128.store(target, v128.load32_lane(planes + 3 * stride, pixel, 3));
  }
}

export function luminances(planes: usize, stride: usize, target: usize, count: i32): void {
  for (let at: usize = 0, end = (<usize>count) << 2; at < end; at += 16) {
    const from = planes + at;
    v128.store(target + at, luminance(v128.load(from), v128.load(from + stride), v128.load(from + 2 * stride)));
  }
}

/** Lowers the weight of light to `least` where `free`, as a smooth step, is 0. */
export function excludeLight(
  free: usize,
  scale: f32,
  offset: f32,
  least: f32,
  planes: usize,
  stride: usize,
  count: i32,
): void {
  for (let at: usize = 0, end = (<usize>count) << 2; at < end; at += 16) {
    const step = smoothStep(v128.load(free + at), scale, offset);
    const share = f32x4.add(f32x4.splat(least), f32x4.mul(step, f32x4.splat(1 - least)));
    for (let plane: usize = 0, to = planes + at; plane < 4; plane++, to += stride) {
      v128.store(to, f32x4.mul(v128.load(to), share));
    }
  }
}

/**
 * Brightens light up to 1 + `gain` times where it is near clipping and brighter than its surroundings. `around`, `known`: means
 * of luminance and weight. `steps`: scale and offset of the smooth steps of the brightest channel and of the contrast.
 */
export function brightenLight(
  planes: usize,
  stride: usize,
  around: usize,
  known: usize,
  gain: f32,
  steps: usize,
  count: i32,
): void {
  const one = f32x4.splat(1);
  const none = f32x4.splat(0);
  for (let at: usize = 0, end = (<usize>count) << 2; at < end; at += 16) {
    const from = planes + at;
    const red = v128.load(from);
    const green = v128.load(from + stride);
    const blue = v128.load(from + 2 * stride);
    const share = v128.load(from + 3 * stride);
    const surroundings = f32x4.div(v128.load(around + at), f32x4.max(v128.load(known + at), f32x4.splat(1e-6)));
    const counts = v128.and(f32x4.gt(share, none), f32x4.gt(surroundings, none));
    const top = f32x4.div(f32x4.max(f32x4.max(red, green), blue), share);
    const contrast = f32x4.div(f32x4.div(luminance(red, green, blue), share), surroundings);
    const bright = smoothStep(top, load<f32>(steps), load<f32>(steps, 4));
    const lit = f32x4.mul(bright, smoothStep(contrast, load<f32>(steps, 8), load<f32>(steps, 12)));
    const gains = v128.bitselect(f32x4.add(one, f32x4.mul(lit, f32x4.splat(gain))), one, counts);
    v128.store(from, f32x4.mul(red, gains));
    v128.store(from + stride, f32x4.mul(green, gains));
    v128.store(from + 2 * stride, f32x4.mul(blue, gains));
  }
}

/**
 * Divides light by its weight; unknown pixels become zero. Dull colors gain up to `vivid` of their saturation, strong ones less,
 * grays nothing.
 */
export function finishLight(planes: usize, stride: usize, vivid: f32, count: i32): void {
  const one = f32x4.splat(1);
  const none = f32x4.splat(0);
  for (let at: usize = 0, end = (<usize>count) << 2; at < end; at += 16) {
    const from = planes + at;
    const scale = f32x4.div(one, f32x4.max(v128.load(from + 3 * stride), f32x4.splat(1e-4)));
    const red = f32x4.mul(v128.load(from), scale);
    const green = f32x4.mul(v128.load(from + stride), scale);
    const blue = f32x4.mul(v128.load(from + 2 * stride), scale);
    const most = f32x4.max(f32x4.max(red, green), blue);
    // Least by most is 1 - saturation.
    const dullness = f32x4.div(f32x4.min(f32x4.min(red, green), blue), most);
    const lit = f32x4.gt(most, none);
    const gain = v128.bitselect(f32x4.add(one, f32x4.mul(dullness, f32x4.splat(vivid))), one, lit);
    const gray = luminance(red, green, blue);
    v128.store(from, saturated(red, gray, gain));
    v128.store(from + stride, saturated(green, gray, gain));
    v128.store(from + 2 * stride, saturated(blue, gray, gain));
  }
}

function saturated(value: v128, gray: v128, gain: v128): v128 {
  return f32x4.max(f32x4.splat(0), f32x4.add(gray, f32x4.mul(f32x4.sub(value, gray), gain)));
}

/** target += weights * values and weights += ..., with weights of across * share, at least `least`. */
export function addWeighted(
  values: usize,
  across: usize,
  share: f32,
  least: f32,
  sums: usize,
  weights: usize,
  count: i32,
): void {
  for (let at: usize = 0, end = (<usize>count) << 2; at < end; at += 16) {
    const weight = f32x4.max(f32x4.splat(least), f32x4.mul(v128.load(across + at), f32x4.splat(share)));
    v128.store(weights + at, f32x4.add(v128.load(weights + at), weight));
    v128.store(sums + at, f32x4.add(v128.load(sums + at), f32x4.mul(weight, v128.load(values + at))));
  }
}

/** plane /= weights, which count as at least `least`. */
export function divideBy(weights: usize, least: f32, plane: usize, count: i32): void {
  for (let at: usize = 0, end = (<usize>count) << 2; at < end; at += 16) {
    const weight = f32x4.max(v128.load(weights + at), f32x4.splat(least));
    v128.store(plane + at, f32x4.div(v128.load(plane + at), weight));
  }
}

/** sums /= totals where these exceed `least`; elsewhere the values. */
export function divideKnown(totals: usize, least: f32, values: usize, sums: usize, count: i32): void {
  for (let at: usize = 0, end = (<usize>count) << 2; at < end; at += 16) {
    const total = v128.load(totals + at);
    const mean = f32x4.div(v128.load(sums + at), total);
    const known = f32x4.gt(total, f32x4.splat(least));
    v128.store(sums + at, v128.bitselect(mean, v128.load(values + at), known));
  }
}
