/** Weights of 16 bits in 32. @throws unless all are finite */
export function fromBinary16({ buffer, byteOffset, length }: Uint16Array): Float32Array {
  const weights = Float32Array.from(new Float16Array(buffer, byteOffset, length));
  if (!weights.every(Number.isFinite)) throw new Error('A weight is not finite');
  return weights;
}
