/**
 * The greatest difference of a channel, times eight, of every `step`th pixel of two rows of three bytes: opacities of a change
 * map, at most 255.
 */
export function mapChanges(one: usize, other: usize, step: i32, target: usize, count: i32): void {
  const stride = <usize>step * 3;
  for (let x = 0; x < count; x++, one += stride, other += stride) {
    const own = v128.load32_zero(one);
    const changed = v128.load32_zero(other);
    // One of the two differences of unsigned bytes is 0.
    const difference = v128.or(i8x16.sub_sat_u(own, changed), i8x16.sub_sat_u(changed, own));
    const most = max(
      i8x16.extract_lane_u(difference, 0),
      max(i8x16.extract_lane_u(difference, 1), i8x16.extract_lane_u(difference, 2)),
    );
    store<u8>(target + <usize>x, <u8>min(255, (<i32>most) << 3));
  }
}

/** Sums over runs of eight pixels of the squared difference between luma (ITU-R BT.601) and a line of floats. */
export function sumLost(pixels: usize, line: usize, sums: usize, count: i32): void {
  for (let x = 0; x < count; sums += 4) {
    let sum: f32 = 0;
    for (const end = min(count, x + 8); x < end; x++, pixels += 3, line += 4) {
      const warm: f32 = 0.299 * <f32>load<u8>(pixels) + 0.587 * <f32>load<u8>(pixels, 1);
      const lost = warm + 0.114 * <f32>load<u8>(pixels, 2) - load<f32>(line);
      sum += lost * lost;
    }
    store<f32>(sums, sum);
  }
}

/** Sums of blocks, as `sumBlocks` leaves them, times `share`, to planes: three channels, luma and its square. */
export function averageBlocks(sums: usize, share: f32, planes: usize, stride: usize, blocks: i32): void {
  for (let block = 0; block < blocks; block++, sums += 16, planes += 4) {
    const mean = f32x4.mul(v128.load(sums), f32x4.splat(share));
    const red = f32x4.extract_lane(mean, 0);
    const green = f32x4.extract_lane(mean, 1);
    const blue = f32x4.extract_lane(mean, 2);
    store<f32>(planes, red);
    store<f32>(planes + stride, green);
    store<f32>(planes + 2 * stride, blue);
    store<f32>(planes + 3 * stride, <f32>0.299 * red + <f32>0.587 * green + <f32>0.114 * blue);
    store<f32>(planes + 4 * stride, f32x4.extract_lane(mean, 3));
  }
}
