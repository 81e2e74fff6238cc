import { describe, expect, it } from 'vitest';
import { createRaster, toPlanes } from '../../rasters/raster.js';
import { separateSkin } from './skin-smooth.js';

const SIDE = 160;
const FACE_WIDTH = 300;
const SKIN = new Float32Array(SIDE * SIDE).fill(1);
const MIDDLE = (SIDE / 2) * SIDE + SIDE / 2;

function separate(change: (x: number, y: number) => number) {
  const raster = createRaster(SIDE, SIDE);
  for (let y = 0, at = 0; y < SIDE; y++) {
    for (let x = 0; x < SIDE; x++, at += 3) {
      const levels = change(x, y);
      raster.data.set([190 + levels, 140 + levels, 120 + levels], at);
    }
  }
  return separateSkin(toPlanes(raster), SKIN, 152, FACE_WIDTH);
}

const gaussian = (x: number, y: number, radius: number) =>
  Math.exp(-((x - SIDE / 2) ** 2 + (y - SIDE / 2) ** 2) / (2 * radius * radius));
const deviation = (values: Float32Array) => {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
};

describe('separateSkin', () => {
  it('removes faint blotches from the base and keeps the edge of a shadow', () => {
    const blotchy = separate((x, y) => 4 * Math.sin(x / 3) * Math.sin(y / 3));
    expect(deviation(blotchy.base)).toBeLessThan(deviation(blotchy.low) * 0.3);
    const shaded = separate((x) => (x < SIDE / 2 ? 0 : -70));
    const [before, after] = [SIDE / 2 - 5, SIDE / 2 + 5].map((x) => shaded.base[(SIDE / 2) * SIDE + x] ?? 0);
    expect((before ?? 0) - (after ?? 0)).toBeGreaterThan(60);
  });

  it('finds a small dark spot and the color of the skin around it', () => {
    const { blemishes, clear } = separate((x, y) => -18 * gaussian(x, y, 3));
    expect(blemishes[MIDDLE]).toBeGreaterThan(0.8);
    expect(blemishes[MIDDLE + 30]).toBe(0);
    const around = clear.luma[MIDDLE + 30] ?? 0;
    expect(Math.abs((clear.luma[MIDDLE] ?? 0) - around)).toBeLessThan(3);
  });

  it('does not treat moles, wrinkles or highlights as spots', () => {
    expect(separate((x, y) => -110 * gaussian(x, y, 3)).blemishes[MIDDLE]).toBeLessThan(0.1);
    expect(separate((_x, y) => -30 * Math.exp(-((y - SIDE / 2) ** 2) / 18)).blemishes[MIDDLE]).toBe(0);
    expect(separate((x, y) => 30 * gaussian(x, y, 3)).blemishes[MIDDLE]).toBe(0);
  });
});
