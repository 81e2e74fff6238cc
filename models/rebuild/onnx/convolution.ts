/** A convolution with a bias, in 32 bits. */
export interface Convolution {
  readonly outputs: number;
  readonly inputs: number;
  /** Rows and columns. */
  readonly side: number;
  /** Order: output, input, row, column. */
  readonly kernels: Float32Array;
  readonly bias: Float32Array;
}

export function fromBinary16(bits: number): number {
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 31) throw new Error('A weight is not finite');
  const size = exponent === 0 ? fraction * 2 ** -24 : (1 + fraction / 1024) * 2 ** (exponent - 15);
  return bits & 0x8000 ? -size : size;
}
