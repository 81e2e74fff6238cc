import { bytesAt, heap, kernels, reserve } from '../../rasters/kernels.js';

/**
 * Sum over a disc around every pixel, in place; zero outside the picture. Rim pixels count in part, so the radius (at
 * least half a pixel) may be fractional. Running sums make the cost proportional to the disc's rows. `plane`: an
 * address of floats, within {@link withKernels}.
 */
export function discSum(plane: number, width: number, height: number, radius: number): void {
  const spans = discSpans(Math.max(0.5, radius));
  const reach = spans.length - 1;
  const pad = Math.ceil(radius) + 2;
  // Running sums of rows, also of those that are already replaced; doubles, because spans are small differences.
  const ring = Array.from({ length: 2 * reach + 1 }, () => reserve(8 * (width + 2 * pad + 1)));
  const sumsAt = (row: number) => ring[row % ring.length] as number;
  const totals = reserve(8 * width);
  const line = reserve(4 * width);
  for (let y = -reach; y < height; y++) {
    const entering = y + reach;
    if (entering < height) kernels.runningSums(plane + 4 * entering * width, width, pad, sumsAt(entering));
    if (y < 0) continue;
    bytesAt(totals, 8 * width).fill(0);
    for (let off = -reach; off <= reach; off++) {
      const span = spans[Math.abs(off)];
      if (span && y + off >= 0 && y + off < height) addSpan(totals, sumsAt(y + off), pad, span, width);
    }
    kernels.narrow(totals, line, width);
    heap.floats.copyWithin((plane >> 2) + y * width, line >> 2, (line >> 2) + width);
  }
}

interface Span {
  /** Half the length, from the middle pixel. */
  half: number;
  /** Share of the row inside the disc, 0..1. */
  weight: number;
}

/** Rows from the middle outwards. */
function discSpans(radius: number): Span[] {
  const spans: Span[] = [];
  for (let off = 0; off < radius + 0.5; off++) {
    // A chord runs between pixel centers plus half a pixel at both ends.
    const half = Math.max(0, Math.sqrt(Math.max(0, radius * radius - off * off)) - 0.5);
    spans.push({ half, weight: Math.min(1, radius + 0.5 - off) });
  }
  return spans;
}

/** Outermost pixels count in part. Addresses of doubles. */
function addSpan(totals: number, sums: number, pad: number, { half, weight }: Span, width: number): void {
  const whole = Math.floor(half);
  const part = (half - whole) * weight;
  kernels.addSpan(sums + 8 * (pad - whole), sums + 8 * (pad + 1 + whole), weight - part, part, totals, width);
}
