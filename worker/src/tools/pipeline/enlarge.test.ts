import { describe, expect, it } from 'vitest';
import { modelsFolder, readManifest } from '../../networks/manifest.js';
import { Sessions } from '../../networks/sessions.js';
import { createRaster, type Raster } from '../../rasters/raster.js';
import { resize } from '../../rasters/resize.js';
import { halfLength, similarity } from '../../test/quality.js';
import { runPipeline } from './pipeline.js';

const sessions = new Sessions(await readManifest(modelsFolder()), 2);
const SIDE = 480;
const FACTOR = 4;

const enlarge = (input: Raster, size = { width: SIDE, height: SIDE }) =>
  runPipeline(
    sessions,
    input,
    { faceEnhance: { model: 'base' }, backgroundEnhance: { model: 'base' } },
    { signal: new AbortController().signal, onProgress: () => undefined, size },
  );

/** The truth at a quarter of its size, and that enlarged again by cubic interpolation. */
async function versionsOf(truth: Raster) {
  const small = await resize(truth, SIDE / FACTOR, SIDE / FACTOR, 'cubic');
  return { small, interpolated: await resize(small, SIDE, SIDE, 'cubic') };
}

function icon(): Raster {
  const raster = createRaster(SIDE, SIDE);
  for (let at = 0, y = 0; y < SIDE; y++) {
    for (let x = 0; x < SIDE; x++, at += 3) {
      const isDisc = Math.hypot(x - 170, y - 200) < 110;
      const isSlanted = Math.abs(x - y * 0.6 - 190) < 14;
      const isBar = y > 370 && y < 440 && x % 48 < 20;
      raster.data.set(isSlanted ? [250, 250, 250] : isDisc ? [220, 40, 60] : isBar ? [20, 20, 30] : [40, 110, 200], at);
    }
  }
  return raster;
}

describe('enlarging', () => {
  it('brings a portrait of 120 pixels nearer to the truth than interpolation does', async () => {
    const truth = await halfLength();
    const { small, interpolated } = await versionsOf(truth);
    const { raster, faces } = await enlarge(small);
    expect([raster.width, raster.height]).toEqual([SIDE, SIDE]);
    expect(similarity(raster, truth)).toBeGreaterThan(similarity(interpolated, truth) + 0.01);
    // Boxes are in pixels of the result.
    const [face] = faces;
    expect(face?.box.width).toBeGreaterThan(60);
    expect(face?.blend).toBeGreaterThan(0.5);
  });

  it('keeps a sharp icon of 120 pixels sharp', async () => {
    const truth = icon();
    const { small, interpolated } = await versionsOf(truth);
    const { raster, faces } = await enlarge(small);
    expect(similarity(raster, truth)).toBeGreaterThan(similarity(interpolated, truth));
    expect(faces).toEqual([]);
  });
});
