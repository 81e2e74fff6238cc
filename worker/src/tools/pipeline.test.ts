import { fileURLToPath } from 'node:url';
import type { AiPipeline } from '@clearframe/contract';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { modelsFolder, readManifest } from '../ai/manifest.js';
import { blur, createRaster, crop, luma, type Raster, resize } from '../ai/raster.js';
import { Sessions } from '../ai/sessions.js';
import { runPipeline } from './pipeline.js';

const sessions = new Sessions(await readManifest(modelsFolder()), 2);
const FACE = { x: 60, y: 10, width: 220, height: 220 };

/** The astronaut's head and shoulders, 300 x 300. */
async function portrait(): Promise<Raster> {
  const file = fileURLToPath(new URL('../../test/fixtures/astronaut.jpg', import.meta.url));
  const { data, info } = await sharp(file).raw().toBuffer({ resolveWithObject: true });
  return crop({ width: info.width, height: info.height, data }, { x: 80, y: 0, width: 300, height: 300 });
}

/** Out of focus, made small, noisy, compressed, and made large again. */
async function degrade(picture: Raster, factor: number): Promise<Raster> {
  const soft = await blur(picture, factor * 0.6);
  const small = await resize(soft, Math.round(picture.width / factor), Math.round(picture.height / factor), 'cubic');
  let state = 1;
  for (const [index, value] of small.data.entries()) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    small.data[index] = Math.max(0, Math.min(255, value + (state / 2 ** 32 - 0.5) * 40));
  }
  const raw = { raw: { width: small.width, height: small.height, channels: 3 } } as const;
  const jpeg = await sharp(small.data, raw).jpeg({ quality: 70 }).toBuffer();
  const { data } = await sharp(jpeg).raw().toBuffer({ resolveWithObject: true });
  return await resize({ ...small, data }, picture.width, picture.height, 'cubic');
}

/** Mean structural similarity of brightness over squares of 8 pixels, with the usual constants. */
function similarity(a: Raster, b: Raster): number {
  const [left, right] = [luma(a), luma(b)];
  let total = 0;
  let count = 0;
  for (let y = 0; y + 8 <= a.height; y += 4) {
    for (let x = 0; x + 8 <= a.width; x += 4, count++) {
      const sums = { l: 0, r: 0, ll: 0, rr: 0, lr: 0 };
      for (let at = 0; at < 64; at++) {
        const index = (y + (at >> 3)) * a.width + x + (at & 7);
        const [l, r] = [left[index] ?? 0, right[index] ?? 0];
        sums.l += l / 64;
        sums.r += r / 64;
        sums.ll += (l * l) / 64;
        sums.rr += (r * r) / 64;
        sums.lr += (l * r) / 64;
      }
      const variances = sums.ll - sums.l ** 2 + sums.rr - sums.r ** 2;
      const structure = (2 * (sums.lr - sums.l * sums.r) + 58.5) / (variances + 58.5);
      total += (structure * (2 * sums.l * sums.r + 6.5)) / (sums.l ** 2 + sums.r ** 2 + 6.5);
    }
  }
  return total / count;
}

/** Root mean square difference in levels. */
function difference(a: Raster, b: Raster): number {
  const [left, right] = [luma(a), luma(b)];
  return Math.sqrt(left.reduce((sum, value, at) => sum + (value - (right[at] ?? 0)) ** 2, 0) / left.length);
}

async function run(input: Raster, pipeline: AiPipeline) {
  const progress: number[] = [];
  const result = await runPipeline(sessions, input, pipeline, {
    signal: new AbortController().signal,
    onProgress: (fraction) => progress.push(fraction),
  });
  return { ...result, progress };
}

const BOTH: AiPipeline = { faceEnhance: { model: 'base' }, backgroundEnhance: { model: 'base' } };

describe('runPipeline', () => {
  it('brings a degraded portrait nearer to what it was, face and background', async () => {
    const original = await portrait();
    const degraded = await degrade(original, 4);
    const { raster, faces, progress, timings } = await run(degraded, BOTH);
    expect(similarity(raster, original)).toBeGreaterThan(similarity(degraded, original));
    expect(similarity(crop(raster, FACE), crop(original, FACE))).toBeGreaterThan(
      similarity(crop(degraded, FACE), crop(original, FACE)),
    );
    expect(faces).toHaveLength(1);
    expect(faces[0]?.confidence).toBeGreaterThan(0.75);
    expect(faces[0]?.blend).toBeGreaterThan(0.5);
    expect(faces[0]?.identitySimilarity ?? 1).toBeGreaterThan(0.7);
    expect(timings.map((timing) => timing.step)).toEqual([
      'measure',
      'detect_faces',
      'background_enhance',
      'face_enhance',
    ]);
    expect(progress.at(-1)).toBe(1);
    expect(progress).toEqual([...progress].sort((a, b) => a - b));
  });

  it('leaves a sharp face alone', async () => {
    const original = await portrait();
    const { raster, faces } = await run(original, { faceEnhance: { model: 'base' } });
    expect(faces.map((face) => face.blend)).toEqual([0]);
    expect(Buffer.compare(raster.data, original.data)).toBe(0);
  });

  it('gives the same bytes for the same request, and does not touch its input', async () => {
    const degraded = await degrade(await portrait(), 4);
    const copy = Uint8Array.from(degraded.data);
    const first = await run(degraded, { faceEnhance: { model: 'v2' } });
    const second = await run(degraded, { faceEnhance: { model: 'v2' } });
    expect(Buffer.compare(first.raster.data, second.raster.data)).toBe(0);
    expect(Buffer.compare(degraded.data, copy)).toBe(0);
    expect(Buffer.compare(first.raster.data, copy)).not.toBe(0);
  });

  it('changes nothing at strength 0 and less at half strength', async () => {
    const degraded = await degrade(await portrait(), 4);
    const off = await run(degraded, { backgroundEnhance: { model: 'base', strength: 0 } });
    expect(Buffer.compare(off.raster.data, degraded.data)).toBe(0);
    const half = await run(degraded, { backgroundEnhance: { model: 'base', strength: 0.5 } });
    const full = await run(degraded, { backgroundEnhance: { model: 'base' } });
    expect(difference(half.raster, degraded)).toBeLessThan(difference(full.raster, degraded));
  });

  it('keeps a flat grey picture flat and grey', async () => {
    const grey = createRaster(150, 90);
    grey.data.fill(128);
    const { raster } = await run(grey, BOTH);
    expect(raster.data.every((value) => Math.abs(value - 128) <= 1)).toBe(true);
  });

  it('finds no face where there is none', async () => {
    const { faces } = await run(createRaster(300, 200), { faceEnhance: { model: 'base' } });
    expect(faces).toEqual([]);
  });

  it('survives the smallest and the thinnest picture', async () => {
    for (const [width, height] of [
      [1, 1],
      [3, 500],
    ] as const) {
      const { raster } = await run(createRaster(width, height), BOTH);
      expect([raster.width, raster.height]).toEqual([width, height]);
    }
  });

  it('refuses a tool it does not have before it starts', async () => {
    await expect(run(createRaster(8, 8), { colorEnhance: { model: 'teal' } })).rejects.toMatchObject({
      name: 'ToolNotAvailableError',
      tool: 'colorEnhance',
    });
  });
});
