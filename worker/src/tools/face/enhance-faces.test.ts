import type { AiPipeline } from '@clearframe/contract';
import { describe, expect, it, vi } from 'vitest';
import { modelsFolder, readManifest } from '../../networks/manifest.js';
import { Sessions } from '../../networks/sessions.js';
import { createRaster, crop, luma, type Raster } from '../../rasters/raster.js';
import { resize } from '../../rasters/resize.js';
import { degrade, difference, portrait, similarity } from '../../test/quality.js';
import { runPipeline } from '../pipeline/pipeline.js';

const sessions = new Sessions(await readManifest(modelsFolder()), 2);
const MODELS = ['base', 'v1', 'v2'] as const;
/** The face in the astronaut's portrait. */
const FACE = { x: 100, y: 70, width: 90, height: 110 };
const DEGRADED = { blur: 2.5, reduction: 4, noise: 5, jpeg: 70 };

async function faceEnhanced(input: Raster, faceEnhance: NonNullable<AiPipeline['faceEnhance']>) {
  const options = { signal: new AbortController().signal, onProgress: () => undefined };
  return await runPipeline(sessions, input, { faceEnhance }, options);
}

/** Variance of the Laplacian in a face; `raster` is the face, or the portrait it is in. */
function sharpness(raster: Raster): number {
  const { width, height, data } = raster.width > FACE.width ? crop(raster, FACE) : raster;
  const plane = luma({ width, height, data });
  const values: number[] = [];
  for (let at = width; at < plane.length - width; at++) {
    if (at % width === 0 || at % width === width - 1) continue;
    const sum = [1, -1, width, -width].reduce((total, step) => total + (plane[at + step] ?? 0), 0);
    values.push(sum - 4 * (plane[at] ?? 0));
  }
  return values.reduce((sum, value) => sum + value ** 2, 0) / values.length;
}

function crowd(one: Raster, count: number): Raster {
  const { width, height } = one;
  const scene = createRaster(4 * width, Math.ceil(count / 4) * height);
  scene.data.fill(128);
  for (let index = 0; index < count; index++) {
    const left = (index % 4) * width;
    const top = Math.floor(index / 4) * height;
    for (let y = 0; y < height; y++) {
      scene.data.set(one.data.subarray(y * width * 3, (y + 1) * width * 3), ((top + y) * scene.width + left) * 3);
    }
  }
  return scene;
}

describe('face_enhance', () => {
  const results = new Map<string, Raster>();

  it.each(MODELS)('%s brings a face closer to its original', async (model) => {
    const original = await portrait();
    const degraded = await degrade(original, DEGRADED);
    const { raster } = await faceEnhanced(degraded, { model });
    results.set(model, crop(raster, FACE));
    const before = similarity(crop(degraded, FACE), crop(original, FACE));
    expect(similarity(crop(raster, FACE), crop(original, FACE))).toBeGreaterThan(before);
  });

  it('makes a soft face crisper: v1 least, v2 most', async () => {
    const soft = sharpness(await degrade(await portrait(), DEGRADED));
    const [base, v1, v2] = MODELS.map((model) => sharpness(results.get(model) ?? createRaster(90, 110)));
    expect(v1).toBeGreaterThan(2 * soft);
    expect(base).toBeGreaterThan(v1 ?? Number.NaN);
    expect(v2).toBeGreaterThan(base ?? Number.NaN);
  });

  it('loses at most 1 % of similarity in a sharp portrait', async () => {
    const sharp = await portrait();
    for (const model of MODELS) {
      expect(similarity((await faceEnhanced(sharp, { model })).raster, sharp)).toBeGreaterThan(0.99);
    }
  });

  it('differs by model', () => {
    const faces = [...results.values()];
    expect(faces).toHaveLength(MODELS.length);
    for (const [index, face] of faces.entries()) {
      for (const other of faces.slice(index + 1)) expect(difference(face, other)).toBeGreaterThan(1);
    }
  });

  it('reports position, confidence and identity similarity of a face', async () => {
    const { faces } = await faceEnhanced(await degrade(await portrait(), DEGRADED), { model: 'base' });
    expect(faces).toHaveLength(1);
    const [face] = faces;
    expect(face?.box.x).toBeGreaterThan(70);
    expect((face?.box.x ?? 0) + (face?.box.width ?? 300)).toBeLessThan(230);
    expect(face?.confidence).toBeGreaterThan(0.5);
    expect(face?.identitySimilarity).toBeGreaterThan(0.8);
    expect(face?.blend).toBe(1);
  });

  it('measures who the person is while the network restores the face', async () => {
    // In more noise the detection needs the network too.
    const degraded = await degrade(await portrait(), { ...DEGRADED, noise: 1 });
    const restorer = await sessions.get('restore-face');
    const recognition = await sessions.get('recognize-face');
    const recognized = new Promise<void>((resolve) => {
      const recognize = recognition.run.bind(recognition);
      vi.spyOn(recognition, 'run').mockImplementation((...input) => {
        resolve();
        return recognize(...input);
      });
    });
    const restore = restorer.run.bind(restorer);
    vi.spyOn(restorer, 'run').mockImplementation(async (...input) => {
      await recognized;
      return restore(...input);
    });
    const { faces } = await faceEnhanced(degraded, { model: 'base' });
    vi.restoreAllMocks();
    expect(faces.map(({ blend }) => blend)).toEqual([1]);
  });

  it('changes faces only', async () => {
    const degraded = await degrade(await portrait(), DEGRADED);
    const scene = crowd(degraded, 1);
    const { raster } = await faceEnhanced(scene, { model: 'v2' });
    const beside = { x: 330, y: 0, width: 800, height: 300 };
    expect(Buffer.compare(crop(raster, beside).data, crop(scene, beside).data)).toBe(0);
    expect(Buffer.compare(raster.data, scene.data)).not.toBe(0);
  });

  it('changes no pixel at strength 0, and half as much at strength 0.5', async () => {
    const degraded = await degrade(await portrait(), DEGRADED);
    const [off, half, full] = [
      (await faceEnhanced(degraded, { model: 'v1', strength: 0 })).raster,
      (await faceEnhanced(degraded, { model: 'v1', strength: 0.5 })).raster,
      (await faceEnhanced(degraded, { model: 'v1' })).raster,
    ];
    expect(Buffer.compare(off.data, degraded.data)).toBe(0);
    expect(difference(half, degraded) / difference(full, degraded)).toBeCloseTo(0.5, 1);
  });

  it('restores the largest faces of a crowd, leaves the rest, and reports all', async () => {
    const small = await resize(await degrade(await portrait(), DEGRADED), 120, 120, 'cubic');
    const { faces } = await faceEnhanced(crowd(small, 15), { model: 'base' });
    expect(faces.length).toBeGreaterThan(12);
    expect(faces.slice(12).map(({ blend, identitySimilarity }) => [blend, identitySimilarity])).toEqual(
      faces.slice(12).map(() => [0, null]),
    );
    expect(faces.slice(0, 12).some(({ blend }) => blend > 0)).toBe(true);
    const widths = faces.map(({ box }) => box.width);
    expect(Math.min(...widths.slice(0, 12))).toBeGreaterThanOrEqual(Math.max(...widths.slice(12)) - 2);
  });
});
