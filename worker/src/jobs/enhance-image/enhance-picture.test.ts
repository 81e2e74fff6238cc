import type { AiPipeline } from '@clearframe/contract';
import { afterAll, describe, expect, it } from 'vitest';
import type { Picture } from '../../image/picture/picture.js';
import { AiEngine } from '../../inference/engine.js';
import { enhancePicture } from './enhance-picture.js';

// Runs the child from sources.
const hook = new URL('../../../test/run-typescript.mjs', import.meta.url).href;
const engine = new AiEngine({
  childPath: new URL('../../inference/child.ts', import.meta.url),
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

const enhance = (picture: Picture, aiPipeline: AiPipeline) =>
  enhancePicture(
    engine,
    picture,
    { aiPipeline, faceDetectorMaxInput: 800 },
    { signal: new AbortController().signal, onProgress: () => undefined },
  );

describe('enhancePicture', () => {
  it('keeps 16 bits and alpha if only colour is changed', async () => {
    const { picture, recipe } = await enhance(deep, { colorEnhance: { model: 'balanced' } });
    expect(picture.rgb).toBeInstanceOf(Uint16Array);
    expect(new Set(picture.rgb).size).toBeGreaterThan(900);
    expect(picture.alpha).toBe(deep.alpha);
    expect(recipe).toMatchObject({ aiPipeline: { colorEnhance: { model: 'balanced' } }, models: [] });
    expect(recipe).not.toHaveProperty('leftAlone');
  });

  it('records in the recipe that a blur found no people', async () => {
    const rgb = Uint8Array.from(deep.rgb, (value) => value >> 8);
    const { picture, recipe } = await enhance({ ...deep, rgb, alpha: null }, { bokeh: { model: 'high' } });
    expect(recipe.leftAlone).toEqual(['bokeh']);
    expect(recipe.models.map(({ id }) => id)).toContain('selfie');
    expect(Buffer.compare(picture.rgb as Uint8Array, rgb)).toBe(0);
  });
});
