/**
 * The sum over a disc around every pixel, as an open lens spreads a point of light; what lies beyond the picture
 * counts as nothing. Pixels on the rim count in part, so that the radius need not be a whole number; it is at least
 * half a pixel. A pixel costs as much as the disc has rows, whatever its area: running sums give each row at once.
 */
export function discSum(source: Float32Array, width: number, height: number, radius: number): Float32Array {
  const target = new Float32Array(source.length);
  const spans = discSpans(Math.max(0.5, radius));
  const reach = spans.length - 1;
  const pad = Math.ceil(radius) + 2;
  const stride = width + 2 * pad + 1;
  // Running sums of the rows that the disc spans just now, in a ring; doubles, because spans are small differences.
  const rows = 2 * reach + 1;
  const ring = Array.from({ length: rows }, () => new Float64Array(stride));
  const total = new Float64Array(width);
  for (let y = -reach; y < height; y++) {
    if (y + reach < height) runningSums(source, (y + reach) * width, width, pad, at(ring, (y + reach) % rows));
    if (y < 0) continue;
    total.fill(0);
    for (let off = -reach; off <= reach; off++) {
      const row = y + off;
      if (row < 0 || row >= height) continue;
      const span = spans[Math.abs(off)];
      if (span) addSpan(total, at(ring, row % rows), pad, span);
    }
    for (let x = 0, to = y * width; x < width; x++, to++) target[to] = total[x] ?? 0;
  }
  return target;
}

interface Span {
  /** How far the row of the disc reaches to each side of its middle pixel. */
  half: number;
  /** How much of the row's height lies inside the disc, 0..1. */
  weight: number;
}

/** The rows of the disc from its middle on. */
function discSpans(radius: number): Span[] {
  const spans: Span[] = [];
  for (let off = 0; off < radius + 0.5; off++) {
    // A chord reaches from the middle of a pixel to the middle of another, and half a pixel further at both ends.
    const half = Math.max(0, Math.sqrt(Math.max(0, radius * radius - off * off)) - 0.5);
    spans.push({ half, weight: Math.min(1, radius + 0.5 - off) });
  }
  return spans;
}

/** sums[i] = the values left of i - pad. */
function runningSums(source: Float32Array, start: number, width: number, pad: number, sums: Float64Array): void {
  let sum = 0;
  sums.fill(0, 0, pad + 1);
  for (let x = 0; x < width; x++) {
    sum += source[start + x] ?? 0;
    sums[pad + x + 1] = sum;
  }
  sums.fill(sum, pad + width + 1);
}

/** Adds to each pixel the values of one row of the disc, the outermost ones in part. */
function addSpan(total: Float64Array, sums: Float64Array, pad: number, { half, weight }: Span): void {
  const whole = Math.floor(half);
  const part = (half - whole) * weight;
  const rest = weight - part;
  let right = pad + 1 + whole;
  let left = pad - whole;
  for (let x = 0; x < total.length; x++, right++, left++) {
    const high = (sums[right + 1] ?? 0) * part + (sums[right] ?? 0) * rest;
    const low = (sums[left - 1] ?? 0) * part + (sums[left] ?? 0) * rest;
    total[x] = (total[x] ?? 0) + high - low;
  }
}

function at(ring: readonly Float64Array[], index: number): Float64Array {
  const row = ring[index];
  if (!row) throw new RangeError(`no row ${index}`);
  return row;
}
