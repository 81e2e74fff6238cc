import { chosenPipeline, MEASURED_TOOLS } from '@clearframe/contract/pipeline';
import { describe, expect, it } from 'vitest';
import { modelsFolder, readManifest } from '../../networks/manifest.js';
import { Sessions } from '../../networks/sessions.js';
import type { Raster } from '../../rasters/raster.js';
import { damaged } from '../../test/damages.js';
import { faded } from '../../test/fades.js';
import { cat, degrade, halfLength, page, portrait } from '../../test/quality.js';
import { analyzePicture } from './analyze-picture.js';
import { runPipeline } from './pipeline.js';

const sessions = new Sessions(await readManifest(modelsFolder()), 2);
const { signal } = new AbortController();
const analyze = (picture: Raster, size: Pick<Raster, 'width' | 'height'> = picture) =>
  analyzePicture(sessions, picture, { size, signal });
const chosenFor = async (picture: Raster) => chosenPipeline(MEASURED_TOOLS, await analyze(picture));

/** Each sample between `from` and `to`. */
const compressed = ({ data, ...size }: Raster, from: number, to: number): Raster => ({
  ...size,
  data: data.map((value) => from + (value * (to - from)) / 255),
});

const gray = ({ data, ...size }: Raster): Raster => ({
  ...size,
  data: data.map((_, at) => data[at - (at % 3) + 1] ?? 0),
});

describe('the measures of a picture', () => {
  it('of a sharp and clean one ask for nothing', async () => {
    const measures = await analyze(await portrait());
    expect(measures).toMatchObject({ softness: 1, noise: 0, need: 0 });
    expect(measures.light).toMatchObject({ exposure: 'normal', isMonochrome: false, isFlat: false });
    expect(measures.faces).toEqual([expect.objectContaining({ isRestorable: false })]);
    expect(chosenPipeline(MEASURED_TOOLS, measures)).toEqual({});
  });

  it('tell the real pixels of a soft picture and of its face, which the pipeline restores', async () => {
    const picture = await degrade(await portrait(), { reduction: 3 });
    const measures = await analyze(picture);
    expect(measures.softness).toBeGreaterThan(300 / 160);
    expect(measures.softness).toBeLessThan(300 / 80);
    const [face] = measures.faces;
    expect(face?.realPixels).toBeLessThan(0.6 * 103);
    const { faces } = await runPipeline(sessions, picture, MEASURED_TOOLS, { signal, onProgress: () => undefined });
    expect(measures.faces.map(({ isRestorable }) => isRestorable)).toEqual(faces.map(({ blend }) => blend > 0));
    const [box] = faces.map((each) => each.box);
    expect((face?.box.x ?? 0) * picture.width).toBeCloseTo(box?.x ?? 0, -1);
  });

  it('name noise and blocks, which ask for faces and background', async () => {
    const noisy = await analyze(await degrade(await portrait(), { noise: 10 }));
    expect(noisy.noise).toBeGreaterThan(4);
    const compressed = await analyze(await degrade(await portrait(), { jpeg: 15 }));
    expect(compressed.blockiness).toBeGreaterThan(2);
    const both = { faceEnhance: { model: 'base' }, backgroundEnhance: { model: 'base' } };
    for (const measures of [noisy, compressed]) expect(chosenPipeline(MEASURED_TOOLS, measures)).toEqual(both);
  });

  it('of a small picture ask for what its enlargement needs, and are its own', async () => {
    const picture = await portrait();
    const measures = await analyze(picture, { width: 900, height: 900 });
    expect(measures).toMatchObject({ softness: 1 });
    expect(measures.need).toBeGreaterThan(0.9);
    const [face] = measures.faces;
    expect((face?.box.x ?? 0) + (face?.box.width ?? 0) / 2).toBeCloseTo(0.475, 1);
  });

  it('tell faded, flat, dark and monochrome pictures', async () => {
    const picture = await halfLength();
    const print = faded(picture, 'lowContrast');
    expect(await analyze(print)).toMatchObject({ isFaded: true, light: { isMonochrome: false } });
    const { colorEnhance, fade } = await chosenFor(print);
    expect({ colorEnhance, fade }).toEqual({ fade: { model: 'base' } });
    const haze = compressed(picture, 80, 190);
    expect(await analyze(haze)).toMatchObject({ isFaded: false, light: { isFlat: true, isMonochrome: false } });
    expect(await chosenFor(haze)).toMatchObject({ colorEnhance: { model: 'balanced' } });
    const night = compressed(picture, 0, 50);
    expect((await analyze(night)).light).toMatchObject({ exposure: 'dark', isFlat: false });
    expect((await analyze(gray(picture))).light).toMatchObject({ isMonochrome: true, isFlat: false });
    expect(await analyze(page())).toMatchObject({ isFaded: false, light: { exposure: 'bright', isFlat: false } });
  });
});

describe('the damage of a picture', () => {
  const damageOf = async (picture: Raster) =>
    (await analyzePicture(sessions, picture, { size: picture, seeksDamage: true, signal })).damage;

  it('is measured where it is sought, roughly, with its shapes', async () => {
    const scratched = await damaged(await cat(), ['scratches', 'folds'], 2);
    expect(await analyze(scratched.picture)).not.toHaveProperty('damage');
    const scratches = await damageOf(scratched.picture);
    expect(scratches?.shapes).toContain('lines');
    const print = await damaged(await cat(), ['scratches', 'dust', 'folds'], 2);
    const all = await damageOf(print.picture);
    expect(all?.shapes).toEqual(['lines', 'spots']);
    const truth = print.marks.filter((mark) => mark).length / print.marks.length;
    expect(all?.area).toBeGreaterThan(truth / 4);
    expect(all?.area).toBeLessThan(truth * 2);
  });

  it('is none in letters, fur, whiskers and skin', async () => {
    for (const picture of [page(), await cat(), await portrait(), await halfLength()])
      expect(await damageOf(picture)).toEqual({ area: 0, shapes: [] });
  });
});

it('keeps what was asked for of tools that it has no measure of, and of enlargement', async () => {
  const asked = { auto: true, bokeh: { model: 'low' }, faceEnhance: { model: 'v2' }, upscale: { factor: 2 } } as const;
  const measures = await analyze(await portrait());
  expect(chosenPipeline(asked, measures)).toEqual({ bokeh: { model: 'low' }, upscale: { factor: 2 } });
});
