import { describe, expect, it } from 'vitest';
import { createRaster, crop, luma, type Raster } from '../ai/raster.js';
import { cat, degrade } from '../test/quality.js';
import { measureBlockiness, measureNoise } from './noise.js';

/** A sky: light that changes slowly. */
function sky(side: number): Raster {
  const raster = createRaster(side, side);
  for (let at = 0; at < side * side; at++) {
    raster.data.fill(90 + ((at % side) + Math.floor(at / side)) / 6, at * 3, at * 3 + 3);
  }
  return raster;
}

const noiseOf = (picture: Raster) => measureNoise(luma(picture), picture.width, picture.height, 0);

describe('measureNoise', () => {
  it.each([4, 8, 14])('tells noise of %i levels in each colour', async (level) => {
    // Brightness is a weighted mean of three colours that vary by themselves: two thirds of it.
    const expected = level * Math.hypot(0.299, 0.587, 0.114);
    const noise = noiseOf(await degrade(sky(240), { noise: level }));
    expect(noise).toBeGreaterThan(expected * 0.6);
    expect(noise).toBeLessThan(expected * 1.5);
  });

  it('calls a clean picture clean, and fur is no noise either', async () => {
    expect(noiseOf(sky(240))).toBe(0);
    expect(noiseOf(crop(await cat(), { x: 130, y: 60, width: 200, height: 150 }))).toBeLessThan(0.5);
  });

  it('finds none in what is too small to tell', () => {
    expect(noiseOf(sky(6))).toBe(0);
  });
});

describe('measureBlockiness', () => {
  const blockiness = (picture: Raster) => measureBlockiness(luma(picture), picture.width, picture.height);

  it('grows as the quality of a JPEG falls', async () => {
    const original = await cat();
    const [good, fair, poor] = [
      blockiness(await degrade(original, { jpeg: 92 })),
      blockiness(await degrade(original, { jpeg: 40 })),
      blockiness(await degrade(original, { jpeg: 12 })),
    ];
    expect(good).toBeLessThan(0.95);
    expect(fair).toBeGreaterThan(good);
    expect(poor).toBeGreaterThan(fair * 1.5);
  });
});
