import { type AiPipeline, keptVariantsOf } from '@clearframe/contract';
import { describe, expect, it } from 'vitest';
import { modelsFolder, readManifest } from '../../networks/manifest.js';
import { Sessions } from '../../networks/sessions.js';
import { type Box, createRaster, crop, paste, type Raster } from '../../rasters/raster.js';
import { degrade, portrait } from '../../test/quality.js';
import type { KeptBytes } from '../pipeline/kept-parts.js';
import { type PipelineResult, runPipeline } from '../pipeline/pipeline.js';
import { planFaces } from './plan-faces.js';

type FaceEnhance = NonNullable<AiPipeline['faceEnhance']>;

const face = (x: number, y: number, side = 40) => ({
  box: { x, y, width: side, height: side },
  confidence: 0.9,
  softness: 2,
});
const context = { original: createRaster(400, 200), faces: [face(20, 40), face(200, 60)], patches: [] };
const strengthsOf = (request: Omit<FaceEnhance, 'model'>) => {
  const { plans, unmatched } = planFaces(context, { model: 'base', ...request });
  return [plans.map(({ strength }) => strength), unmatched];
};

describe('a strength of its own', () => {
  it('is that of the face at the index, and the others have the general one', () => {
    expect(strengthsOf({ strength: 0.5, faces: [{ index: 1, strength: 0.2 }] })).toEqual([[0.5, 0.2], []]);
    expect(strengthsOf({ faces: [{ index: 0, strength: 0 }] })).toEqual([[0, 1], []]);
  });

  it('is that of the face whose center the box has, in pixels or fractions', () => {
    for (const box of [
      { x: 190, y: 50, width: 60, height: 70 },
      { x: 0.475, y: 0.25, width: 0.15, height: 0.35 },
    ]) {
      expect(strengthsOf({ faces: [{ box, strength: 0.3 }] })).toEqual([[1, 0.3], []]);
    }
    // Both centers: the nearer one.
    const wide = { x: 0, y: 0, width: 1, height: 1 };
    expect(strengthsOf({ faces: [{ box: wide, strength: 0.3 }] })).toEqual([[1, 0.3], []]);
  });

  it('is the last one of several, and entries without a face are named', () => {
    const nowhere = { x: 300, y: 0, width: 50, height: 50 };
    const faces = [
      { index: 0, strength: 0.1 },
      { index: 7, strength: 0.2 },
      { box: nowhere, strength: 0.3 },
      { index: 0, strength: 0.4 },
    ];
    expect(strengthsOf({ faces })).toEqual([
      [0.4, 1],
      [1, 2],
    ]);
  });
});

const sessions = new Sessions(await readManifest(modelsFolder()), 2);

/** Two soft faces. */
const couple = await (async () => {
  const one = await portrait();
  const both = createRaster(2 * one.width, one.height);
  for (const x of [0, one.width]) paste(both, one, { x, y: 0 });
  return degrade(both, { reduction: 2.2 });
})();

function run(request: Omit<FaceEnhance, 'model'>, parts: readonly KeptBytes[] = []): Promise<PipelineResult> {
  const pipeline = {
    faceEnhance: { model: 'base', ...request },
    backgroundEnhance: { model: 'base' },
    upscale: { factor: 1 },
  } as const;
  return runPipeline(sessions, couple, pipeline, {
    signal: new AbortController().signal,
    onProgress: () => undefined,
    keep: { variants: keptVariantsOf(pipeline, couple, 2048), parts },
  });
}

const inside = ({ x, y, width, height }: Box): Box => ({
  x: Math.round(x + width / 4),
  y: Math.round(y + height / 4),
  width: Math.round(width / 2),
  height: Math.round(height / 2),
});
const isSameIn = (box: Box | undefined, one: Raster, other: Raster): boolean => {
  if (!box) throw new Error('no face');
  return Buffer.compare(crop(one, inside(box)).data, crop(other, inside(box)).data) === 0;
};

const full = await run({});
const [left, right] = full.faces.map(({ box }) => box);

describe('two faces of a picture', () => {
  it('have their pixels, reports and recipe as without the options while these ask for nothing', async () => {
    expect(full.faces.map(({ blend, keptOriginal }) => [blend > 0, keptOriginal])).toEqual([
      [true, false],
      [true, false],
    ]);
    const same = await run({ faces: [{ index: 1, strength: 1 }], minIdentitySimilarity: 0 });
    expect(Buffer.compare(same.raster.data, full.raster.data)).toBe(0);
    expect([same.faces, same.unmatchedFaces]).toEqual([full.faces, []]);
  });

  it('change apart, from kept pixels without a network', async () => {
    const changed = await run({ faces: [{ index: 1, strength: 0.4 }] }, full.kept);
    expect(changed.timings.reduce((sum, { sessionMs }) => sum + sessionMs, 0)).toBe(0);
    expect(isSameIn(left, changed.raster, full.raster)).toBe(true);
    expect(isSameIn(right, changed.raster, full.raster)).toBe(false);
    expect(changed.faces[1]?.blend).toBeCloseTo(0.4 * (full.faces[1]?.blend ?? 0));
    const fresh = await run({ faces: [{ index: 1, strength: 0.4 }] });
    expect(Buffer.compare(changed.raster.data, fresh.raster.data)).toBe(0);
  });

  it('have models of their own, which name what is kept', async () => {
    const own = { index: 1, strength: 1, model: 'v1' } as const;
    const mixed = await run({ faces: [own] }, full.kept);
    expect(isSameIn(left, mixed.raster, full.raster)).toBe(true);
    expect(isSameIn(right, mixed.raster, full.raster)).toBe(false);
    const softer = await run({ faces: [{ ...own, strength: 0.5 }] }, [...full.kept, ...mixed.kept]);
    expect(softer.timings.reduce((sum, { sessionMs }) => sum + sessionMs, 0)).toBe(0);
    expect(isSameIn(left, softer.raster, mixed.raster)).toBe(true);
  });

  it('have the original’s pixels at a strength of 0, in an enhanced background', async () => {
    const changed = await run({ faces: [{ index: 0, strength: 0 }] }, full.kept);
    expect(isSameIn(left, changed.raster, couple)).toBe(true);
    expect(isSameIn(right, changed.raster, full.raster)).toBe(true);
    expect(changed.faces.map(({ blend, isVisible }) => [blend > 0, isVisible])).toEqual([
      [false, false],
      [true, true],
    ]);
  });

  it('keep the original below the least similarity, and say so', async () => {
    const [one, other] = full.faces.map(({ identitySimilarity }) => identitySimilarity ?? 0);
    const between = ((one ?? 0) + (other ?? 0)) / 2;
    const changed = await run({ minIdentitySimilarity: between }, full.kept);
    const expected = [one ?? 0, other ?? 0].map((similarity) => similarity < between);
    expect(expected.toSorted()).toEqual([false, true]);
    expect(changed.faces.map(({ keptOriginal }) => keptOriginal)).toEqual(expected);
    for (const [index, box] of [left, right].entries())
      expect(isSameIn(box, changed.raster, expected[index] ? couple : full.raster)).toBe(true);
    const none = await run({ minIdentitySimilarity: 1 }, full.kept);
    expect(none.faces.map(({ keptOriginal, identitySimilarity }) => [keptOriginal, identitySimilarity])).toEqual([
      [true, one],
      [true, other],
    ]);
  });
});
