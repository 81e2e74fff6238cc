import { describe, expect, it } from 'vitest';
import { modelsFolder, readManifest } from '../../networks/manifest.js';
import { Sessions } from '../../networks/sessions.js';
import { createRaster, type Raster } from '../../rasters/raster.js';
import { portrait } from '../../test/quality.js';
import { drawHairline, drawRegions, fillPolygons, outlineOf } from './face-regions.js';
import { locateFace, pointOf, uprightPatch } from './face-regions-shape.js';

const sessions = new Sessions(await readManifest(modelsFolder()), 2);
const mesh = await sessions.get('face-mesh');
const BOX = { x: 100, y: 40, width: 115, height: 115 };
const sum = (data: Float32Array) => data.reduce((total, value) => total + value, 0);

function turned(picture: Raster): Raster {
  const target = createRaster(picture.height, picture.width);
  for (let y = 0; y < target.height; y++) {
    for (let x = 0; x < target.width; x++) {
      const from = ((picture.height - 1 - x) * picture.width + y) * 3;
      target.data.set(picture.data.subarray(from, from + 3), (y * target.width + x) * 3);
    }
  }
  return target;
}

describe('fillPolygons', () => {
  it('covers the inside, edges in part, and stops at the border', () => {
    const square = [
      { x: 2.25, y: 3 },
      { x: 6, y: 3 },
      { x: 6, y: 7.5 },
      { x: 2.25, y: 7.5 },
    ];
    const data = fillPolygons([square], 10, 10);
    expect(sum(data)).toBeCloseTo(3.75 * 4.5, 5);
    expect(data[4 * 10 + 2]).toBeCloseTo(0.75, 5);
    expect(data[7 * 10 + 4]).toBeCloseTo(0.5, 5);
    const beyond = square.map(({ x, y }) => ({ x: x - 4, y: y + 4 }));
    expect(sum(fillPolygons([beyond], 10, 10))).toBeCloseTo(2 * 3, 5);
  });
});

describe('locateFace', () => {
  it('finds the same points in a rotated picture', async () => {
    const picture = await portrait();
    const upright = await locateFace(mesh, picture, BOX);
    const box = { ...BOX, x: picture.height - BOX.y - BOX.height, y: BOX.x };
    const lying = await locateFace(mesh, turned(picture), box);
    if (!upright || !lying) throw new Error('no face');
    expect(lying.certainty).toBeGreaterThan(0.9);
    expect(Math.abs(lying.square.angle - Math.PI / 2)).toBeLessThan(0.15);
    for (const index of [1, 33, 263, 61, 291, 152]) {
      const here = pointOf(upright.points, index);
      const there = pointOf(lying.points, index);
      const away = Math.hypot(there.x - (picture.height - here.y), there.y - here.x);
      expect(away, `point ${index}`).toBeLessThan(upright.width * 0.04);
    }
  });

  it('finds none in a picture without a face', async () => {
    const picture = await portrait();
    expect(await locateFace(mesh, picture, { x: 10, y: 180, width: 100, height: 100 })).toBeNull();
  });
});

describe('uprightPatch', () => {
  it('samples a square, also beyond the border of the picture', async () => {
    const picture = createRaster(192, 192);
    for (let at = 0; at < picture.data.length; at++) picture.data[at] = (at * 7) % 251;
    const whole = await uprightPatch(picture, { centerX: 96, centerY: 96, side: 192, angle: 0 });
    expect(Buffer.compare(whole.data, picture.data)).toBe(0);
    const corner = await uprightPatch(picture, { centerX: 0, centerY: 0, side: 192, angle: 0 });
    expect(corner.data.subarray(0, 3)).toEqual(picture.data.subarray(0, 3));
    expect(corner.data.at(-1)).toBe(picture.data[(95 * 192 + 95) * 3 + 2]);
  });
});

describe('drawRegions', () => {
  it('separates skin, eyes, lips and surroundings', async () => {
    const shape = await locateFace(mesh, await portrait(), BOX);
    if (!shape) throw new Error('no face');
    const { oval, skin, eyes, lips } = drawRegions(shape.points, shape.width, 300, 300);
    const at = (data: Float32Array, index: number) => {
      const { x, y } = pointOf(shape.points, index);
      return data[Math.round(y) * 300 + Math.round(x)];
    };
    const cheek = 50;
    const upperLip = 0;
    expect(at(skin, cheek)).toBeGreaterThan(0.95);
    expect(at(skin, upperLip)).toBeLessThan(0.1);
    expect(at(lips, upperLip)).toBeGreaterThan(0.3);
    expect(sum(eyes)).toBeGreaterThan(10);
    expect(sum(eyes.map((value, pixel) => value * (skin[pixel] ?? 0)))).toBeLessThan(0.5);
    expect(skin.every((value, pixel) => value <= (oval[pixel] ?? 0))).toBe(true);
    expect([oval[0], oval.at(-1)]).toEqual([0, 0]);
  });
});

describe('drawHairline', () => {
  it('follows the outline above the brows only, also of a lying face', async () => {
    const shape = await locateFace(mesh, await portrait(), BOX);
    if (!shape) throw new Error('no face');
    const lying = shape.points.map((_, at) =>
      at % 2 === 0 ? 300 - (shape.points[at + 1] ?? 0) : (shape.points[at - 1] ?? 0),
    );
    for (const points of [shape.points, lying]) {
      const data = drawHairline(points, shape.width, 300, 300);
      const at = ({ x, y }: { x: number; y: number }) => data[Math.round(y) * 300 + Math.round(x)];
      const [top] = outlineOf(points);
      if (!top) throw new Error('no outline');
      const [chin, brow] = [pointOf(points, 152), pointOf(points, 9)];
      expect(at(top)).toBeGreaterThan(0.7);
      expect([at(chin), at(brow)]).toEqual([0, 0]);
    }
  });
});
