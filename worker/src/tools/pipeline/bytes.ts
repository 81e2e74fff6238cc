import { bytesAt, heap, kernels, reserve, withKernels } from '../../rasters/kernels.js';

/** Arithmetic modulo 256 on equally long bytes. */

/** Bytes in the kernels' memory at a time. */
const PIECE = 1 << 16;

export function differenceOf(one: Uint8Array, other: Uint8Array): Uint8Array<ArrayBuffer> {
  const difference = Uint8Array.from(one);
  combine(difference, other, kernels.subtractBytes);
  return difference;
}

/** In place. */
export const addTo = (target: Uint8Array, other: Uint8Array): void => combine(target, other, kernels.addBytes);

function combine(
  target: Uint8Array,
  other: Uint8Array,
  kernel: (source: number, target: number, count: number) => void,
): void {
  withKernels(() => {
    const [source, result] = [reserve(PIECE), reserve(PIECE)];
    for (let start = 0; start < target.length; start += PIECE) {
      const end = Math.min(target.length, start + PIECE);
      heap.bytes.set(other.subarray(start, end), source);
      heap.bytes.set(target.subarray(start, end), result);
      kernel(source, result, end - start);
      target.set(bytesAt(result, end - start), start);
    }
  });
}
