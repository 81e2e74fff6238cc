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
