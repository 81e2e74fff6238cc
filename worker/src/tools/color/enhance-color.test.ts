import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { modelsFolder, readManifest } from '../../networks/manifest.js';
import { Sessions } from '../../networks/sessions.js';
import { createRaster, type Raster } from '../../rasters/raster.js';
import { cieLab, deltaE00, meanDeltaE00 } from '../../test/color-difference.js';
import { type PipelineOptions, runPipeline } from '../pipeline/pipeline.js';
import { chromaOf, conesOf, hueOf, labOfCones, type Rgb } from './color-lab.js';
import { colorSpaceOf } from './color-space.js';
import { LOOKS, type LookName } from './looks.js';

const sessions = new Sessions(await readManifest(modelsFolder()), 2);
const NAMES = Object.keys(LOOKS) as LookName[];
const SKIN: [number, number, number][] = [
  [244, 214, 196],
  [228, 184, 157],
  [204, 152, 118],
  [166, 114, 82],
  [120, 78, 55],
  [74, 48, 36],
];

async function portrait(): Promise<Raster> {
  const file = fileURLToPath(new URL('../../../test/fixtures/astronaut.jpg', import.meta.url));
  const { data, info } = await sharp(file).resize(256).raw().toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data };
}

async function look(input: Raster, model: LookName, options: Partial<PipelineOptions> & { strength?: number } = {}) {
  const { strength, ...rest } = options;
  return await runPipeline(
    sessions,
    input,
    { colorEnhance: { model, ...(strength !== undefined && { strength }) } },
    { signal: new AbortController().signal, onProgress: () => undefined, ...rest },
  );
}

function painted(width: number, height: number, color: (x: number, y: number) => readonly number[]): Raster {
  const raster = createRaster(width, height);
  for (let at = 0; at < width * height; at++) raster.data.set(color(at % width, Math.floor(at / width)), at * 3);
  return raster;
}

const chart = painted(256, 140, (x, y) => {
  const patch = SKIN[Math.floor(x / 42.7)];
  if (y >= 40 && y < 80 && patch) return patch;
  if (y >= 120)
    return (
      [
        [190, 60, 50],
        [70, 140, 70],
        [60, 90, 170],
        [220, 190, 70],
      ][Math.floor(x / 64)] ?? []
    );
  return [x, x, x];
});
const pixel = ({ width, data }: Raster, x: number, y: number): Rgb => {
  const at = (y * width + x) * 3;
  return [data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0];
};
const labOf = (space: ReturnType<typeof colorSpaceOf>, [r, g, b]: Rgb) =>
  labOfCones(conesOf(space, [r / 255, g / 255, b / 255]));

const looked = new Map(await Promise.all(NAMES.map(async (name) => [name, (await look(chart, name)).raster] as const)));
const chartIn = (name: LookName): Raster => looked.get(name) ?? chart;

describe('the table of a look', () => {
  it('serves other strengths of the same picture, with the bytes of a run from the beginning', async () => {
    const original = await portrait();
    await look(original, 'teal');
    const kept = await look(original, 'teal', { strength: 0.4 });
    const other = await look(original, 'golden', { strength: 0.4 });
    await look(createRaster(8, 8), 'teal');
    const fresh = await look(original, 'teal', { strength: 0.4 });
    expect(Buffer.compare(kept.raster.data, fresh.raster.data)).toBe(0);
    expect(Buffer.compare(other.raster.data, fresh.raster.data)).not.toBe(0);
  });
});

describe('the eight looks', () => {
  it('differ from each other, and from the original, on a portrait', async () => {
    const original = await portrait();
    const pictures = [original];
    for (const name of NAMES) pictures.push((await look(original, name)).raster);
    for (const [index, one] of pictures.entries()) {
      for (const other of pictures.slice(index + 1)) expect(meanDeltaE00(one.data, other.data)).toBeGreaterThan(2.5);
    }
  });

  it.each(NAMES)('%s keeps six tones of skin natural', (name) => {
    const srgb = colorSpaceOf(null);
    let before = Number.POSITIVE_INFINITY;
    for (const [index, tone] of SKIN.entries()) {
      const after = pixel(chartIn(name), index * 43 + 20, 60);
      const lab = labOf(srgb, after);
      expect(deltaE00(cieLab(...tone), cieLab(...after))).toBeLessThan(11);
      expect(hueOf(lab)).toBeGreaterThan(32);
      expect(hueOf(lab)).toBeLessThan(80);
      expect(chromaOf(lab)).toBeGreaterThan(0.015);
      expect(chromaOf(lab)).toBeLessThan(0.15);
      // Tones keep their order and stay apart.
      expect(lab.l).toBeLessThan(before - 0.02);
      before = lab.l;
    }
  });

  it.each(NAMES)('%s keeps a gray ramp smooth', (name) => {
    const ramp = Array.from({ length: 256 }, (_, x) => cieLab(...pixel(chartIn(name), x, 10))[0]);
    const codes = Array.from({ length: 256 }, (_, x) => pixel(chartIn(name), x, 10));
    for (let x = 1; x < 256; x++) {
      expect((ramp[x] ?? 0) - (ramp[x - 1] ?? 0)).toBeGreaterThanOrEqual(-0.35);
      for (const channel of [0, 1, 2] as const) {
        expect(Math.abs((codes[x]?.[channel] ?? 0) - (codes[x - 1]?.[channel] ?? 0))).toBeLessThanOrEqual(4);
      }
    }
    // Only the last few levels merge.
    expect(new Set(codes.map(([, green]) => green)).size).toBeGreaterThan(190);
  });

  it.each([
    ['golden', 60, 110],
    ['orange', 40, 80],
    ['softWarm', 30, 80],
    ['teal', 170, 230],
  ] as const)('%s tints gray towards its name', (name, from, to) => {
    const [sample] = [labOf(colorSpaceOf(null), pixel(chartIn(name), 110, 10))];
    expect(chromaOf(sample)).toBeGreaterThan(0.01);
    expect(hueOf(sample)).toBeGreaterThan(from);
    expect(hueOf(sample)).toBeLessThan(to);
  });
});

describe('color_enhance', () => {
  it('changes nothing at strength 0, less at half strength, and is deterministic', async () => {
    const original = await portrait();
    const off = await look(original, 'orange', { strength: 0 });
    expect(Buffer.compare(off.raster.data, original.data)).toBe(0);
    const full = await look(original, 'orange');
    const half = await look(original, 'orange', { strength: 0.5 });
    const [some, all] = [half, full].map(({ raster }) => meanDeltaE00(raster.data, original.data));
    expect(some).toBeGreaterThan(0.3 * (all ?? 0));
    expect(some).toBeLessThan(0.7 * (all ?? 0));
    const again = await look(original, 'orange');
    expect(Buffer.compare(again.raster.data, full.raster.data)).toBe(0);
  });

  it('keeps black and white photographs black and white', async () => {
    const photograph = painted(200, 120, (x, y) => Array(3).fill(20 + ((x * 3 + y * 7) % 200)));
    for (const name of NAMES) {
      const { raster } = await look(photograph, name);
      // One assertion a look: one a pixel takes six seconds.
      let spread = 0;
      for (let at = 0; at < raster.data.length; at += 3) {
        const [r = 0, g = 0, b = 0] = raster.data.subarray(at, at + 3);
        spread = Math.max(spread, Math.max(r, g, b) - Math.min(r, g, b));
      }
      expect(spread, name).toBeLessThanOrEqual(1);
    }
  });

  it('removes most of a cast, and keeps a sunset red', async () => {
    const original = await portrait();
    const bluish = { ...original, data: original.data.map((value, at) => value * ([0.85, 1, 1.1][at % 3] ?? 1)) };
    // The portrait's whites are below where byte arithmetic wraps.
    const [corrected, wanted] = [await look(bluish, 'steady'), await look(original, 'steady')];
    const remaining = meanDeltaE00(corrected.raster.data, wanted.raster.data);
    expect(remaining).toBeLessThan(0.75 * meanDeltaE00(bluish.data, original.data));
    const sunset = painted(200, 120, (_, y) => [235 - y / 3, 150 - y, 90 - y / 2].map((value) => Math.max(8, value)));
    const sky = labOf(colorSpaceOf(null), pixel((await look(sunset, 'steady')).raster, 100, 40));
    const before = labOf(colorSpaceOf(null), pixel(sunset, 100, 40));
    expect(Math.abs(hueOf(sky) - hueOf(before))).toBeLessThan(8);
    expect(chromaOf(sky)).toBeGreaterThan(0.85 * chromaOf(before));
  });

  it('lifts a dark picture and stretches a pale one, within limits', async () => {
    const mean = ({ data }: Raster) => data.reduce((sum, value) => sum + value, 0) / data.length;
    const original = await portrait();
    const dark = { ...original, data: original.data.map((value) => value * 0.55) };
    const lifted = (await look(dark, 'steady')).raster;
    expect(mean(lifted)).toBeGreaterThan(mean(dark) + 8);
    expect(mean(lifted)).toBeLessThan(mean(original) + 10);
    const night = painted(200, 120, (x, y) => (x % 50 === 0 && y % 40 === 0 ? [255, 240, 200] : [12, 14, 30]));
    expect(mean((await look(night, 'balanced')).raster)).toBeLessThan(50);
  });

  it('lifts an underexposed picture almost to its light, also with background_enhance v1, and leaves others', async () => {
    const original = await portrait();
    const dark = { ...original, data: original.data.map((value) => value * 0.35) };
    const enhance = async (input: Raster, model: 'base' | 'v1') => {
      const options = { signal: new AbortController().signal, onProgress: () => undefined };
      return runPipeline(sessions, input, { backgroundEnhance: { model }, upscale: { factor: 1 } }, options);
    };
    const brightness = ({ data }: Raster) => data.reduce((sum, value) => sum + value, 0) / data.length;
    const lifted = await enhance(dark, 'v1');
    expect(brightness(lifted.raster)).toBeGreaterThan(1.7 * brightness((await enhance(dark, 'base')).raster));
    expect(brightness(lifted.raster)).toBeLessThan(brightness(original));
    expect(lifted.leftAlone).toEqual([]);
    expect(brightness((await look(dark, 'steady')).raster)).toBeGreaterThan(1.7 * brightness(dark));
    const usual = await enhance(original, 'v1');
    expect(Math.abs(brightness(usual.raster) - brightness(original))).toBeLessThan(1);
    const night = painted(200, 120, (x, y) => (x % 50 === 0 && y % 40 === 0 ? [255, 240, 200] : [12, 14, 30]));
    expect(brightness((await enhance(night, 'v1')).raster)).toBeLessThan(1.1 * brightness(night));
  });

  it('works in Display P3 as in sRGB, and keeps the profile', async () => {
    const tagged = await sharp(chart.data, { raw: { width: chart.width, height: chart.height, channels: 3 } })
      .withIccProfile('p3')
      .png()
      .toBuffer();
    const { icc } = await sharp(tagged).metadata();
    const { data } = await sharp(tagged, { ignoreIcc: true }).removeAlpha().raw().toBuffer({ resolveWithObject: true });
    const inP3 = (await look({ ...chart, data }, 'golden', { icc })).raster;
    const p3 = colorSpaceOf(icc ?? null);
    for (const [x, y] of [
      [20, 60],
      [150, 60],
      [100, 10],
      [100, 130],
    ] as const) {
      const [one, other] = [labOf(p3, pixel(inP3, x, y)), labOf(colorSpaceOf(null), pixel(chartIn('golden'), x, y))];
      expect(Math.hypot(one.l - other.l, one.a - other.a, one.b - other.b)).toBeLessThan(0.02);
    }
  });

  it('grades 16 bits as 16 bits', async () => {
    const input = painted(256, 4, (x) => [x, x, x]);
    const deep = Uint16Array.from({ length: 256 * 4 * 3 }, (_, at) => (Math.floor(at / 3) % 256) * 256 + 77);
    const result = (await look(input, 'balanced', { deep })).deep;
    expect(result).toHaveLength(deep.length);
    expect(new Set(result).size).toBeGreaterThan(240);
    expect([...(result ?? [])].some((value) => value % 257 !== 0)).toBe(true);
    expect((await look(input, 'balanced')).deep).toBeNull();
  });

  it('stops when aborted', async () => {
    const controller = new AbortController();
    const large = createRaster(1500, 1000);
    const options = { signal: controller.signal, onProgress: () => controller.abort() };
    await expect(look(large, 'teal', options)).rejects.toMatchObject({ name: 'AbortError' });
  });
});
