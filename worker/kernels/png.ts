/**
 * Filters a row by Paeth's predictor (PNG specification, 9.4). `step`: bytes of a pixel; as many zeros lie before `pixels` and the
 * row `above`.
 */
export function paethRow(pixels: usize, above: usize, step: usize, target: usize, count: i32): void {
  for (let at: usize = 0, end = <usize>count; at < end; at += 8) {
    const left = v128.load8x8_u(pixels + at - step);
    const up = v128.load8x8_u(above + at);
    const corner = v128.load8x8_u(above + at - step);
    const alongLeft = i16x8.sub(up, corner);
    const alongUp = i16x8.sub(left, corner);
    const offLeft = i16x8.abs(alongLeft);
    const offUp = i16x8.abs(alongUp);
    const least = i16x8.min_s(i16x8.min_s(offLeft, offUp), i16x8.abs(i16x8.add(alongLeft, alongUp)));
    const second = v128.bitselect(up, corner, i16x8.eq(offUp, least));
    const predicted = v128.bitselect(left, second, i16x8.eq(offLeft, least));
    const rest = v128.and(i16x8.sub(v128.load8x8_u(pixels + at), predicted), i16x8.splat(0xff));
    v128.store64_lane(target + at, i8x16.narrow_i16x8_u(rest, rest), 0);
  }
}

const MODULUS: u32 = 65521;
/** Bytes after which the sums of 32 bits must be reduced, as in zlib. */
const MOST: i32 = 5552;

/** Adler-32 of more bytes (RFC 1950). */
export function adler32(adler: u32, bytes: usize, count: i32): u32 {
  let first = adler & 0xffff;
  let second = adler >>> 16;
  for (let left = count; left > 0; ) {
    const block = min(left, MOST);
    const vectors = block & ~15;
    const end = bytes + <usize>vectors;
    second += first * <u32>vectors;
    let sums = i32x4.splat(0);
    let before = i32x4.splat(0);
    let weighted = i32x4.splat(0);
    for (; bytes < end; bytes += 16) {
      const values = v128.load(bytes);
      before = i32x4.add(before, sums);
      sums = i32x4.add(sums, i32x4.extadd_pairwise_i16x8_u(i16x8.extadd_pairwise_i8x16_u(values)));
      const low = i32x4.dot_i16x8_s(i16x8.extend_low_i8x16_u(values), i16x8(16, 15, 14, 13, 12, 11, 10, 9));
      const high = i32x4.dot_i16x8_s(i16x8.extend_high_i8x16_u(values), i16x8(8, 7, 6, 5, 4, 3, 2, 1));
      weighted = i32x4.add(weighted, i32x4.add(low, high));
    }
    first += total(sums);
    second += (total(before) << 4) + total(weighted);
    for (const last = end + <usize>(block - vectors); bytes < last; bytes++) {
      first += load<u8>(bytes);
      second += first;
    }
    first %= MODULUS;
    second %= MODULUS;
    left -= block;
  }
  return (second << 16) | first;
}

function total(values: v128): u32 {
  const halves = i32x4.add(values, i8x16.shuffle(values, values, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7));
  return i32x4.extract_lane(halves, 0) + i32x4.extract_lane(halves, 1);
}
