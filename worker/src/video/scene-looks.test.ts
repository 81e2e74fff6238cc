import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { videoTools } from '../test/clips.js';
import { enhanceColor } from '../tools/color/enhance-color.js';
import { type Frame, frameBytes, toRaster } from './frame.js';
import { locatePackagedTools } from './locate.js';
import { lookFilters, looksAt } from './look-filters.js';
import { SceneSampler } from './scene-looks.js';

const run = promisify(execFile);
const tools = await videoTools();
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clearframe-looks-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Levels of red, green and blue; one is what 4:2:0 in 8 bits rounds. */
const MEAN_DIFFERENCE = 2;

function frameOf(level: number, time: number): Frame {
  const [width, height] = [64, 36];
  const data = new Uint8Array((width * height * 3) / 2).fill(128);
  for (let at = 0; at < width * height; at++) data[at] = level + (at % width);
  return { width, height, data, time };
}

it('gives each scene a table of its own, by time', async () => {
  const sampler = new SceneSampler(true);
  for (let at = 0; at < 10; at++) sampler.add(frameOf(at < 6 ? 30 : 140, 2 + at / 10));
  const looks = await sampler.writeTables(folder, 'golden', 1);
  const graph = lookFilters(looks, tools);
  expect(graph.match(/(?<=lut3d=)[^,]*,[^,]*'/g)).toEqual([
    "file=look-0.cube:enable='lt(t,2.599000)'",
    "file=look-1.cube:enable='gte(t,2.599000)'",
  ]);
  // The curves of luma have the same times.
  expect(graph.match(/\(t,2.599000\)/g)).toHaveLength(4);
  expect([1, 2.5, 4].map((time) => looksAt(looks, time).length)).toEqual([1, 2, 1]);
  const [dark, light] = await Promise.all([0, 1].map((index) => readFile(join(folder, `look-${index}.cube`), 'utf8')));
  expect(dark).toMatch(/^LUT_3D_SIZE \d+\n/);
  expect(dark).not.toBe(light);
});

it('gives a video of one scene one table for all frames', async () => {
  const sampler = new SceneSampler(true);
  // The light changes slowly.
  for (let at = 0; at < 10; at++) sampler.add(frameOf(60 + at * 8, at / 10));
  const graph = lookFilters(await sampler.writeTables(folder, 'golden', 1), tools);
  expect(graph).not.toContain('enable');
  expect(graph.match(/lut3d=\S+?cube/g)).toEqual(['lut3d=file=look-0.cube']);
});

/** A photograph as a frame, of BT.709. */
async function photograph(): Promise<Frame> {
  const [width, height] = [320, 200];
  const file = new URL('../../test/fixtures/coffee.jpg', import.meta.url).pathname;
  await writeFile(
    join(folder, 'photo.rgb'),
    await sharp(file).resize(width, height, { fit: 'cover' }).raw().toBuffer(),
  );
  const source = ['-f', 'rawvideo', '-pix_fmt', 'rgb24', '-s', `${width}x${height}`, '-i', 'photo.rgb'];
  const filter = 'scale=out_color_matrix=bt709:out_range=tv,format=yuv420p';
  return { width, height, data: await pixels(tools.ffmpeg, source, filter), time: 0 };
}

async function pixels(ffmpeg: string, source: readonly string[], filter: string): Promise<Buffer> {
  const parameters = ['-v', 'error', ...source, '-vf', filter, '-f', 'rawvideo', '-'];
  const { stdout } = await run(ffmpeg, parameters, { cwd: folder, encoding: 'buffer', maxBuffer: 1e8 });
  return stdout;
}

it.each(['golden', 'teal', 'muted'] as const)('%s gives a frame the colors of the same photograph', async (model) => {
  const frame = await photograph();
  const { width, height } = frame;
  await writeFile(join(folder, 'frame.yuv'), frame.data);
  const source = ['-f', 'rawvideo', '-pix_fmt', 'yuv420p', '-s', `${width}x${height}`, '-i', 'frame.yuv'];
  const expected = toRaster(frame, true);
  const picture = { current: expected, deep: null, icc: null, signal: new AbortController().signal };
  const packaged = await locatePackagedTools();
  for (const programs of [tools, ...(packaged ? [packaged] : [])]) {
    const sampler = new SceneSampler(true);
    sampler.add(frame);
    const filter = lookFilters(await sampler.writeTables(folder, model, 1), programs);
    const data = await pixels(programs.ffmpeg, source, filter);
    expect(data).toHaveLength(frameBytes(width, height));
    if (programs === tools) await enhanceColor(picture, { model }, () => undefined);
    const shown = toRaster({ ...frame, data }, true);
    const difference = expected.data.reduce((sum, level, at) => sum + Math.abs(level - (shown.data[at] ?? 0)), 0);
    expect(difference / expected.data.length).toBeLessThan(MEAN_DIFFERENCE);
  }
});
