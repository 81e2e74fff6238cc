/**
 * Sum over a disc around every pixel, as an open lens spreads a point of light; zero outside the picture. Rim pixels
 * count in part, so the radius (at least half a pixel) may be fractional. Running sums make the cost proportional to
 * the disc's rows, not its area.
 */
export function discSum(source: Float32Array, width: number, height: number, radius: number): Float32Array {
  const target = new Float32Array(source.length);
  const spans = discSpans(Math.max(0.5, radius));
  const reach = spans.length - 1;
  const pad = Math.ceil(radius) + 2;
  const stride = width + 2 * pad + 1;
  // Ring buffer of running sums; doubles, because spans are small differences.
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

/** sums[i]: sum of values left of i - pad. */
function runningSums(source: Float32Array, start: number, width: number, pad: number, sums: Float64Array): void {
  let sum = 0;
  sums.fill(0, 0, pad + 1);
  for (let x = 0; x < width; x++) {
    sum += source[start + x] ?? 0;
    sums[pad + x + 1] = sum;
  }
  sums.fill(sum, pad + width + 1);
}

/** Outermost pixels count in part. */
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
