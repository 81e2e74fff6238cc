import { type AiPipeline, isUntouched } from '@clearframe/contract';
import { afterAll, describe, expect, it } from 'vitest';
import type { Picture } from '../image/picture.js';
import { AiEngine } from '../inference/engine.js';
import { enhancePicture } from './enhance-picture.js';

const hook = new URL('../test/run-typescript.mjs', import.meta.url).href;
const engine = new AiEngine({
  childPath: new URL('../inference/child.ts', import.meta.url),
  environment: {
    NODE_OPTIONS: `--import=${hook} --disable-warning=ExperimentalWarning`,
    WORKER_INFERENCE_PRELOAD: 'none',
  },
});
afterAll(() => engine.close());

const WIDTH = 64;
const HEIGHT = 16;
/** Too fine a ramp for 8 bits, half transparent. */
const deep: Picture = {
  width: WIDTH,
  height: HEIGHT,
  rgb: Uint16Array.from({ length: WIDTH * HEIGHT * 3 }, (_, at) => Math.floor(at / 3) * 61 + 100),
  alpha: Uint16Array.from({ length: WIDTH * HEIGHT }, (_, at) => (at % 2) * 0xffff),
  metadata: { icc: null, exif: null },
};

const enhance = (picture: Picture, aiPipeline: AiPipeline, mask: { data: Uint8Array; sha256: string } | null = null) =>
  enhancePicture(
    engine,
    picture,
    { aiPipeline, faceDetectorMaxInput: 800, maxSide: 2048, mask },
    {
      signal: new AbortController().signal,
      onProgress: () => undefined,
      keep: { variants: { background: null, faces: null }, parts: [] },
    },
  );

describe('enhancePicture', () => {
  it('keeps 16 bits and alpha if only color is changed', async () => {
    const { picture, recipe } = await enhance(deep, { colorEnhance: { model: 'balanced' } });
    expect(picture.rgb).toBeInstanceOf(Uint16Array);
    expect(new Set(picture.rgb).size).toBeGreaterThan(900);
    expect(picture.alpha).toBe(deep.alpha);
    expect(recipe).toMatchObject({ aiPipeline: { colorEnhance: { model: 'balanced' } }, models: [] });
    expect(recipe).not.toHaveProperty('leftAlone');
  });

  it('leaves 16 bits as they are where the mask is black, applies the tools where it is white, and mixes between', async () => {
    const aiPipeline: AiPipeline = { colorEnhance: { model: 'teal' } };
    const { picture: whole } = await enhance(deep, aiPipeline);
    const levels = [0, 255, 128, 0];
    const pixels = Buffer.from(Array.from({ length: WIDTH * HEIGHT }, (_, at) => levels[at % 4] ?? 0));
    const { picture, recipe } = await enhance(deep, aiPipeline, { data: pixels, sha256: 'a'.repeat(64) });
    expect(recipe.mask).toEqual({ sha256: 'a'.repeat(64) });
    const wrong = [...picture.rgb].filter((value, at) => {
      const [before = 0, after = 0, level = 0] = [deep.rgb[at], whole.rgb[at], levels[Math.floor(at / 3) % 4]];
      return value !== before + Math.round(((after - before) * level) / 255);
    });
    expect(wrong).toEqual([]);
    expect(Buffer.compare(Buffer.from(picture.rgb), Buffer.from(deep.rgb))).not.toBe(0);
  });

  it('records in the recipe that a blur found no people', async () => {
    const rgb = Uint8Array.from(deep.rgb, (value) => value >> 8);
    const { picture, recipe } = await enhance(
      { ...deep, rgb, alpha: null },
      {
        bokeh: { model: 'high' },
        upscale: { factor: 1 },
      },
    );
    expect(recipe.leftAlone).toEqual(['bokeh']);
    expect(recipe.models.map(({ id }) => id)).toContain('selfie');
    expect(Buffer.compare(picture.rgb as Uint8Array, rgb)).toBe(0);
  });

  it('enlarges small pictures with their transparency, and says so', async () => {
    const rgb = Uint8Array.from(deep.rgb, (value) => value >> 8);
    const alpha = Uint8Array.from({ length: WIDTH * HEIGHT }, (_, at) => (at % WIDTH < WIDTH / 2 ? 0 : 255));
    const { picture, recipe, base } = await enhance({ ...deep, rgb, alpha }, { faceEnhance: { model: 'base' } });
    expect([picture.width, picture.height, picture.rgb.length]).toEqual([256, 64, 256 * 64 * 3]);
    expect([picture.alpha?.length, picture.alpha?.[10], picture.alpha?.at(-10)]).toEqual([256 * 64, 0, 255]);
    expect(recipe).toMatchObject({ enlargedBy: 4, leftAlone: ['face_enhance'] });
    expect(isUntouched(recipe)).toBe(false);
    expect([base.width, base.height]).toEqual([256, 64]);
  });
});
