import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { decodePng, encodePng } from '../src/core/png.ts';

function pixelsOf<Data extends Uint8Array | Uint16Array>(
  width: number,
  height: number,
  channels: 1 | 3 | 4,
  data: Data,
) {
  let state = width * 31 + channels;
  for (let at = 0; at < data.length; at++) {
    state = (state * 1_103_515_245 + 12_345) & 0x7fffffff;
    data[at] = (((at / channels) % 251) + (state >> 28)) * (data instanceof Uint16Array ? 251 : 1);
  }
  return { width, height, channels, data };
}

const SIZES = [
  [1, 1],
  [7, 3],
  [256, 255],
] as const;

const eightBits = (width: number, height: number, channels: 1 | 3 | 4) =>
  pixelsOf(width, height, channels, new Uint8Array(width * height * channels));

describe.each([1, 3, 4] as const)('a PNG with %i channels', (channels) => {
  it.each(SIZES)('of %i × %i pixels is read by sharp as it was written', async (width, height) => {
    const pixels = eightBits(width, height, channels);
    const image = sharp(await encodePng(pixels));
    expect(await image.metadata()).toMatchObject({ width, height, channels, depth: 'uchar' });
    const raw = await (channels === 1 ? image.toColourspace('b-w') : image).raw().toBuffer();
    expect(Buffer.compare(raw, pixels.data)).toBe(0);
  });

  it.each(SIZES)('of %i × %i pixels that sharp wrote is read', async (width, height) => {
    const { data } = eightBits(width, height, channels);
    for (const adaptiveFiltering of [true, false]) {
      const png = await sharp(data, { raw: { width, height, channels } }).png({ adaptiveFiltering }).toBuffer();
      const decoded = await decodePng(png);
      expect(decoded).toMatchObject({ width, height });
      // sharp writes gray where all pixels are.
      if (decoded.channels === channels) expect(Buffer.compare(decoded.data as Uint8Array, data)).toBe(0);
    }
  });
});

it.each([3, 4] as const)('samples of 16 bits in %i channels are those of sharp, both ways', async (channels) => {
  const [width, height] = [37, 19];
  const pixels = pixelsOf(width, height, channels, new Uint16Array(width * height * channels));
  const written = await encodePng(pixels);
  expect(await sharp(written).metadata()).toMatchObject({ width, height, channels, depth: 'ushort' });
  const { data } = await sharp(written)
    .toColourspace('rgb16')
    .raw({ depth: 'ushort' })
    .toBuffer({ resolveWithObject: true });
  expect(Buffer.compare(data, new Uint8Array(pixels.data.buffer))).toBe(0);
  const png = await sharp(pixels.data, { raw: { width, height, channels } }).toColourspace('rgb16').png().toBuffer();
  expect(await decodePng(png)).toEqual(pixels);
});

describe('other files', () => {
  it('are refused: no PNG, a palette, interlaced, cut off, damaged', async () => {
    const { data, width, height, channels } = eightBits(64, 64, 3);
    const image = () => sharp(data, { raw: { width, height, channels } });
    const png = await encodePng({ width, height, channels, data });
    const damaged = png.slice();
    damaged.fill(255, 120, 200);
    const others = [
      new Uint8Array(),
      await image().jpeg().toBuffer(),
      await image().png({ palette: true }).toBuffer(),
      await image().png({ progressive: true }).toBuffer(),
      png.subarray(0, png.length / 2),
      damaged,
    ];
    for (const other of others) await expect(decodePng(other)).rejects.toMatchObject({ name: 'PngError' });
  });

  it('are not made of samples that are missing', async () => {
    const short = { width: 2, height: 2, channels: 3, data: new Uint8Array(11) } as const;
    await expect(encodePng(short)).rejects.toMatchObject({ name: 'PngError' });
  });
});

it('stops when it is canceled', async () => {
  const pixels = eightBits(300, 300, 3);
  const png = await encodePng(pixels);
  const reason = new Error('canceled');
  await expect(encodePng(pixels, AbortSignal.abort(reason))).rejects.toBe(reason);
  await expect(decodePng(png, AbortSignal.abort(reason))).rejects.toBe(reason);
});
