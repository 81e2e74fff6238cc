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
  coverBytes(pixels: number, colors: number, opacities: number, count: number): void;
  addBytes(source: number, target: number, count: number): void;
  subtractBytes(source: number, target: number, count: number): void;
  boxMean(plane: number, rows: number, sums: number, width: number, height: number, radius: number): void;
  multiply(one: number, other: number, target: number, count: number): void;
  sampleGrays(line: number, columns: number, target: number, count: number): void;
  smoothSteps(source: number, scale: number, offset: number, target: number, count: number): void;
  solveGuided(planes: number, stride: number, epsilon: number, count: number): void;
  linearize(pixels: number, lights: number, target: number, count: number): void;
  reduceLight(light: number, weights: number, reduction: number, sums: number, count: number): void;
  runningSums(source: number, width: number, pad: number, sums: number): void;
  addSpan(left: number, right: number, rest: number, part: number, totals: number, count: number): void;
  narrow(source: number, target: number, count: number): void;
  matteRow(
    pixels: number,
    certain: number,
    certainColumns: number,
    model: number,
    modelColumns: number,
    steps: number,
    target: number,
    count: number,
  ): void;
  composeRow(
    pixels: number,
    opacity: number,
    y: number,
    share: number,
    background: number,
    backgroundColumns: number,
    near: number,
    nearColumns: number,
    tables: number,
    target: number,
    count: number,
  ): void;
  separate(pixels: number, planes: number, stride: number, count: number): void;
  join(planes: number, stride: number, target: number, step: number, count: number): void;
  luminances(planes: number, stride: number, target: number, count: number): void;
  excludeLight(
    free: number,
    scale: number,
    offset: number,
    least: number,
    planes: number,
    stride: number,
    count: number,
  ): void;
  brightenLight(
    planes: number,
    stride: number,
    around: number,
    known: number,
    gain: number,
    steps: number,
    count: number,
  ): void;
  finishLight(planes: number, stride: number, vivid: number, count: number): void;
  addWeighted(
    values: number,
    across: number,
    share: number,
    least: number,
    sums: number,
    weights: number,
    count: number,
  ): void;
  divideKnown(totals: number, least: number, values: number, sums: number, count: number): void;
  divideBy(weights: number, least: number, plane: number, count: number): void;
  sumLost(pixels: number, line: number, sums: number, count: number): void;
  averageBlocks(sums: number, share: number, planes: number, stride: number, blocks: number): void;
  mapChanges(one: number, other: number, step: number, target: number, count: number): void;
  paethRow(pixels: number, above: number, step: number, target: number, count: number): void;
  adler32(adler: number, bytes: number, count: number): number;
  splitColors(pixels: number, gain: number, low: number, planes: number, stride: number, count: number): void;
  joinColors(
    planes: number,
    stride: number,
    gain: number,
    offset: number,
    across: number,
    down: number,
    own: number,
    target: number,
    count: number,
  ): void;
  retouchRow(pixels: number, line: number, columns: number, share: number, target: number, count: number): void;
  markCells(samples: number, positions: number, size: number, cells: number, count: number): void;
  markDeepCells(samples: number, positions: number, size: number, cells: number, count: number): void;
  applyTable(samples: number, positions: number, table: number, size: number, count: number): void;
  applyDeepTable(samples: number, positions: number, table: number, size: number, count: number): void;
}

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
