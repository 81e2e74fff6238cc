import { expect, it } from 'vitest';
import type { Samples } from '../../image/picture.js';
import { composeBokeh, nearbyColors } from '../bokeh/bokeh.js';
import { blurLight } from '../bokeh/lens.js';
import { applyMaps } from './pixel-maps.js';

const GRAY = 120;
const FACTOR = 3;

it.each([
  { channels: 3, unit: 1 },
  { channels: 4, unit: 257 },
])(
  'blurs a larger picture behind people, in strips ($channels channels, levels of $unit)',
  async ({ channels, unit }) => {
    const [width, height] = [240, 160];
    const small = { width, height, data: new Uint8Array(3 * width * height).fill(GRAY) };
    // A person in the left half.
    const data = Float32Array.from({ length: width * height }, (_, at) => (at % width < width / 2 ? 1 : 0));
    const opacity = { width, height, data };
    const lens = { radius: 8, highlights: 0, vivid: 0 };
    const layers = { background: blurLight(small, opacity, lens), near: nearbyColors(small, opacity), lens };
    const blur = await composeBokeh(small, opacity, layers, () => Promise.resolve());

    const size = { width: FACTOR * width, height: FACTOR * height };
    const length = channels * size.width * size.height;
    const grain = (_: unknown, at: number) => unit * GRAY + ((at * 7_919) % (40 * unit)) - 20 * unit;
    const before: Samples = unit === 1 ? Uint8Array.from({ length }, grain) : Uint16Array.from({ length }, grain);
    const after = before.slice();
    const rows = 100;
    for (let first = 0; first < size.height; first += rows) {
      const strip = after.subarray(channels * size.width * first, channels * size.width * (first + rows));
      applyMaps(strip, [{ blur }], { ...size, channels, first });
    }

    // Beside the edge the matte is between black and white.
    const [left, right] = [size.width / 2 - FACTOR, size.width / 2 + FACTOR];
    let [changed, grainy, opaque] = [0, 0, 0];
    for (let at = 0; at < length; at++) {
      const x = Math.floor(at / channels) % size.width;
      const value = after[at] as number;
      if (at % channels === 3) opaque += value === before[at] ? 0 : 1;
      else if (x < left && value !== before[at]) changed++;
      else if (x > right && Math.abs(value / unit - GRAY) > 1.6) grainy++;
    }
    expect({ changed, grainy, opaque }).toEqual({ changed: 0, grainy: 0, opaque: 0 });
  },
);
