/**
 * sRGB transfer function (IEC 61966-2-1), shared by Display P3. Lenses add light: blurred codes are too dark around
 * highlights.
 */
export const LIGHT_OF_CODE: Float32Array = Float32Array.from({ length: 256 }, (_, code) => {
  const value = code / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
});

/** Indexed by the square root of light, which resolves darks about as finely as codes. */
const STEPS = 2048;
const CODE_OF_ROOT: Float32Array = Float32Array.from({ length: STEPS + 2 }, (_, step) => {
  const light = Math.min(1, (step / STEPS) ** 2);
  return 255 * (light <= 0.0031308 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055);
});

/** Unrounded code of light, clamped to 0..1. */
export function codeOfLight(light: number): number {
  if (light >= 1) return 255;
  const step = light <= 0 ? 0 : Math.sqrt(light) * STEPS;
  const whole = step | 0;
  const code = CODE_OF_ROOT[whole] ?? 0;
  return code + ((CODE_OF_ROOT[whole + 1] ?? 255) - code) * (step - whole);
}

/** ITU-R BT.709. */
export const luminance = (red: number, green: number, blue: number): number =>
  0.2126 * red + 0.7152 * green + 0.0722 * blue;
