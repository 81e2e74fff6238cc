// AssemblyScript: compiled to kernels.wasm by build.mjs. Addresses are in bytes; rows may be written up to 16 bytes
// past their end.
export { applyDeepTable, applyTable, markCells, markDeepCells } from './colors';
export { averageBlocks, mapChanges, sumLost } from './compare';
export { addSpan, composeRow, linearize, matteRow, narrow, reduceLight, runningSums } from './lens';
export {
  addWeighted,
  brightenLight,
  divideBy,
  divideKnown,
  excludeLight,
  finishLight,
  join,
  luminances,
  separate,
} from './light';
export { boxMean, multiply, sampleGrays, smoothSteps, solveGuided } from './planes';
export { adler32, paethRow } from './png';
export { retouchRow } from './retouch';
export { joinColors, splitColors } from './tiles';

/** Widens bytes to floats. */
export function widen(source: usize, target: usize, count: i32): void {
  for (let at = 0; at < count; at += 16) {
    const bytes = v128.load(source + at);
    const low = i16x8.extend_low_i8x16_u(bytes);
    const high = i16x8.extend_high_i8x16_u(bytes);
    const to = target + (at << 2);
    v128.store(to, f32x4.convert_i32x4_u(i32x4.extend_low_i16x8_u(low)));
    v128.store(to, f32x4.convert_i32x4_u(i32x4.extend_high_i16x8_u(low)), 16);
    v128.store(to, f32x4.convert_i32x4_u(i32x4.extend_low_i16x8_u(high)), 32);
    v128.store(to, f32x4.convert_i32x4_u(i32x4.extend_high_i16x8_u(high)), 48);
  }
}

/** Rounds floats to bytes as a clamped array does: to the nearest, halves to even. */
export function round(source: usize, target: usize, count: i32): void {
  for (let at = 0; at < count; at += 16) {
    const from = source + (at << 2);
    const a = i32x4.trunc_sat_f32x4_s(f32x4.nearest(v128.load(from)));
    const b = i32x4.trunc_sat_f32x4_s(f32x4.nearest(v128.load(from, 16)));
    const c = i32x4.trunc_sat_f32x4_s(f32x4.nearest(v128.load(from, 32)));
    const d = i32x4.trunc_sat_f32x4_s(f32x4.nearest(v128.load(from, 48)));
    v128.store(target + at, i8x16.narrow_i16x8_u(i16x8.narrow_i32x4_s(a, b), i16x8.narrow_i32x4_s(c, d)));
  }
}

/** target += share * source, floats. */
export function addScaled(source: usize, share: f32, target: usize, count: i32): void {
  const shares = f32x4.splat(share);
  for (let at: usize = 0, end = (<usize>count) << 2; at < end; at += 16) {
    v128.store(target + at, f32x4.add(v128.load(target + at), f32x4.mul(v128.load(source + at), shares)));
  }
}

/** target = one + (other - one) * share, floats. */
export function interpolate(one: usize, other: usize, share: f32, target: usize, count: i32): void {
  const shares = f32x4.splat(share);
  for (let at: usize = 0, end = (<usize>count) << 2; at < end; at += 16) {
    const own = v128.load(one + at);
    v128.store(target + at, f32x4.add(own, f32x4.mul(f32x4.sub(v128.load(other + at), own), shares)));
  }
}

/** Per pixel of three floats: six neighboring pixels of a line, from `starts` on, by `weights`. */
export function stretchColors(line: usize, starts: usize, weights: usize, target: usize, pixels: i32): void {
  for (let pixel = 0; pixel < pixels; pixel++, starts += 4, weights += 24, target += 12) {
    const from = line + <usize>load<i32>(starts) * 12;
    const a = f32x4.mul(v128.load32_splat(weights), v128.load(from));
    const b = f32x4.mul(v128.load32_splat(weights, 4), v128.load(from, 12));
    const c = f32x4.mul(v128.load32_splat(weights, 8), v128.load(from, 24));
    const d = f32x4.mul(v128.load32_splat(weights, 12), v128.load(from, 36));
    const e = f32x4.mul(v128.load32_splat(weights, 16), v128.load(from, 48));
    const f = f32x4.mul(v128.load32_splat(weights, 20), v128.load(from, 60));
    v128.store(target, f32x4.add(f32x4.add(f32x4.add(a, b), f32x4.add(c, d)), f32x4.add(e, f)));
  }
}

/** The same for pixels of one float. */
export function stretchGrays(line: usize, starts: usize, weights: usize, target: usize, pixels: i32): void {
  for (let pixel = 0; pixel < pixels; pixel++, starts += 4, weights += 24, target += 4) {
    const from = line + ((<usize>load<i32>(starts)) << 2);
    const a = load<f32>(weights) * load<f32>(from) + load<f32>(weights, 4) * load<f32>(from, 4);
    const b = load<f32>(weights, 8) * load<f32>(from, 8) + load<f32>(weights, 12) * load<f32>(from, 12);
    const c = load<f32>(weights, 16) * load<f32>(from, 16) + load<f32>(weights, 20) * load<f32>(from, 20);
    store<f32>(target, a + b + c);
  }
}

/** The weighted sum of six rows of floats. `rows`: their addresses. */
export function mixSix(rows: usize, weights: usize, target: usize, count: i32): void {
  const a = <usize>load<u32>(rows);
  const b = <usize>load<u32>(rows, 4);
  const c = <usize>load<u32>(rows, 8);
  const d = <usize>load<u32>(rows, 12);
  const e = <usize>load<u32>(rows, 16);
  const f = <usize>load<u32>(rows, 20);
  const ka = v128.load32_splat(weights);
  const kb = v128.load32_splat(weights, 4);
  const kc = v128.load32_splat(weights, 8);
  const kd = v128.load32_splat(weights, 12);
  const ke = v128.load32_splat(weights, 16);
  const kf = v128.load32_splat(weights, 20);
  for (let at: usize = 0, end = (<usize>count) << 2; at < end; at += 16) {
    const one = f32x4.add(f32x4.mul(ka, v128.load(a + at)), f32x4.mul(kb, v128.load(b + at)));
    const two = f32x4.add(f32x4.mul(kc, v128.load(c + at)), f32x4.mul(kd, v128.load(d + at)));
    const three = f32x4.add(f32x4.mul(ke, v128.load(e + at)), f32x4.mul(kf, v128.load(f + at)));
    v128.store(target + at, f32x4.add(f32x4.add(one, two), three));
  }
}

/** Three bytes of a pixel and one of the next, as floats. */
function colorAt(address: usize): v128 {
  return f32x4.convert_i32x4_u(i32x4.extend_low_i16x8_u(i16x8.extend_low_i8x16_u(v128.load32_zero(address))));
}

/** Writes four floats from 0 to 255 as bytes. */
function storeColor(address: usize, whole: v128): void {
  const words = i16x8.narrow_i32x4_s(i32x4.trunc_sat_f32x4_s(whole), whole);
  store<i32>(address, i32x4.extract_lane(i8x16.narrow_i16x8_u(words, words), 0));
}

/** target = own + (other - own) * share, per pixel of three bytes; `other` are floats. */
export function blendFloats(own: usize, other: usize, shares: usize, target: usize, pixels: i32): void {
  for (let pixel = 0; pixel < pixels; pixel++, own += 3, other += 12, shares += 4, target += 3) {
    const color = colorAt(own);
    const change = f32x4.mul(f32x4.sub(v128.load(other), color), v128.load32_splat(shares));
    storeColor(target, f32x4.nearest(f32x4.add(color, change)));
  }
}

/** The same for bytes, with halves rounded up. */
export function blendBytes(own: usize, other: usize, shares: usize, target: usize, pixels: i32): void {
  const half = f32x4.splat(0.5);
  for (let pixel = 0; pixel < pixels; pixel++, own += 3, other += 3, shares += 4, target += 3) {
    const color = colorAt(own);
    const change = f32x4.mul(f32x4.sub(colorAt(other), color), v128.load32_splat(shares));
    storeColor(target, f32x4.floor(f32x4.add(f32x4.add(color, change), half)));
  }
}

/**
 * line += share * (reference mean + gain * (pixel - own mean)). `blocks`: eight floats for each block of four pixels, reference mean of
 * the channels, nothing, own mean of the channels, gain, interpolated between the centers of blocks; the last one twice.
 */
export function addLimited(pixels: usize, blocks: usize, share: f32, line: usize, width: i32): void {
  const shares = f32x4.replace_lane(f32x4.splat(share), 3, 0);
  let x = 0;
  // From the center of one block to that of the next: the first part is the two pixels before the first center.
  for (let block = -1; x < width; block++) {
    const at = blocks + ((<usize>max(block, 0)) << 5);
    const before = v128.load(at);
    const after = v128.load(at, 16);
    const toBefore = f32x4.sub(v128.load(at, 32), before);
    const toAfter = f32x4.sub(v128.load(at, 48), after);
    const end = min(width, (block << 2) + 6);
    for (; x < end; x++, pixels += 3, line += 12) {
      const part = f32x4.splat(block < 0 ? 0 : (<f32>x - 1.5) * 0.25 - <f32>block);
      const mean = f32x4.add(after, f32x4.mul(toAfter, part));
      const gain = f32x4.splat(f32x4.extract_lane(mean, 3));
      const limited = f32x4.add(
        f32x4.add(before, f32x4.mul(toBefore, part)),
        f32x4.mul(f32x4.sub(colorAt(pixels), mean), gain),
      );
      v128.store(line, f32x4.add(v128.load(line), f32x4.mul(limited, shares)));
    }
  }
}

/** Sums of a pixel's channels and of its squared luma, over squares of four pixels; `rows` is how many of each square exist. */
export function sumBlocks(pixels: usize, stride: usize, rows: i32, target: usize, blocks: i32): void {
  const weights = f32x4(0.299, 0.587, 0.114, 0);
  const colors = f32x4(1, 1, 1, 0);
  for (let block = 0; block < blocks; block++, pixels += 12, target += 16) {
    let sum = f32x4.splat(0);
    let squares: f32 = 0;
    for (let row = 0; row < rows; row++) {
      for (let x: usize = 0; x < 12; x += 3) {
        const color = colorAt(pixels + <usize>row * stride + x);
        sum = f32x4.add(sum, f32x4.mul(color, colors));
        const parts = f32x4.mul(color, weights);
        const luma = f32x4.extract_lane(parts, 0) + f32x4.extract_lane(parts, 1) + f32x4.extract_lane(parts, 2);
        squares += luma * luma;
      }
    }
    v128.store(target, f32x4.replace_lane(sum, 3, squares));
  }
}

/** Rounded; exact up to 255 * 255. */
function divideBy255(products: v128): v128 {
  const more = i16x8.add(products, i16x8.splat(128));
  return i16x8.shr_u(i16x8.add(more, i16x8.shr_u(more, 8)), 8);
}

/** pixels = pixels + (colors - pixels) * opacities / 255, bytes, rounded. */
export function coverBytes(pixels: usize, colors: usize, opacities: usize, count: i32): void {
  for (let at: usize = 0, end = <usize>count; at < end; at += 16) {
    const own = v128.load(pixels + at);
    const color = v128.load(colors + at);
    const opacity = v128.load(opacities + at);
    const rest = v128.not(opacity);
    const low = i16x8.add(i16x8.extmul_low_i8x16_u(own, rest), i16x8.extmul_low_i8x16_u(color, opacity));
    const high = i16x8.add(i16x8.extmul_high_i8x16_u(own, rest), i16x8.extmul_high_i8x16_u(color, opacity));
    v128.store(pixels + at, i8x16.narrow_i16x8_u(divideBy255(low), divideBy255(high)));
  }
}

/** target += source modulo 256, bytes. */
export function addBytes(source: usize, target: usize, count: i32): void {
  for (let at: usize = 0, end = <usize>count; at < end; at += 16) {
    v128.store(target + at, i8x16.add(v128.load(target + at), v128.load(source + at)));
  }
}

/** target -= source modulo 256, bytes. */
export function subtractBytes(source: usize, target: usize, count: i32): void {
  for (let at: usize = 0, end = <usize>count; at < end; at += 16) {
    v128.store(target + at, i8x16.sub(v128.load(target + at), v128.load(source + at)));
  }
}
