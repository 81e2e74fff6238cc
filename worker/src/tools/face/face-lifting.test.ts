import type { AiPipeline } from '@clearframe/contract';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { modelsFolder, readManifest } from '../../networks/manifest.js';
import { Sessions } from '../../networks/sessions.js';
import { boxBlur } from '../../rasters/filters.js';
import { createRaster, type Raster, toPlanes } from '../../rasters/raster.js';
import { resize } from '../../rasters/resize.js';
import { cieLab } from '../../test/color-difference.js';
import { portrait } from '../../test/quality.js';
import { runPipeline } from '../pipeline/pipeline.js';
import { SideWork } from '../restoration/context.js';
import { liftFaces, MIN_SIMILARITY } from './face-lifting.js';
import { type LiftingModel, STYLES } from './face-lifting-styles.js';
import { drawRegions, fillPolygons, outlineOf } from './face-regions.js';
import { type FaceShape, locateFace, pointOf } from './face-regions-shape.js';
import { findSkin } from './skin-tone.js';

const sessions = new Sessions(await readManifest(modelsFolder()), 2);
const MODELS = Object.keys(STYLES) as LiftingModel[];

/** The face has about 150 pixels, enough for skin, eyes and teeth. */
const SIDE = 450;
const FACE_BOX = { x: 150, y: 60, width: 172, height: 172 };
const input = await resize(await portrait(), SIDE, SIDE, 'cubic');

async function lift(input: Raster, model: LiftingModel, strength?: number) {
  const pipeline: AiPipeline = { faceLifting: { model, ...(strength === undefined ? {} : { strength }) } };
  const progress: number[] = [];
  const result = await runPipeline(sessions, input, pipeline, {
    signal: new AbortController().signal,
    onProgress: (fraction) => progress.push(fraction),
  });
  return { ...result, progress };
}

async function liftFace(picture: Raster, model: LiftingModel, strength = 1): Promise<Raster> {
  const current = { ...picture, data: Uint8Array.from(picture.data) };
  const faces = [{ box: FACE_BOX, confidence: 1, softness: 1 }];
  const signal = new AbortController().signal;
  const found = {
    beside: new SideWork(),
    faces,
    reports: [],
    assessed: null,
    noiseless: null,
    background: null,
    patches: [],
  };
  await liftFaces(
    { sessions, signal, original: picture, current, deep: null, icc: null, ...found },
    { model, strength },
    () => undefined,
  );
  return current;
}

async function shapeOf(picture: Raster, box = FACE_BOX): Promise<FaceShape> {
  const shape = await locateFace(await sessions.get('face-mesh'), picture, box);
  if (!shape) throw new Error('no face');
  return shape;
}

async function skinOf(picture: Raster): Promise<Float32Array> {
  const { points, width } = await shapeOf(picture);
  const regions = drawRegions(points, width, picture.width, picture.height);
  const found = findSkin(toPlanes(picture), regions.skin, width);
  if (!found) throw new Error('no skin');
  return found.skin;
}

/** Mean absolute difference in levels under the full mask. */
function difference(a: Raster, b: Raster, mask: Float32Array): number {
  let sum = 0;
  let count = 0;
  for (const [pixel, weight] of mask.entries()) {
    if (weight < 0.9) continue;
    for (let at = pixel * 3; at < pixel * 3 + 3; at++, count++) sum += Math.abs((a.data[at] ?? 0) - (b.data[at] ?? 0));
  }
  return sum / count;
}

function meanLightness({ data }: Raster, mask: Float32Array): number {
  let sum = 0;
  let total = 0;
  for (let pixel = 0; pixel < mask.length; pixel += 3) {
    const weight = mask[pixel] ?? 0;
    if (weight <= 0) continue;
    sum += weight * cieLab(data[pixel * 3] ?? 0, data[pixel * 3 + 1] ?? 0, data[pixel * 3 + 2] ?? 0)[0];
    total += weight;
  }
  return sum / total;
}

/** Changes the reflectance to simulate other skin tones. */
function toned(picture: Raster, reflectance: readonly [number, number, number]): Raster {
  const tables = reflectance.map((part) =>
    Array.from({ length: 256 }, (_, code) => {
      const light = code / 255 <= 0.04045 ? code / 255 / 12.92 : ((code / 255 + 0.055) / 1.055) ** 2.4;
      const value = Math.min(1, light * part);
      return Math.round(255 * (value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055));
    }),
  );
  return { ...picture, data: picture.data.map((value, at) => tables[at % 3]?.[value] ?? 0) };
}

const TONES = [
  [1.15, 1.1, 1.1],
  [0.95, 0.85, 0.78],
  [0.75, 0.62, 0.5],
  [0.55, 0.4, 0.3],
  [0.34, 0.22, 0.16],
  [0.18, 0.11, 0.08],
] as const;

describe('face_lifting', () => {
  it.each(MODELS)('%s changes the skin, keeps the person and changes nothing else', async (model) => {
    const { raster, faces, leftAlone, progress } = await lift(input, model);
    expect(difference(raster, input, await skinOf(input))).toBeGreaterThan(0.8);
    expect(faces).toHaveLength(1);
    expect(faces[0]?.identitySimilarity).toBeGreaterThanOrEqual(MIN_SIMILARITY);
    expect(faces[0]?.blend).toBeGreaterThan(0.9);
    expect(leftAlone).toEqual([]);
    expect(progress.at(-1)).toBe(1);
    const { points } = await shapeOf(input, faces[0]?.box);
    // The rounded box may shift the outline slightly.
    const face = boxBlur(fillPolygons([outlineOf(points)], SIDE, SIDE), { width: SIDE, height: SIDE }, 2);
    const touched = input.data.filter((value, at) => face[Math.floor(at / 3)] === 0 && value !== raster.data[at]);
    expect(touched).toHaveLength(0);
  });

  it('has four different styles, natural closest to the original', async () => {
    const skin = await skinOf(input);
    const results = new Map<LiftingModel, Raster>();
    for (const model of MODELS) results.set(model, await liftFace(input, model));
    for (const [first, a] of results) {
      for (const [second, b] of results) {
        if (first < second) expect(difference(a, b, skin), `${first} and ${second}`).toBeGreaterThan(0.8);
      }
    }
    const changes = MODELS.map((model) => [model, difference(results.get(model) ?? input, input, skin)] as const);
    expect(changes.sort((a, b) => a[1] - b[1])[0]?.[0]).toBe('natural');
  });

  it('plans a style once for several strengths, with the bytes, faces and networks of a run from the beginning', async () => {
    const run = (strength: number, model: LiftingModel = 'glam') => lift(input, model, strength);
    await run(1);
    const kept = await run(0.5);
    await lift(createRaster(32, 32), 'glam');
    const fresh = await run(0.5);
    expect(Buffer.compare(kept.raster.data, fresh.raster.data)).toBe(0);
    expect([kept.faces, kept.models]).toEqual([fresh.faces, fresh.models]);
    const natural = await run(0.5, 'natural');
    expect(Buffer.compare(natural.raster.data, kept.raster.data)).not.toBe(0);
  });

  it('changes the lightness of all skin tones equally, and little', async () => {
    const changes = new Map<LiftingModel, number[]>(MODELS.map((model) => [model, []]));
    for (const reflectance of TONES) {
      const person = toned(input, reflectance);
      const skin = await skinOf(person);
      const before = meanLightness(person, skin);
      for (const [model, list] of changes) list.push(meanLightness(await liftFace(person, model), skin) - before);
    }
    for (const [model, list] of changes) {
      expect(Math.max(...list.map(Math.abs)), model).toBeLessThan(1.5);
      expect(Math.max(...list) - Math.min(...list), model).toBeLessThan(0.6);
    }
  }, 60_000);

  it('grows with strength and has no effect at 0', async () => {
    const skin = await skinOf(input);
    let before = 0;
    for (const strength of [0.25, 0.5, 0.75, 1]) {
      const change = difference(await liftFace(input, 'glam', strength), input, skin);
      expect(change).toBeGreaterThan(before);
      before = change;
    }
    const { raster, leftAlone } = await lift(input, 'movie', 0);
    expect(Buffer.compare(raster.data, input.data)).toBe(0);
    expect(leftAlone).toEqual(['face_lifting']);
  });

  it('is deterministic', async () => {
    const [first, second] = [await liftFace(input, 'cute'), await liftFace(input, 'cute')];
    expect(Buffer.compare(first.data, second.data)).toBe(0);
  });

  it('keeps a picture without a face unchanged, and reports it', async () => {
    const gray = createRaster(320, 240);
    gray.data.fill(150);
    const { raster, faces, leftAlone } = await lift(gray, 'glam');
    expect(Buffer.compare(raster.data, gray.data)).toBe(0);
    expect(faces).toEqual([]);
    expect(leftAlone).toEqual(['face_lifting']);
  });

  it('keeps a face unchanged that is too small to show skin', async () => {
    const small = await resize(await portrait(), 80, 80, 'cubic');
    const wall = createRaster(300, 300);
    wall.data.fill(128);
    for (let row = 0; row < 80; row++) {
      wall.data.set(small.data.subarray(row * 240, (row + 1) * 240), ((row + 110) * 300 + 110) * 3);
    }
    const { raster } = await lift(wall, 'glam');
    expect(Buffer.compare(raster.data, wall.data)).toBe(0);
  });

  it('keeps black and white black and white', async () => {
    const { luma } = toPlanes(input);
    const gray = { ...input, data: input.data.map((_, at) => luma[Math.floor(at / 3)] ?? 0) };
    const lifted = await liftFace(gray, 'cute');
    expect(Buffer.compare(lifted.data, gray.data)).not.toBe(0);
    const colored = lifted.data.filter((value, at) => Math.abs(value - (lifted.data[at - (at % 3)] ?? 0)) > 1);
    expect(colored).toHaveLength(0);
  });

  it('works on a tilted head', async () => {
    const { data, info } = await sharp(input.data, { raw: { width: SIDE, height: SIDE, channels: 3 } })
      .rotate(30, { background: '#888' })
      .raw()
      .toBuffer({ resolveWithObject: true });
    const tilted = { width: info.width, height: info.height, data: new Uint8Array(data) };
    const { raster, faces } = await lift(tilted, 'glam');
    expect(faces[0]?.identitySimilarity).toBeGreaterThanOrEqual(MIN_SIMILARITY);
    const box = faces[0]?.box ?? FACE_BOX;
    const { points } = await shapeOf(tilted, box);
    const [right, left] = [pointOf(points, 33), pointOf(points, 263)];
    expect((Math.atan2(left.y - right.y, left.x - right.x) * 180) / Math.PI).toBeCloseTo(30, -1);
    const face = fillPolygons([outlineOf(points)], tilted.width, tilted.height);
    expect(difference(raster, tilted, face)).toBeGreaterThan(1);
  });

  it('stops when aborted', async () => {
    const controller = new AbortController();
    const running = runPipeline(
      sessions,
      input,
      { faceLifting: { model: 'glam' } },
      {
        signal: controller.signal,
        onProgress: () => controller.abort(),
      },
    );
    await expect(running).rejects.toMatchObject({ name: 'AbortError' });
  });
});
