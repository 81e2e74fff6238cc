import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { modelsFolder, readManifest } from '../../networks/manifest.js';
import { Sessions } from '../../networks/sessions.js';
import { type Box, createRaster, crop, luma, type Raster } from '../../rasters/raster.js';
import { runPipeline } from '../pipeline/pipeline.js';
import type { BokehOptions } from './bokeh.js';
import { findPeople } from './person-mask.js';

const sessions = new Sessions(await readManifest(modelsFolder()), 2);
/** In the astronaut's portrait, 400 x 400 from (40, 0): her face; behind her wall, flag and model. */
const FACE = { x: 152, y: 75, width: 56, height: 75 };
const FLAG = { x: 5, y: 20, width: 30, height: 150 };
const MODEL = { x: 300, y: 20, width: 90, height: 150 };

async function portrait(): Promise<Raster> {
  const file = fileURLToPath(new URL('../../../test/fixtures/astronaut.jpg', import.meta.url));
  const { data, info } = await sharp(file).raw().toBuffer({ resolveWithObject: true });
  return crop({ width: info.width, height: info.height, data }, { x: 40, y: 0, width: 400, height: 400 });
}

async function blur(input: Raster, bokeh: BokehOptions, controller = new AbortController(), abortAt = 2) {
  const progress: number[] = [];
  const result = await runPipeline(
    sessions,
    input,
    { bokeh },
    {
      signal: controller.signal,
      onProgress: (fraction) => {
        progress.push(fraction);
        if (fraction >= abortAt) controller.abort();
      },
    },
  );
  return { ...result, progress };
}

/** Mean difference of neighbors; reduced by blur. */
function texture(raster: Raster, box: Box): number {
  const part = crop(raster, box);
  const levels = luma(part);
  let sum = 0;
  for (let at = 1; at < levels.length; at++) {
    if (at % part.width !== 0) sum += Math.abs((levels[at] ?? 0) - (levels[at - 1] ?? 0));
  }
  return sum / levels.length;
}

const same = (one: Raster, other: Raster, box: Box) => Buffer.compare(crop(one, box).data, crop(other, box).data) === 0;

describe('bokeh', () => {
  it('blurs the background, more with a wider aperture, and keeps the face', async () => {
    const original = await portrait();
    let before = { flag: texture(original, FLAG), model: texture(original, MODEL) };
    for (const aperture of [0.3, 0.65, 1]) {
      const { raster, leftAlone, progress } = await blur(original, { aperture, highlights: 0, vivid: 0 });
      expect(leftAlone).toEqual([]);
      expect(same(raster, original, FACE)).toBe(true);
      const after = { flag: texture(raster, FLAG), model: texture(raster, MODEL) };
      expect(after.flag).toBeLessThan(before.flag);
      expect(after.model).toBeLessThan(before.model);
      before = after;
      expect(progress.at(-1)).toBe(1);
    }
    expect(before.model).toBeLessThan(texture(original, MODEL) / 1.7);
  });

  it('accepts explicit values, and gives the same bytes as the preset with these values', async () => {
    const original = await portrait();
    const preset = await blur(original, { model: 'medium' });
    const values = await blur(original, { aperture: 0.65, highlights: 0.5, vivid: 0.4 });
    expect(Buffer.compare(preset.raster.data, values.raster.data)).toBe(0);
  });

  it('changes nothing at strength 0 or aperture 0, and less at half strength', async () => {
    const original = await portrait();
    const off = await blur(original, { model: 'high', strength: 0 });
    expect(Buffer.compare(off.raster.data, original.data)).toBe(0);
    const pinhole = await blur(original, { aperture: 0, highlights: 1, vivid: 1 });
    expect(Buffer.compare(pinhole.raster.data, original.data)).toBe(0);
    const half = await blur(original, { model: 'high', strength: 0.5 });
    const full = await blur(original, { model: 'high' });
    expect(texture(half.raster, MODEL)).toBeLessThan(texture(original, MODEL));
    expect(texture(half.raster, MODEL)).toBeGreaterThan(texture(full.raster, MODEL));
  });

  it('keeps a picture without people unchanged, and reports it', async () => {
    const hills = createRaster(320, 200);
    for (let at = 0; at < 320 * 200; at++) {
      const land = Math.floor(at / 320) > 110 + 20 * Math.sin((at % 320) / 40);
      hills.data.set(land ? [70, 110, 50] : [140, 180, 225], at * 3);
    }
    const { raster, leftAlone } = await blur(hills, { model: 'high' });
    expect(leftAlone).toEqual(['bokeh']);
    expect(Buffer.compare(raster.data, hills.data)).toBe(0);
  });

  it('finds people once for several lenses, with the bytes and networks of a run from the beginning', async () => {
    const original = await portrait();
    await blur(original, { model: 'high' });
    const kept = await blur(original, { model: 'medium', strength: 0.7 });
    await blur(createRaster(32, 32), { model: 'high' });
    const fresh = await blur(original, { model: 'medium', strength: 0.7 });
    const inNetworks = ({ timings }: typeof kept) => timings.find(({ step }) => step === 'bokeh')?.sessionMs ?? 0;
    expect([inNetworks(kept), inNetworks(fresh) > 0]).toEqual([0, true]);
    expect(Buffer.compare(kept.raster.data, fresh.raster.data)).toBe(0);
    expect(kept.models).toEqual(fresh.models);
    expect(kept.models).toEqual(expect.arrayContaining(sessions.referencesOf(new Set(['segment-person']))));
  });

  it('stops when aborted', async () => {
    await expect(blur(await portrait(), { model: 'high' }, new AbortController(), 0.5)).rejects.toMatchObject({
      name: 'AbortError',
    });
  });

  it.each([
    [1, 1],
    [3, 400],
    [500, 2],
  ])('accepts a picture of %i x %i', async (width, height) => {
    const { raster } = await blur(createRaster(width, height), { model: 'high' });
    expect([raster.width, raster.height]).toEqual([width, height]);
  });
});

describe('findPeople', () => {
  it('finds a small person at the end of a long picture', async () => {
    const data = await sharp({ create: { width: 1200, height: 400, channels: 3, background: '#8a8f94' } })
      .composite([
        {
          input: Buffer.from((await portrait()).data),
          raw: { width: 400, height: 400, channels: 3 },
          left: 800,
          top: 0,
        },
      ])
      .removeAlpha()
      .raw()
      .toBuffer();
    const session = await sessions.get('segment-person');
    const mask = await findPeople(session, { width: 1200, height: 400, data }, [], { longestSide: 300 });
    expect([mask.width, mask.height]).toEqual([300, 100]);
    const probability = (x: number, y: number) => mask.data[y * 300 + x] ?? 0;
    expect(probability(240, 28)).toBeGreaterThan(0.9);
    expect(probability(235, 80)).toBeGreaterThan(0.9);
    expect(probability(60, 50)).toBeLessThan(0.1);
    expect(probability(290, 20)).toBeLessThan(0.3);
  });
});
