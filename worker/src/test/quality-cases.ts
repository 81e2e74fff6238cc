import { expect } from 'vitest';
import { modelsFolder, readManifest } from '../networks/manifest.js';
import { Sessions } from '../networks/sessions.js';
import type { Raster } from '../rasters/raster.js';
import { runPipeline } from '../tools/pipeline/pipeline.js';
import { type Degradation, degrade, portrait, similarity } from './quality.js';

/** Name, degradation of the portrait, and minimum gain in similarity to the original. */
export type QualityCase = [name: string, degradation: Degradation, gain: number];

const sessions = new Sessions(await readManifest(modelsFolder()), 2);

export async function enhanced(input: Raster): Promise<Raster> {
  const pipeline = { faceEnhance: { model: 'base' }, backgroundEnhance: { model: 'base' } } as const;
  const options = { signal: new AbortController().signal, onProgress: () => undefined };
  return (await runPipeline(sessions, input, pipeline, options)).raster;
}

export async function expectNearer(...[, degradation, gain]: QualityCase): Promise<void> {
  const original = await portrait();
  const degraded = await degrade(original, degradation);
  const before = similarity(degraded, original);
  expect(similarity(await enhanced(degraded), original) - before).toBeGreaterThan(gain);
}
