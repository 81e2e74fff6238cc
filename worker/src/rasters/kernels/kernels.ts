import { readFileSync } from 'node:fs';

/** Vector instructions on rows in {@link heap}: see `worker/kernels/kernels.ts`. Addresses are in bytes, counts in elements. */
interface Kernels {
  widen(source: number, target: number, count: number): void;
  round(source: number, target: number, count: number): void;
  addScaled(source: number, share: number, target: number, count: number): void;
  interpolate(one: number, other: number, share: number, target: number, count: number): void;
  stretchColors(line: number, starts: number, weights: number, target: number, pixels: number): void;
  stretchGrays(line: number, starts: number, weights: number, target: number, pixels: number): void;
  mixSix(rows: number, weights: number, target: number, count: number): void;
  blendFloats(own: number, other: number, shares: number, target: number, pixels: number): void;
  blendBytes(own: number, other: number, shares: number, target: number, pixels: number): void;
  addLimited(pixels: number, blocks: number, share: number, line: number, width: number): void;
  sumBlocks(pixels: number, stride: number, rows: number, target: number, blocks: number): void;
}

const PAGE_BYTES = 1 << 16;
const INITIAL_PAGES = 64;
/** Kernels use vectors of 16 bytes, and up to four of them beyond the end of a row. */
const ALIGNMENT = 16;
const MARGIN = 4 * ALIGNMENT;

const memory = new WebAssembly.Memory({ initial: INITIAL_PAGES });
const module = new WebAssembly.Module(readFileSync(new URL('../../../kernels/kernels.wasm', import.meta.url)));
export const kernels = new WebAssembly.Instance(module, { env: { memory } }).exports as Kernels;

/** Views of the kernels' memory, indexed by address / size. Another {@link reserve} may replace them. */
export const heap = viewsOf(memory.buffer);
let top = ALIGNMENT;

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
  }
}

export const floatsAt = (address: number, count: number): Float32Array =>
  heap.floats.subarray(address >> 2, (address >> 2) + count);

export const bytesAt = (address: number, count: number): Uint8Array => heap.bytes.subarray(address, address + count);
