import { describe, expect, it } from 'vitest';
import { createRaster, type Raster } from '../../rasters/raster.js';
import { limitGain } from '../../test/limit-gain.js';
import { measureContrast } from './gain-limiter.js';
import { mixLayers } from './layers.js';

const flat = (level: number): Raster => ({ width: 20, height: 12, data: new Uint8Array(720).fill(level) });
const layer = (raster: Raster, share: number) => ({ raster, share, limit: null });
const keptWhere = (isKept: (x: number, y: number) => boolean) => ({
  width: 20,
  height: 12,
  side: 1,
  data: Float32Array.from({ length: 240 }, (_, at) => (isKept(at % 20, Math.floor(at / 20)) ? 1 : 0)),
});

describe('mixLayers', () => {
  it('averages the layers by their shares', () => {
    const target = flat(0);
    mixLayers(target, [layer(flat(100), 0.25), layer(flat(200), 0.75)], 1);
    expect(new Set(target.data)).toEqual(new Set([175]));
  });

  it('applies a part of the change, and keeps protected pixels', () => {
    const target = flat(80);
    const kept = keptWhere((x) => x >= 10);
    mixLayers(target, [layer(flat(120), 1)], 0.5, kept);
    expect([...target.data.subarray(0, 60)]).toEqual([...Array(30).fill(100), ...Array(30).fill(80)]);
  });

  it('keeps protected pixels of a picture that a smaller layer replaces', () => {
    const target = flat(80);
    const small = { width: 10, height: 6, data: new Uint8Array(180).fill(120) };
    const kept = keptWhere((x, y) => x >= 10 && y === 3);
    mixLayers(target, [layer(small, 1)], 1, kept);
    const row = (y: number) => [...target.data.subarray(y * 60, (y + 1) * 60)];
    expect(row(3)).toEqual([...Array(30).fill(120), ...Array(30).fill(80)]);
    expect(row(4)).toEqual(Array(60).fill(120));
  });

  it('enlarges smaller layers', () => {
    const target = flat(0);
    const small = { width: 10, height: 6, data: new Uint8Array(180).fill(150) };
    mixLayers(target, [layer(small, 0.5), layer(flat(50), 0.5)], 1);
    expect(new Set(target.data)).toEqual(new Set([100]));
  });

  it('replaces the picture by one smaller layer as it mixes two halves of it', () => {
    const small = { width: 10, height: 6, data: Uint8Array.from({ length: 180 }, (_, at) => (at * 7919) % 256) };
    const [alone, halves] = [flat(80), flat(80)];
    mixLayers(alone, [layer(small, 1)], 1);
    mixLayers(halves, [layer(small, 0.5), layer(small, 0.5)], 1);
    for (const [at, value] of alone.data.entries()) {
      expect(Math.abs(value - (halves.data[at] as number))).toBeLessThanOrEqual(1);
    }
  });

  it('stays between black and white for any shares', () => {
    const [bright, dark] = [flat(10), flat(10)];
    mixLayers(bright, [layer(flat(250), 2), layer(flat(100), -1)], 1);
    mixLayers(dark, [layer(flat(100), 2), layer(flat(250), -1)], 1);
    expect([bright.data[7], dark.data[7]]).toEqual([255, 0]);
  });

  it('limits a layer as the limiter alone does', () => {
    const wild = createRaster(20, 12);
    const calm = createRaster(20, 12);
    for (let at = 0; at < 720; at++) {
      wild.data[at] = (at * 7919) % 256;
      calm.data[at] = 120 + ((at * 31) % 16);
    }
    const limit = { maxGain: 1.25, allowance: 0.5, radius: 6 };
    const alone = { ...wild, data: Uint8Array.from(wild.data) };
    limitGain(alone, calm, limit);
    const mixed = flat(0);
    mixLayers(mixed, [{ raster: wild, share: 1, limit: { ...limit, reference: measureContrast(calm, 6) } }], 1);
    expect(Buffer.compare(mixed.data, alone.data)).toBe(0);
  });
});
