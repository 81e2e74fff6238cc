import { describe, expect, it, vi } from 'vitest';
import { fivePoints } from '../../networks/face-alignment.js';
import { detectFaces } from '../../networks/face-detector.js';
import { modelsFolder, readManifest } from '../../networks/manifest.js';
import { Sessions } from '../../networks/sessions.js';
import { createRaster, type Raster } from '../../rasters/raster.js';
import { resize } from '../../rasters/resize.js';
import { cat, degrade, portrait } from '../../test/quality.js';
import { measurePicture, type PipelineContext, SideWork } from '../restoration/context.js';
import { beginSearch, findFaces } from './find-faces.js';
import { locateFace } from './locate-face.js';
import { verifyFaces } from './verify-faces.js';

const sessions = new Sessions(await readManifest(modelsFolder()), 2);
const OPTIONS = { maxInputRes: 800 };

async function contextOf(original: Raster): Promise<PipelineContext> {
  const { signal } = new AbortController();
  const empty = {
    beside: new SideWork(),
    background: null,
    faces: [],
    patches: [],
    reports: [],
    deep: null,
    icc: null,
  };
  return { sessions, signal, original, current: original, ...empty, ...(await measurePicture(original)) };
}

function paste(scene: Raster, part: Raster, left: number, top: number): void {
  for (let y = 0; y < part.height; y++) {
    const row = part.data.subarray(y * part.width * 3, (y + 1) * part.width * 3);
    scene.data.set(row, ((top + y) * scene.width + left) * 3);
  }
}

describe('beginSearch', () => {
  it('searches before the picture is measured, and once', async () => {
    const degraded = await degrade(await portrait(), { blur: 2, reduction: 2 });
    const measured = await contextOf(degraded);
    const { assessed, noiseless } = measured;
    const context = { ...measured, assessed: null, noiseless: null };
    const detector = await sessions.get('detect-face');
    const running = vi.spyOn(detector, 'run');
    const expected = await findFaces(measured, OPTIONS);
    const windows = running.mock.calls.length;
    const finish = beginSearch(context, OPTIONS.maxInputRes);
    await context.beside.ended();
    expect(running.mock.calls).toHaveLength(2 * windows);
    Object.assign(context, { assessed, noiseless });
    await finish(() => undefined);
    expect(context.faces).toEqual(expected);
    expect(expected).toHaveLength(1);
    expect(running.mock.calls).toHaveLength(2 * windows);
    vi.restoreAllMocks();
  });
});

describe('findFaces', () => {
  it('finds a face that noise hides from the detector', async () => {
    const context = await contextOf(await degrade(await portrait(), { blur: 2.4, reduction: 4, noise: 14, jpeg: 60 }));
    const candidates = await detectFaces(await sessions.get('detect-face'), context.original, OPTIONS);
    expect(await verifyFaces(context, candidates)).toEqual([]);
    const faces = await findFaces(context, OPTIONS);
    expect(faces).toHaveLength(1);
    const { x = 0, y = 0, width = 0, height = 0 } = faces[0]?.box ?? {};
    expect(Math.hypot(x + width / 2 - 143, y + height / 2 - 125)).toBeLessThan(20);
  });

  it.each([
    [5, 15, 50],
    [5.5, 12, 55],
  ])('finds a face of some 20 real pixels that the mesh sees in neither picture', async (reduction, noise, jpeg) => {
    const hidden = await degrade(await portrait(), { blur: reduction * 0.6, reduction, noise, jpeg });
    const [face, ...others] = await findFaces(await contextOf(hidden), OPTIONS);
    expect(others).toEqual([]);
    const sharp = await locateFace(sessions, await portrait(), { x: 90, y: 70, width: 105, height: 105 });
    if (!face?.points || !sharp) throw new Error('no points');
    const truth = fivePoints(sharp);
    for (const [index, [x, y]] of fivePoints(face.points).entries()) {
      const [trueX = 0, trueY = 0] = truth[index] ?? [];
      expect(Math.hypot(x - trueX, y - trueY)).toBeLessThan(12);
    }
  });

  it('finds a face that noise hides beside one that it does not hide', async () => {
    const [large, small] = [await resize(await portrait(), 600, 600, 'cubic'), await portrait()];
    const scene = createRaster(900, 600);
    paste(scene, large, 0, 0);
    paste(scene, small, 600, 150);
    const context = await contextOf(await degrade(scene, { blur: 3, reduction: 5, noise: 15, jpeg: 50 }));
    const candidates = await detectFaces(await sessions.get('detect-face'), context.original, OPTIONS);
    expect(await verifyFaces(context, candidates)).toHaveLength(1);
    const faces = await findFaces(context, OPTIONS);
    expect(faces.map(({ box }) => Math.round(box.x / 300))).toEqual([1, 2]);
  });

  it('finds the faces of a picture without noise', async () => {
    const context = await contextOf(await degrade(await portrait(), { blur: 2, reduction: 2 }));
    const candidates = await detectFaces(await sessions.get('detect-face'), context.original, OPTIONS);
    expect(await findFaces(context, OPTIONS)).toEqual(await verifyFaces(context, candidates));
  });

  it.each([
    [3, 14],
    [4, 18],
    [6, 15],
  ])('finds none in a cat, reduced %s times, in %s levels of noise', async (reduction, noise) => {
    const noisy = await degrade(await cat(), { blur: reduction * 0.6, reduction, noise, jpeg: 50 });
    expect(await findFaces(await contextOf(noisy), OPTIONS)).toEqual([]);
  });
});
