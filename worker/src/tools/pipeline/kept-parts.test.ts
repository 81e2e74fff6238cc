import { type AiPipeline, keptVariantsOf } from '@clearframe/contract';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { modelsFolder, readManifest } from '../../networks/manifest.js';
import { Sessions } from '../../networks/sessions.js';
import { createRaster, type Raster } from '../../rasters/raster.js';
import { degrade, portrait } from '../../test/quality.js';
import { encodeChanges } from './compose.js';
import { addTo, differenceOf, type KeptBytes } from './kept-parts.js';
import { type PipelineResult, runPipeline } from './pipeline.js';

const sessions = new Sessions(await readManifest(modelsFolder()), 2);
/** Soft enough for the network for photos, not for the one for faces in the background. */
const input = await degrade(await portrait(), { blur: 0.8, reduction: 1.8 });

async function run(pipeline: AiPipeline, parts: readonly KeptBytes[] = [], picture = input): Promise<PipelineResult> {
  return runPipeline(
    sessions,
    picture,
    { ...pipeline, upscale: { factor: 1 } },
    {
      signal: new AbortController().signal,
      onProgress: () => undefined,
      keep: { variants: keptVariantsOf({ ...pipeline, upscale: { factor: 1 } }, picture, 2048), parts },
    },
  );
}

const isSame = (one: Raster, other: Raster) => Buffer.compare(one.data, other.data) === 0;
const stepsOf = ({ timings }: PipelineResult) => timings.map(({ step }) => step);
const inNetworks = ({ timings }: PipelineResult, step: string) =>
  timings.find((timing) => timing.step === step)?.sessionMs ?? 0;

const BOTH = { faceEnhance: { model: 'base' }, backgroundEnhance: { model: 'base' } } as const;
const first = await run(BOTH);

describe('kept parts', () => {
  it('give the bytes, faces and networks of a run from the beginning, without a network', async () => {
    const softer: AiPipeline = {
      faceEnhance: { model: 'base', strength: 0.6 },
      backgroundEnhance: { model: 'base', strength: 0.3 },
      colorEnhance: { model: 'teal' },
    };
    const [fresh, kept] = [await run(softer), await run(softer, first.kept)];
    expect(isSame(kept.raster, fresh.raster)).toBe(true);
    expect(isSame(kept.raster, first.raster)).toBe(false);
    expect([kept.faces, kept.models, kept.leftAlone]).toEqual([fresh.faces, fresh.models, fresh.leftAlone]);
    expect(stepsOf(kept)).toEqual(['background_enhance', 'face_enhance', 'color_enhance']);
    expect(kept.timings.reduce((sum, { sessionMs }) => sum + sessionMs, 0)).toBe(0);
    expect(kept.kept).toEqual([]);
  });

  it('are computed again for another model, each alone', async () => {
    const otherFaces = { ...BOTH, faceEnhance: { model: 'v1' } } as const;
    const faces = await run(otherFaces, first.kept);
    expect(inNetworks(faces, 'background_enhance')).toBe(0);
    expect(inNetworks(faces, 'face_enhance')).toBeGreaterThan(0);
    expect(isSame(faces.raster, (await run(otherFaces)).raster)).toBe(true);

    const otherBackground = { ...BOTH, backgroundEnhance: { model: 'v1' } } as const;
    const background = await run(otherBackground, first.kept);
    expect(stepsOf(background)).not.toContain('detect_faces');
    expect(inNetworks(background, 'background_enhance')).toBeGreaterThan(0);
    expect(isSame(background.raster, (await run(otherBackground)).raster)).toBe(true);
  });

  it('of faces serve pictures with and without the background tool, without a visible difference', async () => {
    const alone: AiPipeline = { faceEnhance: { model: 'base' } };
    const [fresh, kept] = [await run(alone), await run(alone, first.kept)];
    expect(stepsOf(kept)).toEqual(['face_enhance']);
    const differences = kept.raster.data.map((value, at) => Math.abs(value - (fresh.raster.data[at] ?? 0)));
    expect(differences.reduce((greatest, value) => Math.max(greatest, value), 0)).toBeLessThanOrEqual(4);
    const again = await run(BOTH, [...kept.kept, ...first.kept]);
    expect(inNetworks(again, 'background_enhance')).toBe(0);
    expect(isSame(again.raster, first.raster)).toBe(true);
  });

  it('name the networks of their own tool only', async () => {
    const alone: AiPipeline = { backgroundEnhance: { model: 'base' } };
    const [fresh, kept] = [await run(alone), await run(alone, first.kept)];
    expect(inNetworks(kept, 'background_enhance')).toBe(0);
    expect(kept.models).toEqual(fresh.models);
    expect(first.models.length).toBeGreaterThan(fresh.models.length);
  });

  it('of another picture or version, and damaged ones, are computed again', async () => {
    const other = { ...input, data: input.data.map((value, at) => (at === 0 ? value ^ 1 : value)) };
    const damaged = first.kept.map((part) => ({ ...part, bytes: part.bytes.subarray(0, part.bytes.length - 9) }));
    const [foreign, repaired] = [await run(BOTH, first.kept, other), await run(BOTH, damaged)];
    for (const result of [foreign, repaired]) {
      expect(stepsOf(result)).toContain('detect_faces');
      expect(result.kept).toHaveLength(2);
    }
    expect(isSame(repaired.raster, first.raster)).toBe(true);
  });

  it('are read once for several changes of a picture', async () => {
    const softer: AiPipeline = { ...BOTH, faceEnhance: { model: 'base', strength: 0.5 } };
    await run(BOTH, first.kept);
    const [again, whole] = [await run(softer, first.kept), await run(BOTH, first.kept)];
    await run({ colorEnhance: { model: 'teal' } }, [], createRaster(32, 32));
    const fresh = await run(softer, first.kept);
    expect([isSame(again.raster, fresh.raster), isSame(whole.raster, first.raster)]).toEqual([true, true]);
    expect(again.models).toEqual(fresh.models);
  });

  it('map what networks changed, and nothing in a picture they leave alone', async () => {
    if (!first.changes || 'bytes' in first.changes) throw new Error('expected a map in memory');
    expect(first.changes.opacity.some((value) => value > 30)).toBe(true);
    const { changes: encoded } = await run({ ...BOTH, colorEnhance: { model: 'teal' } }, first.kept);
    if (!encoded || !('bytes' in encoded)) throw new Error('expected a file');
    const { width, height, bytes } = await encodeChanges(first.changes);
    expect([encoded.width, encoded.height]).toEqual([width, height]);
    expect(Buffer.compare(encoded.bytes, bytes)).toBe(0);
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width, height, hasAlpha: true });
    const { changes, leftAlone, models } = await run({ backgroundEnhance: { model: 'base' } }, [], await portrait());
    expect([changes, leftAlone, models]).toEqual([null, ['background_enhance'], []]);
  });
});

/** Every pair of bytes, and two more so that neither length nor start is a multiple of four. */
const LENGTH = 256 * 256 + 2;
const one = Uint8Array.from({ length: LENGTH + 1 }, (_, at) => at >> 8).subarray(1);
const other = Uint8Array.from({ length: LENGTH }, (_, at) => at);

function sumOf(first: Uint8Array, second: Uint8Array): Uint8Array {
  const sum = Uint8Array.from(first);
  addTo(sum, second);
  return sum;
}

describe('differenceOf and addTo', () => {
  it('subtract and add each byte modulo 256', () => {
    expect(
      Buffer.compare(
        differenceOf(one, other),
        one.map((value, at) => value - (other[at] ?? 0)),
      ),
    ).toBe(0);
    expect(
      Buffer.compare(
        sumOf(one, other),
        one.map((value, at) => value + (other[at] ?? 0)),
      ),
    ).toBe(0);
  });

  it('undo each other', () => {
    expect(Buffer.compare(sumOf(differenceOf(one, other), other), one)).toBe(0);
  });
});
