import { describe, expect, it } from 'vitest';
import { enlargedSizeOf, fullSizeOf, keptVariantsOf, needsNetworks, upscaleFactorOf } from './applied-tools.js';
import { isUntouched, RECIPE_VERSION, type Recipe } from './recipe.js';
import type { AiPipeline } from './tools.js';

const FACES: AiPipeline = { faceEnhance: { model: 'base' } };
const sizeOf = (width: number, height: number, pipeline: AiPipeline, maxSide = 2048) => {
  const size = enlargedSizeOf({ width, height }, pipeline, maxSide);
  return `${size.width}x${size.height}`;
};

describe('the size of a result', () => {
  it.each([
    [120, 90, FACES, '480x360'],
    [300, 200, FACES, '1024x683'],
    [1024, 10, FACES, '1024x10'],
    [1500, 1000, FACES, '1500x1000'],
    [300, 200, { ...FACES, upscale: { factor: 1 } }, '300x200'],
    [300, 200, { ...FACES, upscale: { factor: 4 } }, '1200x800'],
    [1500, 1000, { upscale: { factor: 2 } }, '2048x1365'],
    [300, 200, { bokeh: { model: 'low' } }, '1024x683'],
    [300, 200, { colorEnhance: { model: 'teal' } }, '300x200'],
    [300, 200, { fade: { model: 'base' } }, '300x200'],
    [300, 200, { repair: { model: 'base' } }, '300x200'],
    [300, 200, {}, '300x200'],
    [3, 1, FACES, '12x4'],
  ] as const)('of %i x %i with %o is %s', (width, height, pipeline, expected) =>
    expect(sizeOf(width, height, pipeline)).toBe(expected),
  );

  it('stays within the limit of previews, and of removed caps', () => {
    const four: AiPipeline = { upscale: { factor: 4 } };
    expect(sizeOf(1000, 500, four, 1280)).toBe('1280x640');
    expect(sizeOf(2000, 500, four, 4096)).toBe('4096x1024');
  });

  it.each([
    [6000, 4000, FACES, '6000x4000'],
    [300, 200, FACES, '1024x683'],
    [300, 200, { ...FACES, upscale: { factor: 4 } }, '1200x800'],
    [3000, 2000, { upscale: { factor: 2 } }, '6000x4000'],
    [6000, 4000, { upscale: { factor: 4 } }, '12247x8164'],
    [10_000, 10_000, { upscale: { factor: 2 } }, '10000x10000'],
    // No JPEG is longer.
    [100_000, 1000, FACES, '65535x655'],
  ] as const)('of %i x %i with %o is %s in the size of the original', (width, height, pipeline, expected) => {
    const size = fullSizeOf({ width, height }, pipeline);
    expect(`${size.width}x${size.height}`).toBe(expected);
    expect(size.width * size.height).toBeLessThanOrEqual(100e6);
  });
});

it('restores pixels for tools of face and background and to enlarge, not for color', () => {
  expect(upscaleFactorOf({})).toBe(1);
  expect(needsNetworks({ fade: { model: 'v1' }, colorEnhance: { model: 'teal' } })).toBe(false);
  expect(needsNetworks({ upscale: { factor: 2 } })).toBe(true);
  expect(needsNetworks({ repair: { model: 'base' } })).toBe(true);
});

describe('kept parts', () => {
  const both: AiPipeline = { ...FACES, backgroundEnhance: { model: 'v1' } };
  const of = (pipeline: AiPipeline, side = 1500, maxSide = 2048) =>
    keptVariantsOf(pipeline, { width: side, height: side }, maxSide);

  it('are shared by strengths and finishing tools, not by models and sizes', () => {
    const other: AiPipeline = { ...both, faceEnhance: { model: 'base', strength: 0.2 }, bokeh: { model: 'high' } };
    expect(of(other)).toEqual(of(both));
    expect(of(both, 3000)).not.toEqual(of(both));
    expect(of(both, 3000, 1280)).not.toEqual(of(both, 3000));
    const repaired = of({ ...both, repair: { model: 'base' } });
    expect(repaired.background).not.toBe(of(both).background);
    expect(repaired).not.toEqual(of({ ...both, repair: { model: 'base', strength: 0.5 } }));
    expect(of({ ...both, faceEnhance: { model: 'v2' } })).toEqual({
      ...of(both),
      faces: expect.stringContaining('v2'),
    });
  });

  it('of faces are those of their models, whatever their strengths', () => {
    const faces = (...listed: NonNullable<NonNullable<AiPipeline['faceEnhance']>['faces']>) =>
      of({ faceEnhance: { model: 'base', faces: listed } }).faces;
    const box = { x: 0.1, y: 0.2, width: 0.3, height: 0.4 };
    expect(faces({ index: 0, strength: 0 }, { box, strength: 0.5, model: 'base' })).toBe(of(FACES).faces);
    const other = faces({ index: 0, strength: 1 }, { box, strength: 1, model: 'v2' });
    expect(other).toBe('faces/base+0:base+0.1,0.2,0.3,0.4:v2/1500x1500');
    expect(faces({ index: 0, strength: 0.2 }, { box, strength: 0.3, model: 'v2' })).toBe(other);
  });

  it('of faces are shared by pictures with and without the background tool', () => {
    expect(of(FACES).faces).toBe(of(both).faces);
    expect(of(FACES).background).toBeNull();
  });

  it('are not needed where nothing is restored, and needed to enlarge', () => {
    expect(of({ bokeh: { model: 'low' } })).toEqual({ background: null, faces: null });
    expect(of({ bokeh: { model: 'low' } }, 300)).toEqual({ background: 'background/base/1024x1024', faces: null });
  });
});

it('is untouched when no tool changed a pixel or what they changed is invisible, and it was not enlarged', () => {
  const recipe: Recipe = { version: RECIPE_VERSION, aiPipeline: FACES, models: [], leftAlone: ['face_enhance'] };
  const changed = { ...recipe, leftAlone: undefined };
  expect(isUntouched(recipe)).toBe(true);
  expect(isUntouched({ ...recipe, enlargedBy: 4 })).toBe(false);
  expect(isUntouched(changed)).toBe(false);
  expect(isUntouched({ ...changed, isUntouched: true })).toBe(true);
  expect(isUntouched({ ...changed, aiPipeline: {} })).toBe(true);
  expect(isUntouched({ ...changed, aiPipeline: {}, enlargedBy: 2 })).toBe(false);
});
