import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { chromaOf, conesOf, conesOfLab, labOfCones, lightOf } from './color-lab.js';
import { type ColorSpace, colorSpaceOf } from './color-space.js';

async function profile(name: string): Promise<Buffer> {
  const file = await sharp({ create: { width: 1, height: 1, channels: 3, background: '#888' } })
    .withIccProfile(name)
    .png()
    .toBuffer();
  const { icc } = await sharp(file).metadata();
  if (!icc) throw new Error('no profile was attached');
  return icc;
}

const P3 = colorSpaceOf(await profile('p3'));
const SRGB = colorSpaceOf(null);

describe('colorSpaceOf', () => {
  it.each([
    ['sRGB', SRGB],
    ['Display P3', P3],
  ])('%s: grays are neutral, white is white, and colors round-trip', (_, space: ColorSpace) => {
    for (const code of [0.05, 0.3, 0.7, 1]) {
      const lab = labOfCones(conesOf(space, [code, code, code]));
      expect(chromaOf(lab)).toBeLessThan(1e-4);
      if (code === 1) expect(lab.l).toBeCloseTo(1, 5);
    }
    const codes = [0.8, 0.31, 0.12] as const;
    const light = lightOf(space, conesOfLab(labOfCones(conesOf(space, codes))));
    for (const channel of [0, 1, 2] as const) {
      expect(space.toCode(channel, light[channel])).toBeCloseTo(codes[channel], 5);
    }
  });

  it('makes the red of Display P3 redder than that of sRGB', () => {
    const red = (space: ColorSpace) => chromaOf(labOfCones(conesOf(space, [1, 0, 0])));
    expect(red(P3)).toBeGreaterThan(red(SRGB) * 1.08);
  });

  it('reads an embedded sRGB profile as sRGB', async () => {
    const read = colorSpaceOf(await profile('srgb'));
    const [one, other] = [read, SRGB].map((space) => labOfCones(conesOf(space, [0.2, 0.6, 0.9])));
    expect(Math.hypot((one?.a ?? 0) - (other?.a ?? 1), (one?.b ?? 0) - (other?.b ?? 1))).toBeLessThan(0.002);
  });

  it('treats a damaged profile, or one with tables, as sRGB', async () => {
    const whole = await profile('p3');
    expect(colorSpaceOf(whole.subarray(0, 200))).toBe(SRGB);
    expect(colorSpaceOf(new Uint8Array(20))).toBe(SRGB);
    expect(colorSpaceOf(await profile('cmyk').catch(() => new Uint8Array(200)))).toBe(SRGB);
  });
});
