import type { AiPipeline } from '@clearframe/contract';
import { describe, expect, it, vi } from 'vitest';
import { modelsFolder, readManifest } from '../../networks/manifest.js';
import { Sessions } from '../../networks/sessions.js';
import { createRaster, crop, type Raster } from '../../rasters/raster.js';
import { resize } from '../../rasters/resize.js';
import { degrade, difference, portrait, similarity } from '../../test/quality.js';
import { type PipelineOptions, runPipeline } from './pipeline.js';

const sessions = new Sessions(await readManifest(modelsFolder()), 2);
const FACE = { x: 60, y: 10, width: 220, height: 220 };

const MEDIUM = { blur: 2.4, reduction: 4, noise: 11, jpeg: 70 };

async function run(input: Raster, pipeline: AiPipeline, options: Partial<PipelineOptions> = {}) {
  const progress: number[] = [];
  const result = await runPipeline(sessions, input, pipeline, {
    signal: new AbortController().signal,
    onProgress: (fraction) => progress.push(fraction),
    ...options,
  });
  return { ...result, progress };
}

const BOTH: AiPipeline = { faceEnhance: { model: 'base' }, backgroundEnhance: { model: 'base' } };

describe('runPipeline', () => {
  it('brings a degraded portrait closer to its original, face and background', async () => {
    const original = await portrait();
    const degraded = await degrade(original, MEDIUM);
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

  it('keeps a sharp face unchanged', async () => {
    const original = await portrait();
    const { raster, faces, leftAlone } = await run(original, { faceEnhance: { model: 'base' } });
    expect(faces.map((face) => face.blend)).toEqual([0]);
    expect(leftAlone).toEqual(['face_enhance']);
    expect(Buffer.compare(raster.data, original.data)).toBe(0);
  });

  it('keeps a face unchanged whose restoration would be invisible, and does not call it restored', async () => {
    const degraded = await degrade(await portrait(), MEDIUM);
    const [faint, visible] = [
      await run(degraded, { faceEnhance: { model: 'base', strength: 0.05 } }),
      await run(degraded, { faceEnhance: { model: 'base' } }),
    ];
    expect(faint.faces.map(({ blend, isVisible }) => [blend > 0, isVisible])).toEqual([[true, false]]);
    expect([faint.isUntouched, faint.changes, faint.leftAlone]).toEqual([true, null, []]);
    expect(Buffer.compare(faint.raster.data, degraded.data)).toBe(0);
    expect([visible.isUntouched, visible.faces.map(({ isVisible }) => isVisible)]).toEqual([false, [true]]);
  });

  it('shows what all tools did only where the mask is not black', async () => {
    const degraded = await degrade(await portrait(), MEDIUM);
    const { width, height } = degraded;
    const pipeline: AiPipeline = { ...BOTH, faceLifting: { model: 'glam' }, colorEnhance: { model: 'teal' } };
    const levels = [0, 128, 255];
    const mask = Uint8Array.from(
      { length: width * height },
      (_, at) => levels[Math.floor((3 * (at % width)) / width)] ?? 0,
    );
    const [whole, limited] = [await run(degraded, pipeline), await run(degraded, pipeline, { mask })];
    const wrong = limited.raster.data.filter((value, at) => {
      const [before = 0, after = 0, level = 0] = [degraded.data[at], whole.raster.data[at], mask[Math.floor(at / 3)]];
      return value !== before + Math.round(((after - before) * level) / 255);
    });
    expect(wrong.length).toBe(0);
    expect([limited.isUntouched, limited.leftAlone]).toEqual([false, []]);
  });

  it('reports a face that the mask hides as it is in the result, and tools that it hides as left alone', async () => {
    const degraded = await degrade(await portrait(), MEDIUM);
    const { width, height } = degraded;
    const [{ faces }] = [await run(degraded, BOTH)];
    expect(faces.map(({ isVisible }) => isVisible)).toEqual([true]);
    const bottom = Uint8Array.from({ length: width * height }, (_, at) => (at < 0.9 * width * height ? 0 : 255));
    const hidden = await run(degraded, BOTH, { mask: bottom });
    expect(hidden.faces.map(({ isVisible }) => isVisible)).toEqual([false]);
    expect([hidden.leftAlone, hidden.isUntouched]).toEqual([['face_enhance'], false]);
    const faint = await run(degraded, BOTH, { mask: new Uint8Array(width * height).fill(5) });
    expect([faint.isUntouched, faint.changes]).toEqual([true, null]);
    expect(Buffer.compare(faint.raster.data, degraded.data)).toBe(0);
  });

  it('keeps the enlarged original where the enlarged mask is black', async () => {
    const small = await resize(await degrade(await portrait(), MEDIUM), 120, 120, 'cubic');
    const size = { width: 240, height: 240 };
    const mask = Uint8Array.from({ length: 240 * 240 }, (_, at) => (at % 240 < 120 ? 0 : 255));
    const { raster, isUntouched } = await run(small, { ...BOTH, upscale: { factor: 2 } }, { size, mask });
    const left = { x: 0, y: 0, width: 120, height: 240 };
    const enlarged = await resize(small, 240, 240, 'cubic');
    expect(Buffer.compare(crop(raster, left).data, crop(enlarged, left).data)).toBe(0);
    expect([Buffer.compare(raster.data, enlarged.data) === 0, isUntouched]).toEqual([false, false]);
  });

  it('is deterministic, and does not change its input', async () => {
    const degraded = await degrade(await portrait(), MEDIUM);
    const copy = Uint8Array.from(degraded.data);
    const first = await run(degraded, { faceEnhance: { model: 'v2' } });
    const second = await run(degraded, { faceEnhance: { model: 'v2' } });
    expect(Buffer.compare(first.raster.data, second.raster.data)).toBe(0);
    expect(Buffer.compare(degraded.data, copy)).toBe(0);
    expect(Buffer.compare(first.raster.data, copy)).not.toBe(0);
  });

  it('stops before the next step when aborted', async () => {
    const controller = new AbortController();
    const reached: number[] = [];
    const running = runPipeline(sessions, await degrade(await portrait(), MEDIUM), BOTH, {
      signal: controller.signal,
      onProgress: (fraction) => {
        reached.push(fraction);
        controller.abort();
      },
    });
    await expect(running).rejects.toMatchObject({ name: 'AbortError' });
    expect(Math.max(...reached)).toBeLessThan(0.5);
  });

  it('starts a network for photos while faces are looked for, and lets it end before a cancelled picture does', async () => {
    const controller = new AbortController();
    const getting = vi.spyOn(sessions, 'get');
    const asked = () => getting.mock.calls.map(([role]) => role);
    const running = runPipeline(sessions, await degrade(await portrait(), MEDIUM), BOTH, {
      signal: controller.signal,
      onProgress: () => {
        if (asked().includes('restore-texture')) controller.abort();
      },
    });
    await expect(running).rejects.toMatchObject({ name: 'AbortError' });
    const ended = sessions.clock.total;
    expect(asked()).not.toContain('restore-face');
    // The clock stands while nothing runs.
    expect(sessions.clock.total).toBe(ended);
    getting.mockRestore();
  });

  it('changes nothing at strength 0 and less at half strength', async () => {
    const degraded = await degrade(crop(await portrait(), { x: 80, y: 60, width: 120, height: 120 }), MEDIUM);
    const off = await run(degraded, { backgroundEnhance: { model: 'base', strength: 0 } });
    expect(Buffer.compare(off.raster.data, degraded.data)).toBe(0);
    const half = await run(degraded, { backgroundEnhance: { model: 'base', strength: 0.5 } });
    const full = await run(degraded, { backgroundEnhance: { model: 'base' } });
    expect(difference(half.raster, degraded)).toBeLessThan(difference(full.raster, degraded));
  });

  it('keeps a flat gray picture flat and gray', async () => {
    const gray = createRaster(150, 90);
    gray.data.fill(128);
    const { raster } = await run(gray, BOTH);
    expect(raster.data.every((value) => Math.abs(value - 128) <= 1)).toBe(true);
  });

  it('finds no face in a picture without one', async () => {
    const { faces } = await run(createRaster(300, 200), { faceEnhance: { model: 'base' } });
    expect(faces).toEqual([]);
  });

  it('accepts the smallest and the thinnest picture', async () => {
    for (const [width, height] of [
      [1, 1],
      [3, 500],
    ] as const) {
      const { raster } = await run(createRaster(width, height), BOTH);
      expect([raster.width, raster.height]).toEqual([width, height]);
    }
  });
});
