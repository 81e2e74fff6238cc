/**
 * Adds a share of a retouch to pixels. `line`: eight floats a pixel: changes of luma, blue and red difference, luma without its
 * finest detail, change of the finest detail, and three unused. `columns`: index of the left neighbor, share of the right one.
 */
export function retouchRow(pixels: usize, line: usize, columns: usize, share: f32, target: usize, count: i32): void {
  for (let x = 0; x < count; x++, pixels += 3, columns += 8, target += 3) {
    const at = line + ((<usize>load<i32>(columns)) << 5);
    const part = v128.load32_splat(columns, 4);
    const left = v128.load(at);
    const change = f32x4.add(left, f32x4.mul(f32x4.sub(v128.load(at, 32), left), part));
    const fineLeft = load<f32>(at, 16);
    const fine = fineLeft + (load<f32>(at, 48) - fineLeft) * f32x4.extract_lane(part, 0);
    const red = <f32>load<u8>(pixels);
    const green = <f32>load<u8>(pixels, 1);
    const blue = <f32>load<u8>(pixels, 2);
    const luma: f32 = 0.299 * red + 0.587 * green + 0.114 * blue;
    const light = f32x4.extract_lane(change, 0) + fine * (luma - f32x4.extract_lane(change, 3));
    const cb = f32x4.extract_lane(change, 1);
    const cr = f32x4.extract_lane(change, 2);
    store<u8>(target, levelOf(red + share * (light + 1.402 * cr)));
    store<u8>(target, levelOf(green + share * (light - 0.344 * cb - 0.714 * cr)), 1);
    store<u8>(target, levelOf(blue + share * (light + 1.772 * cb)), 2);
  }
}

function levelOf(value: f32): u8 {
  return <u8>(min<f32>(255, max<f32>(0, value)) + 0.5);
}
