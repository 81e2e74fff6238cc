import type { Recipe } from '@clearframe/contract';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import type { Picture } from '../image/picture.js';
import { encodeResult } from './enhance-image.handler.js';

const recipe: Recipe = { version: 1, aiPipeline: { colorEnhance: { model: 'teal' } }, models: [] };
const gray = (width: number, height: number): Picture => ({
  width,
  height,
  rgb: new Uint8Array(width * height * 3).fill(128),
  alpha: null,
  metadata: { icc: null, exif: null },
});
const JPEG = { contentType: 'image/jpeg', jpegQuality: 90 } as const;

describe('the files of a changed picture', () => {
  it('carry the watermark in the rendition only', async () => {
    const { master, rendition } = await encodeResult(
      { picture: gray(200, 200), recipe, faces: [] },
      {
        rendition: { contentType: 'image/png', jpegQuality: 90, watermark: true, maxSide: 100 },
        display: { ...JPEG, watermark: true, maxSide: 2048, use: 'display' },
        keepLocation: false,
      },
    );
    const spread = async (bytes: Uint8Array) => (await sharp(bytes).stats()).channels[0]?.stdev ?? 0;
    expect(await spread(master.bytes)).toBe(0);
    expect(await spread(rendition.bytes)).toBeGreaterThan(1);
    expect(rendition.width).toBe(100);
  });

  it('show no more in pages than was ordered', async () => {
    const { master, display, medium, thumbnail } = await encodeResult(
      { picture: gray(1600, 900), recipe, faces: [] },
      {
        rendition: { ...JPEG, watermark: false, maxSide: 1280 },
        display: { ...JPEG, watermark: false, maxSide: 1280, use: 'display' },
        keepLocation: false,
      },
    );
    expect(master.width).toBe(1600);
    expect(display).toMatchObject({ width: 1280, height: 720 });
    expect(medium).toMatchObject({ contentType: 'image/webp', width: 1024, height: 576 });
    expect(thumbnail).toMatchObject({ width: 400, height: 225 });
  });
});
