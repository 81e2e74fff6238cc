/**
 * Means over windows of 2 * radius + 1 pixels a side, at edges over their inner part, in place. Sums are doubles: those of a
 * window are small differences.
 * @param rows space for the plane and one row more
 * @param sums space for a row of doubles
 */
export function boxMean(plane: usize, rows: usize, sums: usize, width: i32, height: i32, radius: i32): void {
  const stride = (<usize>width) << 2;
  const last = height - 1;
  for (let y = 0; y < height; y += 4) {
    const from = plane + <usize>y * stride;
    const second = <usize>(min(y + 1, last) - y) * stride;
    const third = <usize>(min(y + 2, last) - y) * stride;
    const fourth = <usize>(min(y + 3, last) - y) * stride;
    slideRows(from, second, third, fourth, rows - plane, width, radius);
  }
  const nothing = rows + <usize>height * stride;
  memory.fill(nothing, 0, stride);
  memory.fill(sums, 0, stride << 1);
  let count = min(radius, height);
  for (let y = 0; y < count; y++) slideColumns(sums, rows + <usize>y * stride, nothing, 1, plane, width);
  for (let y = 0; y < height; y++) {
    let entering = nothing;
    let leaving = nothing;
    if (y + radius < height) {
      entering = rows + <usize>(y + radius) * stride;
      count++;
    }
    if (y > radius) {
      leaving = rows + <usize>(y - radius - 1) * stride;
      count--;
    }
    slideColumns(sums, entering, leaving, 1 / <f64>count, plane + <usize>y * stride, width);
  }
}

/** Four rows at once: each addition waits for the one before in its row. */
function slideRows(a: usize, toB: usize, toC: usize, toD: usize, shift: usize, width: i32, radius: i32): void {
  let sumA: f64 = 0;
  let sumB: f64 = 0;
  let sumC: f64 = 0;
  let sumD: f64 = 0;
  let count = min(radius, width);
  for (let x = 0; x < count; x++) {
    const at = a + ((<usize>x) << 2);
    sumA += <f64>load<f32>(at);
    sumB += <f64>load<f32>(at + toB);
    sumC += <f64>load<f32>(at + toC);
    sumD += <f64>load<f32>(at + toD);
  }
  for (let x = 0; x < width; x++) {
    if (x + radius < width) {
      const at = a + ((<usize>(x + radius)) << 2);
      sumA += <f64>load<f32>(at);
      sumB += <f64>load<f32>(at + toB);
      sumC += <f64>load<f32>(at + toC);
      sumD += <f64>load<f32>(at + toD);
      count++;
    }
    if (x > radius) {
      const at = a + ((<usize>(x - radius - 1)) << 2);
      sumA -= <f64>load<f32>(at);
      sumB -= <f64>load<f32>(at + toB);
      sumC -= <f64>load<f32>(at + toC);
      sumD -= <f64>load<f32>(at + toD);
      count--;
    }
    const share = 1 / <f64>count;
    const to = a + shift + ((<usize>x) << 2);
    store<f32>(to, <f32>(sumA * share));
    store<f32>(to + toB, <f32>(sumB * share));
    store<f32>(to + toC, <f32>(sumC * share));
    store<f32>(to + toD, <f32>(sumD * share));
  }
}

/** Adds one row to the sums and subtracts another; target = sums * share. */
function slideColumns(sums: usize, entering: usize, leaving: usize, share: f64, target: usize, width: i32): void {
  const shares = f64x2.splat(share);
  for (let at: usize = 0, end = (<usize>width) << 2; at < end; at += 8, sums += 16) {
    const added = f64x2.add(v128.load(sums), f64x2.promote_low_f32x4(v128.load64_zero(entering + at)));
    const sum = f64x2.sub(added, f64x2.promote_low_f32x4(v128.load64_zero(leaving + at)));
    v128.store(sums, sum);
    v128.store64_lane(target + at, f32x4.demote_f64x2_zero(f64x2.mul(sum, shares)), 0);
  }
}

/** target = one * other, floats. */
export function multiply(one: usize, other: usize, target: usize, count: i32): void {
  for (let at: usize = 0, end = (<usize>count) << 2; at < end; at += 16) {
    v128.store(target + at, f32x4.mul(v128.load(one + at), v128.load(other + at)));
  }
}

/** Per pixel of a line: linearly between two neighbors. `columns`: index of the left one, share of the right one. */
export function sampleGrays(line: usize, columns: usize, target: usize, count: i32): void {
  for (let x = 0; x < count; x++, columns += 8, target += 4) {
    const at = line + ((<usize>load<i32>(columns)) << 2);
    const own = load<f32>(at);
    store<f32>(target, own + (load<f32>(at, 4) - own) * load<f32>(columns, 4));
  }
}

/** Smooth step of each value * scale + offset: 0 below 0, 1 above 1. */
export function smoothSteps(source: usize, scale: f32, offset: f32, target: usize, count: i32): void {
  const scales = f32x4.splat(scale);
  const offsets = f32x4.splat(offset);
  for (let at: usize = 0, end = (<usize>count) << 2; at < end; at += 16) {
    const part = clampToOne(f32x4.add(f32x4.mul(v128.load(source + at), scales), offsets));
    const rest = f32x4.sub(f32x4.splat(3), f32x4.add(part, part));
    v128.store(target + at, f32x4.mul(f32x4.mul(part, part), rest));
  }
}

export function clampToOne(values: v128): v128 {
  return f32x4.min(f32x4.max(values, f32x4.splat(0)), f32x4.splat(1));
}

/**
 * Solves a guided filter's linear models in doubles. `planes`, `stride` bytes apart: means of red, green, blue and the target; of
 * the products rr, rg, rb, gg, gb, bb; of red, green and blue by the target. The models replace the first four.
 */
export function solveGuided(planes: usize, stride: usize, epsilon: f64, count: i32): void {
  const regular = f64x2.splat(epsilon);
  for (let at = planes, end = planes + ((<usize>count) << 2); at < end; at += 8) {
    const mr = doubles(at, stride, 0);
    const mg = doubles(at, stride, 1);
    const mb = doubles(at, stride, 2);
    const mt = doubles(at, stride, 3);
    // Covariance of the guide's channels, regularized, and with the target.
    const vrr = f64x2.add(f64x2.sub(doubles(at, stride, 4), f64x2.mul(mr, mr)), regular);
    const vrg = f64x2.sub(doubles(at, stride, 5), f64x2.mul(mr, mg));
    const vrb = f64x2.sub(doubles(at, stride, 6), f64x2.mul(mr, mb));
    const vgg = f64x2.add(f64x2.sub(doubles(at, stride, 7), f64x2.mul(mg, mg)), regular);
    const vgb = f64x2.sub(doubles(at, stride, 8), f64x2.mul(mg, mb));
    const vbb = f64x2.add(f64x2.sub(doubles(at, stride, 9), f64x2.mul(mb, mb)), regular);
    const cr = f64x2.sub(doubles(at, stride, 10), f64x2.mul(mr, mt));
    const cg = f64x2.sub(doubles(at, stride, 11), f64x2.mul(mg, mt));
    const cb = f64x2.sub(doubles(at, stride, 12), f64x2.mul(mb, mt));
    // Cofactors of the symmetric, positive definite 3 x 3 matrix.
    const c11 = crossed(vgg, vbb, vgb, vgb);
    const c12 = crossed(vrb, vgb, vrg, vbb);
    const c13 = crossed(vrg, vgb, vrb, vgg);
    const c22 = crossed(vrr, vbb, vrb, vrb);
    const c23 = crossed(vrb, vrg, vrr, vgb);
    const c33 = crossed(vrr, vgg, vrg, vrg);
    const scale = f64x2.div(f64x2.splat(1), dot(vrr, c11, vrg, c12, vrb, c13));
    const ar = f64x2.mul(dot(c11, cr, c12, cg, c13, cb), scale);
    const ag = f64x2.mul(dot(c12, cr, c22, cg, c23, cb), scale);
    const ab = f64x2.mul(dot(c13, cr, c23, cg, c33, cb), scale);
    storeFloats(at, ar);
    storeFloats(at + stride, ag);
    storeFloats(at + 2 * stride, ab);
    storeFloats(at + 3 * stride, f64x2.sub(mt, dot(ar, mr, ag, mg, ab, mb)));
  }
}

function doubles(at: usize, stride: usize, plane: usize): v128 {
  return f64x2.promote_low_f32x4(v128.load64_zero(at + plane * stride));
}

function storeFloats(at: usize, values: v128): void {
  v128.store64_lane(at, f32x4.demote_f64x2_zero(values), 0);
}

/** a * b - c * d. */
function crossed(a: v128, b: v128, c: v128, d: v128): v128 {
  return f64x2.sub(f64x2.mul(a, b), f64x2.mul(c, d));
}

/** a * b + c * d + e * f. */
function dot(a: v128, b: v128, c: v128, d: v128, e: v128, f: v128): v128 {
  return f64x2.add(f64x2.add(f64x2.mul(a, b), f64x2.mul(c, d)), f64x2.mul(e, f));
}
