/**
 * sRGB transfer function (IEC 61966-2-1), shared by Display P3. Lenses add light: blurred codes are too dark around
 * highlights.
 */
export const LIGHT_OF_CODE: Float32Array = Float32Array.from({ length: 256 }, (_, code) => {
  const value = code / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
});

/** Steps of the table of codes, also in the kernel. */
const STEPS = 2048;
/** Unrounded codes by the square root of light, which resolves darks about as finely as codes. The last one stands twice. */
export const CODE_OF_ROOT: Float32Array = Float32Array.from({ length: STEPS + 2 }, (_, step) => {
  const light = Math.min(1, (step / STEPS) ** 2);
  return 255 * (light <= 0.0031308 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055);
});
