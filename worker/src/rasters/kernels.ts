import { readFileSync } from 'node:fs';
import type { instantiate } from '../../kernels/compiled.js';

/** Vector instructions on rows in {@link heap}: see `worker/kernels/kernels.ts`. Addresses are in bytes, counts in elements. */
type Kernels = Awaited<ReturnType<typeof instantiate>>;

const PAGE_BYTES = 1 << 16;
const INITIAL_PAGES = 64;
/** Kernels use vectors of 16 bytes, and up to four of them beyond the end of a row. */
const ALIGNMENT = 16;
const MARGIN = 4 * ALIGNMENT;

/** Larger memories are replaced after use: they can't shrink. */
const MAX_KEPT_BYTES = 64 << 20;

const module = new WebAssembly.Module(readFileSync(new URL('../../kernels/kernels.wasm', import.meta.url)));

let memory = new WebAssembly.Memory({ initial: INITIAL_PAGES });
export let kernels = kernelsOn(memory);

/** Views of the kernels' memory, indexed by address / size. Another {@link reserve} may replace them. */
export const heap = viewsOf(memory.buffer);
let top = ALIGNMENT;

function kernelsOn(env: WebAssembly.Memory): Kernels {
  return new WebAssembly.Instance(module, { env: { memory: env } }).exports as Kernels;
}

function viewsOf(buffer: ArrayBuffer) {
  return { bytes: new Uint8Array(buffer), integers: new Int32Array(buffer), floats: new Float32Array(buffer) };
}

/** Address of a part of the memory until the surrounding {@link withKernels} ends. */
export function reserve(bytes: number): number {
  const address = top;
  top += Math.ceil((bytes + MARGIN) / ALIGNMENT) * ALIGNMENT;
  const missing = top - memory.buffer.byteLength;
  if (missing > 0) {
    memory.grow(Math.ceil(missing / PAGE_BYTES));
    Object.assign(heap, viewsOf(memory.buffer));
  }
  return address;
}

/** Frees what `work` reserved. It must be synchronous: the memory is a stack. */
export function withKernels<Result>(work: () => Result): Result {
  const before = top;
  try {
    return work();
  } finally {
    top = before;
    if (top === ALIGNMENT && memory.buffer.byteLength > MAX_KEPT_BYTES) {
      memory = new WebAssembly.Memory({ initial: INITIAL_PAGES });
      kernels = kernelsOn(memory);
      Object.assign(heap, viewsOf(memory.buffer));
    }
  }
}

export const floatsAt = (address: number, count: number): Float32Array =>
  heap.floats.subarray(address >> 2, (address >> 2) + count);

export const bytesAt = (address: number, count: number): Uint8Array => heap.bytes.subarray(address, address + count);
