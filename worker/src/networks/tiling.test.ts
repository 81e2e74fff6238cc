import { describe, expect, it } from 'vitest';
import { featherRamp, OutOfMemoryError, planTiles, reflect, runTiles } from './tiling.js';

const LIMITS = { size: 64, feather: 8, context: 4 };

describe('planTiles', () => {
  it.each([
    [10, 10],
    [64, 64],
    [65, 64],
    [200, 131],
    [1000, 17],
  ])('covers %i x %i with equal tiles that stay inside and overlap by at least the feather', (width, height) => {
    const plan = planTiles(width, height, LIMITS);
    const covered = new Uint8Array(width * height);
    for (const tile of plan.tiles) {
      expect(tile.width).toBeLessThanOrEqual(LIMITS.size);
      expect(tile.height).toBeLessThanOrEqual(LIMITS.size);
      expect([tile.width, tile.height]).toEqual([plan.tiles[0]?.width, plan.tiles[0]?.height]);
      for (let y = tile.y; y < tile.y + tile.height; y++)
        covered.fill(1, y * width + tile.x, y * width + tile.x + tile.width);
      expect(tile.x + tile.width).toBeLessThanOrEqual(width);
      expect(tile.y + tile.height).toBeLessThanOrEqual(height);
    }
    expect(covered.every((pixel) => pixel === 1)).toBe(true);
    const columns = [...new Set(plan.tiles.map((tile) => tile.x))];
    for (const [index, x] of columns.entries()) {
      const previous = columns[index - 1];
      if (previous === undefined) continue;
      expect(previous + (plan.tiles[0]?.width ?? 0) - x).toBeGreaterThanOrEqual(LIMITS.feather - 1);
    }
  });

  it.each([
    [51, 64],
    [65, 131],
    [201, 333],
  ])('covers %i x %i with tiles of even sides', (width, height) => {
    const { tiles } = planTiles(width, height, { ...LIMITS, multiple: 2 });
    for (const tile of tiles) {
      expect([tile.width % 2, tile.height % 2]).toEqual([0, 0]);
      expect(tile.x).toBeLessThan(width);
      expect(tile.y).toBeLessThan(height);
    }
    expect(Math.max(...tiles.map((tile) => tile.x + tile.width))).toBeGreaterThanOrEqual(width);
    expect(Math.max(...tiles.map((tile) => tile.y + tile.height))).toBeGreaterThanOrEqual(height);
  });

  it('uses one tile when the picture fits', () => {
    expect(planTiles(50, 64, LIMITS).tiles).toEqual([{ x: 0, y: 0, width: 50, height: 64 }]);
  });
});

describe('featherRamp', () => {
  it('fades in over the overlap, and not at the edge of the picture', () => {
    const plan = planTiles(200, 64, LIMITS);
    expect([...featherRamp(plan, 0, 64, 2)].every((value) => value === 1)).toBe(true);
    const ramp = featherRamp(plan, 50, 64, 2);
    expect(ramp[0]).toBeCloseTo(1 / 32);
    expect(ramp[15]).toBeCloseTo(31 / 32);
    expect(ramp[16]).toBe(1);
  });
});

describe('reflect', () => {
  it('mirrors without repeating the edge', () => {
    expect([-3, -2, -1, 0, 3, 4, 5, 6].map((index) => reflect(index, 5))).toEqual([3, 2, 1, 0, 3, 4, 3, 2]);
    expect(reflect(-7, 1)).toBe(0);
  });
});

describe('runTiles', () => {
  it('halves the tile when memory runs out, and restarts', async () => {
    const sizes: number[] = [];
    await runTiles({
      size: 128,
      plan: (size) => planTiles(128, 128, { ...LIMITS, size }),
      each: async (tile) => {
        sizes.push(tile.width);
        if (tile.width > 50) throw new Error('Failed to allocate memory for requested buffer of size 1234');
      },
    });
    expect(sizes[0]).toBe(128);
    expect(sizes.length).toBeGreaterThan(4);
    expect(Math.max(...sizes.slice(1))).toBeLessThanOrEqual(50);
  });

  it('fails clearly when the smallest tile is too large', async () => {
    const run = runTiles({
      size: 64,
      plan: (size) => planTiles(64, 64, { ...LIMITS, size }),
      each: async () => {
        throw new OutOfMemoryError('no');
      },
    });
    await expect(run).rejects.toThrow(OutOfMemoryError);
  });

  it('stops between tiles when aborted', async () => {
    const controller = new AbortController();
    let done = 0;
    const run = runTiles({
      size: 32,
      plan: (size) => planTiles(128, 128, { ...LIMITS, size }),
      signal: controller.signal,
      each: async () => {
        if (++done === 3) controller.abort();
      },
    });
    await expect(run).rejects.toMatchObject({ name: 'AbortError' });
    expect(done).toBe(3);
  });

  it('rethrows other errors at once', async () => {
    let calls = 0;
    const run = runTiles({
      size: 64,
      plan: (size) => planTiles(64, 64, { ...LIMITS, size }),
      each: async () => {
        calls++;
        throw new Error('wrong shape');
      },
    });
    await expect(run).rejects.toThrow('wrong shape');
    expect(calls).toBe(1);
  });
});
