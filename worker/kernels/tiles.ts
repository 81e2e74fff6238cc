/** Kernels between pictures of three bytes a pixel and the planes of floats that networks take and give. */

/** Planes of value * gain + low. */
export function splitColors(pixels: usize, gain: f32, low: f32, planes: usize, stride: usize, count: i32): void {
  for (let x = 0; x < count; x++, pixels += 3, planes += 4) {
    store<f32>(planes, <f32>load<u8>(pixels) * gain + low);
    store<f32>(planes + stride, <f32>load<u8>(pixels, 1) * gain + low);
    store<f32>(planes + 2 * stride, <f32>load<u8>(pixels, 2) * gain + low);
  }
}

/**
 * Rounds value * gain + offset of three planes into pixels, crossfaded with own ones: `across` * `down` is the share of the planes.
 * They are clamped first, because an overshoot would shift the crossfade. `target` may not be `own`.
 */
export function joinColors(
  planes: usize,
  stride: usize,
  gain: f32,
  offset: f32,
  across: usize,
  down: f32,
  own: usize,
  target: usize,
  count: i32,
): void {
  const one = f32x4.splat(1);
  for (let x = 0; x < count; x += 4, planes += 16, across += 16, own += 12, target += 12) {
    let red = levelsAt(planes, gain, offset);
    let green = levelsAt(planes + stride, gain, offset);
    let blue = levelsAt(planes + 2 * stride, gain, offset);
    const share = f32x4.mul(v128.load(across), f32x4.splat(down));
    if (!i32x4.all_true(f32x4.ge(share, one))) {
      let pixels = v128.load32_zero(own);
      pixels = v128.load32_lane(own + 3, pixels, 1);
      pixels = v128.load32_lane(own + 6, pixels, 2);
      pixels = v128.load32_lane(own + 9, pixels, 3);
      red = mixed(red, pixels, share);
      green = mixed(green, i32x4.shr_u(pixels, 8), share);
      blue = mixed(blue, i32x4.shr_u(pixels, 16), share);
    }
    const upper = v128.or(i32x4.shl(whole(green), 8), i32x4.shl(whole(blue), 16));
    const colors = v128.or(whole(red), upper);
    // Ascending: each pixel's fourth byte is the next one's first.
    v128.store32_lane(target, colors, 0);
    v128.store32_lane(target + 3, colors, 1);
    v128.store32_lane(target + 6, colors, 2);
    v128.store32_lane(target + 9, colors, 3);
  }
}

function levelsAt(plane: usize, gain: f32, offset: f32): v128 {
  const values = f32x4.add(f32x4.mul(v128.load(plane), f32x4.splat(gain)), f32x4.splat(offset));
  return f32x4.min(f32x4.max(values, f32x4.splat(0)), f32x4.splat(255));
}

/** `pixels`: the own level in the lowest byte of each lane. */
function mixed(levels: v128, pixels: v128, share: v128): v128 {
  const own = f32x4.convert_i32x4_u(v128.and(pixels, i32x4.splat(0xff)));
  return f32x4.add(own, f32x4.mul(f32x4.sub(levels, own), share));
}

function whole(levels: v128): v128 {
  return i32x4.trunc_sat_f32x4_u(f32x4.add(levels, f32x4.splat(0.5)));
}
