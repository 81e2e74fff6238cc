import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { modelsFolder, readManifest } from '../../networks/manifest.js';
import { Sessions } from '../../networks/sessions.js';
import { createRaster, crop, type Raster } from '../../rasters/raster.js';
import { cat, degrade, portrait } from '../../test/quality.js';
import { IdentityCheck } from './identity.js';

const sessions = new Sessions(await readManifest(modelsFolder()), 2);
const FACE = { x: 68, y: 50, width: 150, height: 150 };
const faceOf = (picture: Raster): Raster => crop(picture, FACE);

/** Pulls pixels from `from` to the center of a circle, fading outwards. */
interface Warp {
  readonly at: readonly [number, number];
  readonly radius: number;
  /** Shift in pixels. */
  readonly shift?: readonly [number, number];
  /** Enlargement of the circle's middle. */
  readonly zoom?: number;
}

/** Another person in the same light: small, narrow eyes, a wide nose, a small mouth and a broad jaw. */
const OTHER_FEATURES: readonly Warp[] = [
  { at: [122, 113], radius: 22, zoom: -0.75 },
  { at: [166, 113], radius: 22, zoom: -0.75 },
  { at: [143, 138], radius: 22, zoom: 0.9 },
  { at: [143, 160], radius: 30, zoom: -0.75 },
  { at: [105, 150], radius: 35, shift: [-18, 0] },
  { at: [182, 150], radius: 35, shift: [18, 0] },
];

function warped(picture: Raster, warps: readonly Warp[]): Raster {
  const out = createRaster(picture.width, picture.height);
  for (let y = 0; y < picture.height; y++) {
    for (let x = 0; x < picture.width; x++) {
      let [u, v] = [x, y];
      for (const { at, radius, shift = [0, 0], zoom = 0 } of warps) {
        const [dx, dy] = [x - at[0], y - at[1]];
        const weight = Math.max(0, 1 - (dx * dx + dy * dy) / radius ** 2) ** 2;
        u -= weight * (shift[0] + zoom * dx);
        v -= weight * (shift[1] + zoom * dy);
      }
      const from = (clamp(v, picture.height) * picture.width + clamp(u, picture.width)) * 3;
      out.data.set(picture.data.subarray(from, from + 3), (y * picture.width + x) * 3);
    }
  }
  return out;
}

const clamp = (value: number, length: number): number => Math.min(length - 1, Math.max(0, Math.round(value)));

function recolored({ width, height, data }: Raster, reflectance: readonly [number, number, number]): Raster {
  return { width, height, data: data.map((value, at) => value * (reflectance[at % 3] ?? 1)) };
}

async function compare(before: Raster, after: Raster, softness = 1) {
  const check = await IdentityCheck.of(sessions, faceOf(before), softness);
  const comparison = await check.compare(faceOf(after));
  if (!comparison) throw new Error('no face');
  return comparison;
}

const SHARP = ['sharp', {}, 1] as const;
const MEDIUM = ['of 48 real pixels', { reduction: 2, blur: 0.9, noise: 4, jpeg: 75 }, 2] as const;
const SMALL = ['of 24 real pixels', { reduction: 4, blur: 1.8, noise: 4, jpeg: 75 }, 4] as const;
const TINY = ['of 16 real pixels', { reduction: 6, blur: 2.7, noise: 4, jpeg: 75 }, 6] as const;

describe('IdentityCheck', () => {
  it.each([SHARP, MEDIUM, SMALL, TINY])('accepts the true face for one %s', async (_, degradation, softness) => {
    const truth = await portrait();
    expect((await compare(await degrade(truth, degradation), truth, softness)).same).toBe(true);
  });

  it.each([SHARP, MEDIUM])("rejects another person's face for one %s", async (_, degradation, softness) => {
    const truth = await portrait();
    const swapped = recolored(warped(truth, OTHER_FEATURES), [0.55, 0.45, 0.4]);
    expect((await compare(await degrade(truth, degradation), swapped, softness)).same).toBe(false);
  });

  it('falls as the features move', async () => {
    const truth = await portrait();
    const check = await IdentityCheck.of(sessions, faceOf(truth), 1);
    const similarities: number[] = [];
    for (const part of [0, 0.25, 0.5, 1]) {
      const warps = OTHER_FEATURES.map(({ zoom = 0, shift = [0, 0], ...rest }) => ({
        ...rest,
        zoom: zoom * part,
        shift: [shift[0] * part, shift[1] * part] as const,
      }));
      similarities.push((await check.compare(faceOf(warped(truth, warps))))?.similarity ?? 0);
    }
    expect(similarities).toEqual([...similarities].sort((a, b) => b - a));
    expect(similarities[0]).toBeGreaterThan(0.99);
    expect(similarities.at(-1)).toBeLessThan(0.8);
  });

  it('rejects a mirrored face, which recognition takes for the same person', async () => {
    const truth = faceOf(await portrait());
    const mirrored = createRaster(truth.width, truth.height);
    for (let pixel = 0; pixel < truth.width * truth.height; pixel++) {
      const from = (pixel - (pixel % truth.width) + truth.width - 1 - (pixel % truth.width)) * 3;
      mirrored.data.set(truth.data.subarray(from, from + 3), pixel * 3);
    }
    const check = await IdentityCheck.of(sessions, truth, 1);
    expect((await check.compare(mirrored))?.same).toBe(false);
  });

  it('compares a face that is too blurred for the mesh where the changed one shows its points', async () => {
    const truth = await portrait();
    const blurred = await degrade(truth, { ...TINY[1], blur: 6, reduction: 10 });
    expect((await compare(blurred, truth, 10)).similarity).toBeGreaterThan(0.5);
  });

  it('hides embeddings from logs and storage', async () => {
    const truth = await portrait();
    const check = await IdentityCheck.of(sessions, faceOf(truth), 1);
    const comparison = await check.compare(faceOf(truth));
    expect(comparison).toEqual({ similarity: expect.any(Number), same: true });
    expect([JSON.stringify(check), structuredClone(check)]).toEqual(['{}', {}]);
    expect(inspect(check, { depth: Number.POSITIVE_INFINITY, showHidden: true })).toBe('IdentityCheck {}');
  });

  it('returns null if neither picture shows a face', async () => {
    const fur = crop(await cat(), { x: 150, y: 180, width: 100, height: 100 });
    expect(await (await IdentityCheck.of(sessions, fur, 1)).compare(fur)).toBeNull();
  });
});
