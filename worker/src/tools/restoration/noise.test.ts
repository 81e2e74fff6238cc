import { describe, expect, it } from 'vitest';
import { createRaster, crop, luma, type Raster } from '../../rasters/raster.js';
import { cat, degrade, page } from '../../test/quality.js';
import { measureBlockiness, measureNoise } from './noise.js';

function sky(side: number): Raster {
  const raster = createRaster(side, side);
  for (let at = 0; at < side * side; at++) {
    raster.data.fill(90 + ((at % side) + Math.floor(at / side)) / 6, at * 3, at * 3 + 3);
  }
  return raster;
}

const noiseOf = (picture: Raster) => measureNoise(luma(picture), picture.width, picture.height, 0);

describe('measureNoise', () => {
  it.each([4, 8, 14])('measures noise of %i levels in each channel', async (level) => {
    // Luma is a weighted mean of three independent channels: two thirds of their noise.
    const expected = level * Math.hypot(0.299, 0.587, 0.114);
    const noise = noiseOf(await degrade(sky(240), { noise: level }));
    expect(noise).toBeGreaterThan(expected * 0.6);
    expect(noise).toBeLessThan(expected * 1.5);
  });

  it('ignores black areas, where noise is clipped', async () => {
    const half = sky(240);
    half.data.fill(2, 0, half.data.length / 2);
    const expected = 12 * Math.hypot(0.299, 0.587, 0.114);
    expect(noiseOf(await degrade(half, { noise: 12 }))).toBeGreaterThan(expected * 0.8);
  });

  it('measures noise whose finest band JPEG has removed', async () => {
    const texture = sky(240);
    for (let at = 0; at < 240 * 240; at++) {
      const wave = 10 * Math.sin(at / 3.5) * Math.sin(Math.floor(at / 240) / 4.5);
      for (let channel = 0; channel < 3; channel++) texture.data[at * 3 + channel] = 120 + wave;
    }
    expect(noiseOf(await degrade(texture, { noise: 10, jpeg: 85 }))).toBeGreaterThan(2);
    expect(noiseOf(await degrade(texture, { jpeg: 85 }))).toBe(0);
  });

  it('finds no noise in a clean picture or in fur', async () => {
    expect(noiseOf(sky(240))).toBe(0);
    expect(noiseOf(crop(await cat(), { x: 130, y: 60, width: 200, height: 150 }))).toBeLessThan(0.5);
  });

  it('finds no noise in letters on a page, and that of a noisy page', async () => {
    expect(noiseOf(page())).toBe(0);
    expect(noiseOf(await degrade(page(), { jpeg: 92 }))).toBeLessThan(2);
    expect(noiseOf(await degrade(page(), { noise: 14 }))).toBeGreaterThan(4);
  });

  it('finds none in a picture too small to measure', () => {
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

  it('finds the blocks of a cropped picture', async () => {
    const blocky = await degrade(await cat(), { jpeg: 25 });
    const whole = blockiness(blocky);
    expect(blockiness(crop(blocky, { x: 3, y: 5, width: 440, height: 290 }))).toBeGreaterThan(whole * 0.8);
  });
});
