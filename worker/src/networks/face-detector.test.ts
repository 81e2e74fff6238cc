import { describe, expect, it, vi } from 'vitest';
import { createRaster, type Raster } from '../rasters/raster.js';
import { resize } from '../rasters/resize.js';
import { portrait } from '../test/quality.js';
import { detectFaces, suppressOverlaps } from './face-detector.js';
import { modelsFolder, readManifest } from './manifest.js';
import { Sessions } from './sessions.js';

const session = await new Sessions(await readManifest(modelsFolder()), 2).get('detect-face');

/** Gray, with the portrait in a corner; the face is about 25 pixels wide. */
async function smallFacePicture(): Promise<Raster> {
  const small = await resize(await portrait(), 75, 75, 'cubic');
  const scene = createRaster(1600, 1200);
  scene.data.fill(120);
  for (let y = 0; y < 75; y++) scene.data.set(small.data.subarray(y * 225, (y + 1) * 225), ((y + 40) * 1600 + 60) * 3);
  return scene;
}

describe('detectFaces', () => {
  it('finds the only face at its position', async () => {
    const [face, ...others] = await detectFaces(session, await portrait(), { maxInputRes: 800 });
    expect(others).toEqual([]);
    const { x = 0, y = 0, width = 0, height = 0 } = face?.box ?? {};
    expect(Math.hypot(x + width / 2 - 143, y + height / 2 - 125)).toBeLessThan(20);
    expect(width).toBeGreaterThan(70);
    expect(width).toBeLessThan(150);
    expect(face?.confidence).toBeGreaterThan(0.75);
  });

  it('respects the maximum resolution', async () => {
    const scene = await smallFacePicture();
    expect(suppressOverlaps(await detectFaces(session, scene, { maxInputRes: 800 }))).toHaveLength(1);
    expect(await detectFaces(session, scene, { maxInputRes: 256 })).toEqual([]);
  });

  it('hands further windows to the network while one is searched', async () => {
    const search = session.run.bind(session);
    const third = Promise.withResolvers<void>();
    let asked = 0;
    vi.spyOn(session, 'run').mockImplementation(async (...input) => {
      if (++asked === 3) third.resolve();
      if (asked === 2) await third.promise;
      return search(...input);
    });
    expect(suppressOverlaps(await detectFaces(session, await smallFacePicture(), { maxInputRes: 800 }))).toHaveLength(
      1,
    );
    vi.restoreAllMocks();
  });

  it('stops when aborted', async () => {
    const controller = new AbortController();
    const options = { maxInputRes: 800, signal: controller.signal, onWindow: () => controller.abort() };
    await expect(detectFaces(session, await smallFacePicture(), options)).rejects.toMatchObject({ name: 'AbortError' });
  });
});

describe('suppressOverlaps', () => {
  it('keeps the most confident box of each face', () => {
    const at = (x: number, width: number, confidence: number) => ({ box: { x, y: 0, width, height: 50 }, confidence });
    const [sure, doubtful, inside, apart] = [at(0, 50, 0.9), at(10, 50, 0.8), at(10, 20, 0.7), at(100, 50, 0.6)];
    expect(suppressOverlaps([doubtful, apart, inside, sure])).toEqual([sure, apart]);
    const half = at(33, 50, 0.5);
    expect(suppressOverlaps([half, sure])).toEqual([sure]);
  });
});
