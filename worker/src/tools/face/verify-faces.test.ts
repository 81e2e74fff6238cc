import { describe, expect, it } from 'vitest';
import { detectFaces } from '../../networks/face-detector.js';
import { modelsFolder, readManifest } from '../../networks/manifest.js';
import { Sessions } from '../../networks/sessions.js';
import type { Raster } from '../../rasters/raster.js';
import { resize } from '../../rasters/resize.js';
import { cat, degrade, halfLength, portrait } from '../../test/quality.js';
import { locateFace } from './locate-face.js';
import { verifyFaces } from './verify-faces.js';

const sessions = new Sessions(await readManifest(modelsFolder()), 2);
const { signal } = new AbortController();

async function facesIn(picture: Raster) {
  const candidates = await detectFaces(await sessions.get('detect-face'), picture, { maxInputRes: 800 });
  const faces = await verifyFaces({ sessions, original: picture, noiseless: null, signal }, candidates);
  return { candidates, faces };
}

describe('verifyFaces', () => {
  it('rejects a cat that the detector accepts', async () => {
    const { candidates, faces } = await facesIn(await cat());
    expect(candidates.length).toBeGreaterThan(0);
    expect(faces).toEqual([]);
  });

  it('rejects pockets of a suit that the mesh takes for faces', async () => {
    const enlarged = await degrade(await resize(await halfLength(), 700, 700, 'cubic'), {
      blur: 3.2,
      reduction: 4,
      jpeg: 70,
    });
    const { candidates, faces } = await facesIn(enlarged);
    const located = await Promise.all(candidates.map(({ box }) => locateFace(sessions, enlarged, box)));
    const pockets = candidates.filter(({ box }, index) => located[index] && box.y > 300);
    expect(pockets.length).toBeGreaterThan(1);
    expect(faces).toHaveLength(1);
    expect(faces[0]?.box.y).toBeLessThan(200);
  });

  it('keeps sharp and soft faces, and distinguishes them', async () => {
    const sharp = await portrait();
    const soft = await degrade(sharp, { blur: 2.5, reduction: 4, noise: 8, jpeg: 65 });
    const [first, ...none] = (await facesIn(sharp)).faces;
    expect(none).toEqual([]);
    expect(first?.softness).toBeLessThan(1.3);
    const [second, ...others] = (await facesIn(soft)).faces;
    expect(others).toEqual([]);
    expect(second?.softness).toBeGreaterThan(2.5);
  });

  it('finds a face that is too blurred for the mesh', async () => {
    const blurred = await degrade(await portrait(), { blur: 3, reduction: 4, noise: 12, jpeg: 60 });
    const { candidates, faces } = await facesIn(blurred);
    const located = await Promise.all(candidates.map(({ box }) => locateFace(sessions, blurred, box)));
    expect(located.filter(Boolean)).toEqual([]);
    expect(faces).toHaveLength(1);
    const { x = 0, y = 0, width = 0, height = 0 } = faces[0]?.box ?? {};
    expect(Math.hypot(x + width / 2 - 143, y + height / 2 - 125)).toBeLessThan(20);
  });

  it.each([3, 6])('finds no face in a cat reduced %s times', async (reduction) => {
    const blurred = await degrade(await cat(), { blur: reduction / 2, reduction, noise: 8, jpeg: 60 });
    expect((await facesIn(blurred)).faces).toEqual([]);
  });

  it('keeps a face that contains a more confident false candidate', async () => {
    const picture = await portrait();
    const face = { box: { x: 90, y: 70, width: 105, height: 105 }, confidence: 0.8 };
    const nose = { box: { x: 128, y: 118, width: 30, height: 30 }, confidence: 0.89 };
    const faces = await verifyFaces({ sessions, original: picture, noiseless: null, signal }, [face, nose]);
    expect(faces).toMatchObject([face]);
  });
});
