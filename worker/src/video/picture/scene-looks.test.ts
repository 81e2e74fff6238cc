import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Frame } from '../frames/frame.js';
import { SceneSampler } from './scene-looks.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clearframe-looks-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A gradient from that level. */
function frameOf(level: number, time: number): Frame {
  const [width, height] = [64, 36];
  const data = new Uint8Array((width * height * 3) / 2).fill(128);
  for (let at = 0; at < width * height; at++) data[at] = level + (at % width);
  return { width, height, data, time };
}

it('gives each scene a table of its own, by time', async () => {
  const sampler = new SceneSampler(true);
  for (let at = 0; at < 10; at++) sampler.add(frameOf(at < 6 ? 30 : 140, 2 + at / 10));
  const filters = (await sampler.writeTables(folder, 'golden', 1)).filter((filter) => filter.startsWith('lut3d'));
  expect(filters).toEqual([
    "lut3d=file=look-0.cube:enable='lt(t,2.599000)'",
    "lut3d=file=look-1.cube:enable='gte(t,2.599000)'",
  ]);
  const [dark, light] = await Promise.all([0, 1].map((index) => readFile(join(folder, `look-${index}.cube`), 'utf8')));
  expect(dark).toMatch(/^LUT_3D_SIZE \d+\n/);
  expect(dark).not.toBe(light);
});

it('gives a video of one scene one table for all frames', async () => {
  const sampler = new SceneSampler(true);
  // The light changes slowly.
  for (let at = 0; at < 10; at++) sampler.add(frameOf(60 + at * 8, at / 10));
  const filters = await sampler.writeTables(folder, 'golden', 1);
  expect(filters.filter((filter) => filter.startsWith('lut3d'))).toEqual(['lut3d=file=look-0.cube']);
});
