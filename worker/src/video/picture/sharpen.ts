/** Most that a pixel may change, in levels. */
const MAX_CHANGE = 40;

/**
 * Contrast-adaptive sharpening of luma (after AMD FidelityFX CAS): a cross of neighbours, the weaker the closer the
 * pixel's surroundings are to black or white, so that edges get no halo. `amount` 0..1.
 */
export function sharpenLuma(
  source: Uint8Array,
  width: number,
  height: number,
  amount: number,
  bytes: Uint8Array,
): void {
  // A clamped array rounds and clamps on assignment.
  const target = new Uint8ClampedArray(bytes.buffer, bytes.byteOffset, width * height);
  target.set(source.subarray(0, width * height));
  const table = weightTable(amount);
  for (let y = 1; y < height - 1; y++) {
    const row = y * width;
    for (let at = row + 1, end = row + width - 1; at < end; at++) {
      const up = source[at - width] as number;
      const left = source[at - 1] as number;
      const own = source[at] as number;
      const right = source[at + 1] as number;
      const down = source[at + width] as number;
      let least = own;
      let most = own;
      if (up < least) least = up;
      else if (up > most) most = up;
      if (left < least) least = left;
      else if (left > most) most = left;
      if (right < least) least = right;
      else if (right > most) most = right;
      if (down < least) least = down;
      else if (down > most) most = down;
      // Flat places stay as they are: what is left of noise would return.
      const range = most - least;
      if (range < FLAT) continue;
      const weight = table[(least << 8) | most] as number;
      let change = (own * 4 - up - left - right - down) * weight;
      if (change > MAX_CHANGE) change = MAX_CHANGE;
      else if (change < -MAX_CHANGE) change = -MAX_CHANGE;
      if (range < 2 * FLAT) change *= (range - FLAT) / FLAT;
      target[at] = own + change;
    }
  }
}

/** Contrast in levels below which nothing is sharpened; up to twice that, less. */
const FLAT = 3;
/** Of the neighbours beside the pixel, where there is room on both sides. */
const LOBE = -1 / 8;

/** Weight of the Laplacian by darkest and brightest neighbour. */
function weightTable(amount: number): Float32Array {
  const known = tables.get(amount);
  if (known) return known;
  const table = new Float32Array(256 * 256);
  for (let least = 0; least < 256; least++) {
    for (let most = Math.max(1, least); most < 256; most++) {
      const room = Math.min(least, 255 - most) / most;
      const lobe = Math.sqrt(Math.max(0, Math.min(1, room))) * LOBE;
      table[(least << 8) | most] = (-amount * lobe) / (1 + 4 * lobe);
    }
  }
  tables.set(amount, table);
  return table;
}

const tables = new Map<number, Float32Array>();
