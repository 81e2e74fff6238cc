import { bytesAt, heap, kernels, reserve, withKernels } from '../../rasters/kernels/kernels.js';

/** Arithmetic modulo 256 on equally long bytes. */

/** Bytes in the kernels' memory at a time. */
const PIECE = 1 << 16;

export const differenceOf = (one: Uint8Array, other: Uint8Array): Uint8Array<ArrayBuffer> =>
  combined(one, other, kernels.subtractBytes);

export const sumOf = (one: Uint8Array, other: Uint8Array): Uint8Array<ArrayBuffer> =>
  combined(one, other, kernels.addBytes);

/** @param combine writes its result over the second array */
function combined(
  one: Uint8Array,
  other: Uint8Array,
  combine: (source: number, target: number, count: number) => void,
): Uint8Array<ArrayBuffer> {
  const result = new Uint8Array(one.length);
  withKernels(() => {
    const [source, target] = [reserve(PIECE), reserve(PIECE)];
    for (let start = 0; start < one.length; start += PIECE) {
      const end = Math.min(one.length, start + PIECE);
      heap.bytes.set(other.subarray(start, end), source);
      heap.bytes.set(one.subarray(start, end), target);
      combine(source, target, end - start);
      result.set(bytesAt(target, end - start), start);
    }
  });
  return result;
}
