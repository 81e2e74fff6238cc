import { describe, expect, it } from 'vitest';
import { fivePoints } from '../../networks/face-alignment.js';
import { modelsFolder, readManifest } from '../../networks/manifest.js';
import { Sessions } from '../../networks/sessions.js';
import { degrade, portrait } from '../../test/quality.js';
import { locateFace, settlePoints } from './locate-face.js';

const sessions = new Sessions(await readManifest(modelsFolder()), 2);
const BOX = { x: 90, y: 70, width: 105, height: 105 };

async function noisyFace() {
  const sharp = await portrait();
  const truth = await locateFace(sessions, sharp, BOX);
  if (!truth) throw new Error('no face');
  return { truth, noisy: await degrade(sharp, { blur: 2.4, reduction: 4, noise: 14, jpeg: 60 }) };
}

function meanDistance(points: Float32Array, others: Float32Array): number {
  const five = fivePoints(others);
  return fivePoints(points).reduce((sum, [x, y], at) => {
    const [u = 0, v = 0] = five[at] ?? [];
    return sum + Math.hypot(x - u, y - v) / five.length;
  }, 0);
}

describe('settlePoints', () => {
  it('moves misplaced points of a noisy face to where they belong', async () => {
    const { truth, noisy } = await noisyFace();
    const misplaced = truth.map((value) => value + 9);
    const settled = await settlePoints(sessions, noisy, BOX, misplaced);
    if (!settled) throw new Error('no points');
    expect(meanDistance(settled, truth)).toBeLessThan(0.6 * meanDistance(misplaced, truth));
  });

  it('finds none beside the face', async () => {
    const { truth, noisy } = await noisyFace();
    const beside = truth.map((value, at) => (at % 2 === 0 ? value - 80 : value + 60));
    expect(await settlePoints(sessions, noisy, { ...BOX, x: 10, y: 130 }, beside)).toBeNull();
  });
});
