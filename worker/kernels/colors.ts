/**
 * Kernels of color tables: three floats a point, `size` points an axis, red slowest. `positions`: by code, the cell along an
 * axis (an integer) and the place inside (a float).
 */

/** Offset of a sample's position. */
function codeAt<T>(samples: usize, channel: usize): usize {
  return (<usize>load<T>(samples + channel * sizeof<T>())) << 3;
}

/** Marks the cells that contain a color of the samples with 1. */
export function markCells(samples: usize, positions: usize, size: i32, cells: usize, count: i32): void {
  mark<u8>(samples, positions, size, cells, count);
}

export function markDeepCells(samples: usize, positions: usize, size: i32, cells: usize, count: i32): void {
  mark<u16>(samples, positions, size, cells, count);
}

function mark<T>(samples: usize, positions: usize, size: i32, cells: usize, count: i32): void {
  for (let x = 0; x < count; x++, samples += 3 * sizeof<T>()) {
    const red = load<i32>(positions + codeAt<T>(samples, 0));
    const green = load<i32>(positions + codeAt<T>(samples, 1));
    const blue = load<i32>(positions + codeAt<T>(samples, 2));
    store<u8>(cells + <usize>((red * size + green) * size + blue), 1);
  }
}

/**
 * Looks up colors by tetrahedral interpolation: six tetrahedra share each cell's gray diagonal, so that grays come from grays
 * only. Walks from the black corner to the white one, the longest axis first.
 */
function lookUp<T>(samples: usize, positions: usize, table: usize, size: i32): v128 {
  const codeRed = positions + codeAt<T>(samples, 0);
  const codeGreen = positions + codeAt<T>(samples, 1);
  const codeBlue = positions + codeAt<T>(samples, 2);
  // Shares are not negative: their bits have their order, and integers are compared and chosen without branches.
  const r = load<i32>(codeRed, 4);
  const g = load<i32>(codeGreen, 4);
  const b = load<i32>(codeBlue, 4);
  const stepBlue: usize = 12;
  const stepGreen = <usize>size * stepBlue;
  const stepRed = <usize>size * stepGreen;
  const cell = (load<i32>(codeRed) * size + load<i32>(codeGreen)) * size + load<i32>(codeBlue);
  const base = table + <usize>cell * stepBlue;
  const isGreener = g > r;
  const more = select<i32>(g, r, isGreener);
  const less = select<i32>(r, g, isGreener);
  const isBluest = b > more;
  const isLeastBlue = b <= less;
  const first = select<usize>(stepBlue, select<usize>(stepGreen, stepRed, isGreener), isBluest);
  const last = select<usize>(stepBlue, select<usize>(stepRed, stepGreen, isGreener), isLeastBlue);
  const long = reinterpret<f32>(select<i32>(b, more, isBluest));
  const middle = reinterpret<f32>(select<i32>(more, select<i32>(less, b, isLeastBlue), isBluest));
  const short = reinterpret<f32>(select<i32>(b, less, isLeastBlue));
  const near = base + first;
  const far = base + stepRed + stepGreen + stepBlue - last;
  const white = base + stepRed + stepGreen + stepBlue;
  const black = f32x4.mul(v128.load(base), f32x4.splat(1 - long));
  const one = f32x4.add(black, f32x4.mul(v128.load(near), f32x4.splat(long - middle)));
  const other = f32x4.mul(v128.load(far), f32x4.splat(middle - short));
  return f32x4.add(f32x4.add(one, other), f32x4.mul(v128.load(white), f32x4.splat(short)));
}

/** Bytes, in place. */
export function applyTable(samples: usize, positions: usize, table: usize, size: i32, count: i32): void {
  for (let x = 0; x < count; x++, samples += 3) {
    const color = lookUp<u8>(samples, positions, table, size);
    const level = f32x4.add(f32x4.mul(color, f32x4.splat(255)), f32x4.splat(0.5));
    const words = i16x8.narrow_i32x4_s(i32x4.trunc_sat_f32x4_s(level), level);
    const bytes = i32x4.extract_lane(i8x16.narrow_i16x8_u(words, words), 0);
    store<u16>(samples, <u16>bytes);
    store<u8>(samples, <u8>(bytes >>> 16), 2);
  }
}

/** Samples of 16 bits, in place. */
export function applyDeepTable(samples: usize, positions: usize, table: usize, size: i32, count: i32): void {
  for (let x = 0; x < count; x++, samples += 6) {
    const color = lookUp<u16>(samples, positions, table, size);
    const level = f32x4.add(f32x4.mul(color, f32x4.splat(65535)), f32x4.splat(0.5));
    const whole = i32x4.trunc_sat_f32x4_s(level);
    const words = i16x8.narrow_i32x4_u(whole, whole);
    store<u32>(samples, i32x4.extract_lane(words, 0));
    store<u16>(samples, <u16>i16x8.extract_lane_u(words, 2), 4);
  }
}
