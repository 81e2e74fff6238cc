import { describe, expect, it } from 'vitest';
import { modelsFolder, readManifest } from '../../networks/manifest.js';
import { Sessions } from '../../networks/sessions.js';
import { createRaster, crop, type Raster } from '../../rasters/raster.js';
import { degrade, difference, portrait } from '../../test/quality.js';
import { blendEllipse, blendWhileSimilar, visiblePart } from './blend-face.js';
import { IdentityCheck } from './identity.js';

const sessions = new Sessions(await readManifest(modelsFolder()), 2);
const WHOLE = { x: 0, y: 0, width: 300, height: 300 };
const FACE = { x: 68, y: 50, width: 150, height: 150 };

async function blendFace(restored: (soft: Raster, sharp: Raster) => Raster) {
  const sharp = await portrait();
  const soft = await degrade(sharp, { blur: 2.5, reduction: 3 });
  const picture = { ...soft, data: Uint8Array.from(soft.data) };
  const patch = { restored: restored(soft, sharp), at: WHOLE, full: WHOLE, measured: FACE, softness: 2.5 };
  const check = await IdentityCheck.of(sessions, crop(soft, FACE), patch.softness);
  return { soft, picture, ...(await blendWhileSimilar(check, picture, patch, 1)) };
}

function blended(picture: Raster, patch: Raster, share: number): Raster {
  const copy = { ...picture, data: Uint8Array.from(picture.data) };
  blendEllipse(copy, patch, WHOLE, WHOLE, share);
  return copy;
}

/** Mirrored: every pixel of a face, but another face. */
function mirrored({ width, height, data }: Raster, axis: 'across' | 'down'): Raster {
  const turned = new Uint8Array(data.length);
  for (let pixel = 0; pixel < width * height; pixel++) {
    const [x, y] = [pixel % width, Math.floor(pixel / width)];
    const from = axis === 'across' ? y * width + (width - 1 - x) : (height - 1 - y) * width + x;
    turned.set(data.subarray(from * 3, from * 3 + 3), pixel * 3);
  }
  return { width, height, data: turned };
}

describe('visiblePart', () => {
  it('has all of a patch but its faintest fifth, also of one cut at the edge', () => {
    const full = { x: -20, y: 10, width: 100, height: 100 };
    const at = { x: 0, y: 10, width: 80, height: 100 };
    const picture = createRaster(120, 120);
    blendEllipse(picture, { ...at, data: new Uint8Array(80 * 100 * 3).fill(255) }, at, full, 1);
    const part = visiblePart(at, full);
    const [left, top] = [at.x + part.x * at.width, at.y + part.y * at.height];
    const [right, bottom] = [left + part.width * at.width, top + part.height * at.height];
    expect([left, top, right, bottom].map(Math.round)).toEqual([-15, 15, 75, 105]);
    const isBeside = (x: number, y: number) => x < left || x >= right || y < top || y >= bottom;
    const beside = picture.data.filter((_, index) => isBeside(Math.floor(index / 3) % 120, Math.floor(index / 360)));
    expect(Math.max(...beside)).toBeLessThan(255 / 5);
    expect(Math.max(...beside)).toBeGreaterThan(0);
  });
});

describe('blendWhileSimilar', () => {
  it('blends in a sharper version of the same face fully', async () => {
    const { blend, similarity, heldBack, picture, soft } = await blendFace((_, sharp) => sharp);
    expect([blend, heldBack]).toEqual([1, false]);
    expect(similarity).toBeGreaterThan(0.75);
    expect(difference(picture, soft)).toBeGreaterThan(1);
  });

  it.each(['across', 'down'] as const)('reduces the share of a face mirrored %s until it is accepted', async (axis) => {
    const { blend, similarity, heldBack, picture, soft } = await blendFace((_, sharp) => mirrored(sharp, axis));
    expect(blend).toBeLessThan(1);
    expect(heldBack).toBe(true);
    if (blend === 0) expect(Buffer.compare(picture.data, soft.data)).toBe(0);
    else expect(similarity).toBeGreaterThanOrEqual(0.72);
  });

  it('blends in as much of another face as is accepted', async () => {
    const alike = (soft: Raster, sharp: Raster): Raster => blended(soft, mirrored(sharp, 'across'), 0.6);
    const { blend, soft, picture } = await blendFace(alike);
    const restored = alike(soft, await portrait());
    expect(Buffer.compare(picture.data, blended(soft, restored, blend).data)).toBe(0);
    const check = await IdentityCheck.of(sessions, crop(soft, FACE), 2.5);
    expect((await check.compare(crop(blended(soft, restored, 1.3 * blend), FACE)))?.same).toBe(false);
  });
});
