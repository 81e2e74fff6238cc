import { describe, expect, it } from 'vitest';
import { modelsFolder, readManifest } from '../../networks/manifest.js';
import { Sessions } from '../../networks/sessions.js';
import type { Raster } from '../../rasters/raster.js';
import { damaged } from '../../test/damages.js';
import { cat, page, portrait } from '../../test/quality.js';
import { runPipeline } from '../pipeline/pipeline.js';
import { findDamage } from './find-damage.js';
import { repairDamage } from './repair-damage.js';

const sessions = new Sessions(await readManifest(modelsFolder()), 1);
const { signal } = new AbortController();
const context = { sessions, signal };
const run = (picture: Raster, pipeline: Parameters<typeof runPipeline>[2], options = {}) =>
  runPipeline(sessions, picture, pipeline, { signal, onProgress: () => undefined, ...options });

/** A cat's fur and whiskers with scratches, dust and a fold. */
const print = async () => damaged(await cat(), ['scratches', 'dust', 'folds'], 2);

/** Mean squared difference of the marked pixels. */
function errorOf(picture: Raster, truth: Raster, marks: Uint8Array): number {
  let [sum, count] = [0, 0];
  for (const [at, value] of picture.data.entries()) {
    if (!marks[Math.floor(at / 3)]) continue;
    sum += (value - (truth.data[at] as number)) ** 2;
    count++;
  }
  return sum / count;
}

describe('damage', () => {
  it('is found where it is, more of it by v1 and less at a lower strength', async () => {
    const { picture, marks } = await print();
    const found = await findDamage(context, picture);
    expect(found.count).toBeGreaterThan(10);
    const right = found.marks.filter((mark, at) => mark && marks[at]).length;
    expect(right / (found.area * marks.length)).toBeGreaterThan(0.7);
    expect(right / marks.filter((mark) => mark).length).toBeGreaterThan(0.2);
    const areaOf = async (tool: Parameters<typeof repairDamage>[2]) =>
      (await repairDamage(context, picture, tool)).area;
    const areas = [
      await areaOf({ model: 'base', strength: 0 }),
      await areaOf({ model: 'base', strength: 0.5 }),
      await areaOf({ model: 'base' }),
      await areaOf({ model: 'v1' }),
    ];
    expect(areas).toEqual([...areas].sort((one, two) => one - two));
    expect(new Set(areas).size).toBe(4);
  });

  it('is not found in letters, nor much in fur and whiskers', async () => {
    expect(await findDamage(context, page())).toMatchObject({ area: 0, count: 0 });
    expect((await findDamage(context, await cat())).area).toBeLessThan(0.0015);
  });
});

describe('the repair', () => {
  it('comes closer to the undamaged picture, and leaves other pixels as they are', async () => {
    const [truth, { picture, marks }] = [await cat(), await print()];
    const { raster, damage, leftAlone, models, timings, isUntouched } = await run(picture, {
      repair: { model: 'base' },
    });
    expect(errorOf(raster, truth, marks)).toBeLessThan(0.8 * errorOf(picture, truth, marks));
    expect({ leftAlone, isUntouched, steps: timings.map(({ step }) => step) }).toEqual({
      leftAlone: [],
      isUntouched: false,
      steps: ['repair'],
    });
    expect(models.map(({ id }) => id)).toEqual(['damage-finder']);
    expect(damage?.count).toBeGreaterThan(10);
    const changed = raster.data.filter((value, at) => value !== picture.data[at]).length / raster.data.length;
    expect(changed).toBeGreaterThan(damage?.area ?? 1);
    expect(changed).toBeLessThan(8 * (damage?.area ?? 0));
  });

  it('goes before the other tools, which see the repaired picture', async () => {
    const { picture } = await damaged(await portrait(), ['scratches', 'dust'], 2);
    const { picture: repaired } = await repairDamage(context, picture, { model: 'base' });
    const tools = { faceEnhance: { model: 'base' } } as const;
    const both = await run(picture, { repair: { model: 'base' }, ...tools });
    const after = await run(repaired, tools);
    expect(both.raster).toEqual(after.raster);
    expect(both.timings[0]?.step).toBe('repair');
  });

  it('leaves an undamaged picture alone', async () => {
    const picture = page();
    const result = await run(picture, { repair: { model: 'base' } });
    expect(result).toMatchObject({ leftAlone: ['repair'], isUntouched: true });
    expect(result.raster.data).toEqual(picture.data);
  });

  it('stays within the mask', async () => {
    const { picture } = await print();
    const { width, height } = picture;
    const mask = new Uint8Array(width * height).fill(255, (width * height) / 2);
    const { raster } = await run(picture, { repair: { model: 'base' } }, { mask });
    const half = (3 * width * height) / 2;
    expect(raster.data.subarray(0, half)).toEqual(picture.data.subarray(0, half));
    expect(raster.data.subarray(half)).not.toEqual(picture.data.subarray(half));
  });
});
