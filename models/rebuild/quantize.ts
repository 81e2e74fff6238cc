import type { Convolution } from './onnx/convolution.ts';

/**
 * Largest weight. With 7 bits two products of a weight and a byte fit 16 bits, so that processors without integer dot
 * products, which saturate there, compute the same.
 */
const LARGEST_WEIGHT = 63;

/** Weights for bytes of those steps; the greatest of each output becomes {@link LARGEST_WEIGHT}. */
export function quantize(
  { outputs, inputs, side, kernels, bias }: Convolution,
  from: Float32Array,
  to: Float32Array,
): { weights: Int8Array; scales: Float32Array; bias: Int32Array } {
  if (from.length !== inputs) throw new Error(`${inputs} channels were expected instead of ${from.length}`);
  const area = side * side;
  const weights = new Int8Array(kernels.length);
  const scales = new Float32Array(outputs);
  const offsets = new Int32Array(outputs);
  for (let output = 0; output < outputs; output++) {
    const start = output * inputs * area;
    const step = to[output] as number;
    const row = Array.from({ length: inputs * area }, (_, at) => {
      return ((kernels[start + at] as number) * (from[Math.floor(at / area)] as number)) / step;
    });
    const scale = Math.fround(row.reduce((most, value) => Math.max(most, Math.abs(value)), 1e-12) / LARGEST_WEIGHT);
    for (const [at, value] of row.entries()) weights[start + at] = clamped(Math.round(value / scale));
    scales[output] = scale;
    offsets[output] = Math.round((bias[output] as number) / step / scale);
  }
  return { weights, scales, bias: offsets };
}

const clamped = (weight: number): number => Math.max(-LARGEST_WEIGHT, Math.min(LARGEST_WEIGHT, weight));
