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

/** Weights of 16 bits. @throws unless all are finite */
export function fromBinary16({ buffer, byteOffset, length }: Uint16Array): Float32Array {
  const weights = Float32Array.from(new Float16Array(buffer, byteOffset, length));
  if (!weights.every(Number.isFinite)) throw new Error('A weight is not finite');
  return weights;
}
