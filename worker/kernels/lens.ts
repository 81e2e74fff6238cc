/** Kernels of the background blur. Light is linear, 0 to 1, of four floats a pixel: red, green, blue and a weight. */
import { clampToOne } from './planes';

/** Bytes of a row as light of weight 1. `lights`: by code. */
export function linearize(pixels: usize, lights: usize, target: usize, count: i32): void {
  for (let x = 0; x < count; x++, pixels += 3, target += 16) v128.store(target, lightAt(pixels, lights));
}

function lightAt(pixel: usize, lights: usize): v128 {
  let light = v128.load32_lane(lights + ((<usize>load<u8>(pixel)) << 2), f32x4.splat(1), 0);
  light = v128.load32_lane(lights + ((<usize>load<u8>(pixel, 1)) << 2), light, 1);
  return v128.load32_lane(lights + ((<usize>load<u8>(pixel, 2)) << 2), light, 2);
}

/** Adds the weighted light of each `reduction` pixels of a row to a row of sums. */
export function reduceLight(light: usize, weights: usize, reduction: i32, sums: usize, count: i32): void {
  for (let x = 0; x < count; sums += 16) {
    let sum = v128.load(sums);
    for (const end = min(count, x + reduction); x < end; x++, light += 16, weights += 4) {
      sum = f32x4.add(sum, f32x4.mul(v128.load(light), v128.load32_splat(weights)));
    }
    v128.store(sums, sum);
  }
}

/** Running sums of a row: at `pad` + x + 1 the sum of what lies left of it. `sums`: `width` + 2 * `pad` + 1 doubles. */
export function runningSums(source: usize, width: i32, pad: i32, sums: usize): void {
  let sum: f64 = 0;
  for (let x = 0; x <= pad; x++, sums += 8) store<f64>(sums, 0);
  for (let x = 0; x < width; x++, source += 4, sums += 8) {
    sum += <f64>load<f32>(source);
    store<f64>(sums, sum);
  }
  for (let x = 0; x < pad; x++, sums += 8) store<f64>(sums, sum);
}

/** totals += differences of running sums from `left` to `right`: `rest` of them, and `part` of those one further out. Doubles. */
export function addSpan(left: usize, right: usize, rest: f64, part: f64, totals: usize, count: i32): void {
  const rests = f64x2.splat(rest);
  const parts = f64x2.splat(part);
  for (let at: usize = 0, end = (<usize>count) << 3; at < end; at += 16) {
    const high = f64x2.add(f64x2.mul(v128.load(right + at, 8), parts), f64x2.mul(v128.load(right + at), rests));
    const low = f64x2.add(f64x2.mul(v128.load(left + at - 8), parts), f64x2.mul(v128.load(left + at), rests));
    v128.store(totals + at, f64x2.sub(f64x2.add(v128.load(totals + at), high), low));
  }
}

/** Doubles to floats. */
export function narrow(source: usize, target: usize, count: i32): void {
  for (let at: usize = 0, end = (<usize>count) << 2; at < end; at += 8) {
    v128.store64_lane(target + at, f32x4.demote_f64x2_zero(v128.load(source + (at << 1))), 0);
  }
}

/** Interpolates a pixel of four floats linearly between two neighbors. `column`: index of the left one, share of the right one. */
function sampleAt(line: usize, column: usize, size: usize, offset: usize): v128 {
  const at = line + <usize>load<i32>(column) * size + offset;
  const own = v128.load(at);
  return f32x4.add(own, f32x4.mul(f32x4.sub(v128.load(at + size), own), v128.load32_splat(column, 4)));
}

function smoothStep(value: f32, scale: f32, offset: f32): f32 {
  const part = min<f32>(1, max<f32>(0, value * scale + offset));
  return part * part * (3 - 2 * part);
}

/**
 * Opacity of a row of pixels. `certain`: a line of mean probabilities. `model`: a line of guided models. `steps`: scale and offset
 * of the smooth steps of certain people, of possible people and of the fitted opacity; the probabilities below which there are
 * none, and from which there are.
 */
export function matteRow(
  pixels: usize,
  certain: usize,
  certainColumns: usize,
  model: usize,
  modelColumns: usize,
  steps: usize,
  target: usize,
  count: i32,
): void {
  const least = load<f32>(steps, 24);
  const most = load<f32>(steps, 28);
  for (let x = 0; x < count; x++, pixels += 3, certainColumns += 8, modelColumns += 8, target += 4) {
    const at = certain + ((<usize>load<i32>(certainColumns)) << 2);
    const own = load<f32>(at);
    const sure = own + (load<f32>(at, 4) - own) * load<f32>(certainColumns, 4);
    if (sure <= least || sure >= most) {
      store<f32>(target, sure <= least ? 0 : 1);
      continue;
    }
    const fit = sampleAt(model, modelColumns, 16, 0);
    const color =
      f32x4.extract_lane(fit, 0) * <f32>load<u8>(pixels) +
      f32x4.extract_lane(fit, 1) * <f32>load<u8>(pixels, 1) +
      f32x4.extract_lane(fit, 2) * <f32>load<u8>(pixels, 2);
    const value = color * (1 / 255.0) + f32x4.extract_lane(fit, 3);
    const fitted = smoothStep(value, load<f32>(steps, 16), load<f32>(steps, 20));
    const inside = smoothStep(sure, load<f32>(steps), load<f32>(steps, 4));
    const possible = smoothStep(sure, load<f32>(steps, 8), load<f32>(steps, 12));
    store<f32>(target, (fitted + (1 - fitted) * inside) * possible);
  }
}

/** Bytes of 256 floats. */
const CODES: usize = 1024;
const CODE_STEPS: f32 = 2048;

/** Unrounded codes of light, clamped to 0..1. `codes`: by the root of light, in steps. */
function codesOf(light: v128, codes: usize): v128 {
  const place = f32x4.mul(f32x4.sqrt(clampToOne(light)), f32x4.splat(CODE_STEPS));
  const whole = i32x4.trunc_sat_f32x4_s(place);
  const red = v128.load64_zero(codes + ((<usize>i32x4.extract_lane(whole, 0)) << 2));
  const green = v128.load64_zero(codes + ((<usize>i32x4.extract_lane(whole, 1)) << 2));
  const blue = v128.load64_zero(codes + ((<usize>i32x4.extract_lane(whole, 2)) << 2));
  const both = v128.shuffle<i32>(red, green, 0, 4, 1, 5);
  const low = v128.shuffle<i32>(both, blue, 0, 1, 4, 6);
  const high = v128.shuffle<i32>(both, blue, 2, 3, 5, 7);
  return f32x4.add(low, f32x4.mul(f32x4.sub(high, low), f32x4.sub(place, f32x4.convert_i32x4_s(whole))));
}

/** Deterministic noise below a level against banding. */
function dither(x: i32, y: i32): f32 {
  let hash: u32 = (x * 0x27d4eb2d) ^ (y * 0x165667b1);
  hash = (hash ^ (hash >>> 15)) * 0x2c1b3c6d;
  hash ^= hash >>> 12;
  return (<f32>hash * <f32>(1.0 / 4294967296.0) - 0.5) * 0.9;
}

/**
 * Draws the blurred background into a row of pixels, where people are not opaque. In mixed pixels the person's light is the color
 * beside the edge, corrected by the pixel (blur fusion of Germer et al., Fast Multi-Level Foreground Estimation, 2020): otherwise
 * the sharp background fringes hair.
 * @param share of the blurred picture in the result
 * @param background a line of light
 * @param near a line of eight floats a pixel: the light of people nearby, then that of the background
 * @param tables light by code, then codes by the root of light
 */
export function composeRow(
  pixels: usize,
  opacity: usize,
  y: i32,
  share: f32,
  background: usize,
  backgroundColumns: usize,
  near: usize,
  nearColumns: usize,
  tables: usize,
  target: usize,
  count: i32,
): void {
  for (let x = 0; x < count; x++, pixels += 3, opacity += 4, target += 3) {
    const alpha = load<f32>(opacity);
    if (alpha >= 1) {
      store<u16>(target, load<u16>(pixels));
      store<u8>(target, load<u8>(pixels, 2), 2);
      continue;
    }
    const own = lightAt(pixels, tables);
    let light = sampleAt(background, backgroundColumns + ((<usize>x) << 3), 16, 0);
    if (alpha > 0) {
      const column = nearColumns + ((<usize>x) << 3);
      const person = sampleAt(near, column, 32, 0);
      const behind = sampleAt(near, column, 32, 16);
      const shown = f32x4.splat(alpha);
      const rest = f32x4.splat(1 - alpha);
      const expected = f32x4.add(f32x4.mul(shown, person), f32x4.mul(rest, behind));
      const foreground = clampToOne(f32x4.add(person, f32x4.mul(shown, f32x4.sub(own, expected))));
      light = f32x4.add(f32x4.mul(foreground, shown), f32x4.mul(light, rest));
    }
    if (share < 1) light = f32x4.add(own, f32x4.mul(f32x4.sub(light, own), f32x4.splat(share)));
    const level = f32x4.add(codesOf(light, tables + CODES), f32x4.splat(dither(x, y) + 0.5));
    const words = i16x8.narrow_i32x4_s(i32x4.trunc_sat_f32x4_s(level), level);
    const bytes = i32x4.extract_lane(i8x16.narrow_i16x8_u(words, words), 0);
    store<u16>(target, <u16>bytes);
    store<u8>(target, <u8>(bytes >>> 16), 2);
  }
}
