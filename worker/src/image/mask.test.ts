import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { readMask } from './mask.js';

/** Black on the left, white from column `from` on. */
const half = (width: number, height: number, from: number): Buffer =>
  Buffer.from(Array.from({ length: width * height }, (_, at) => (at % width < from ? 0 : 255)));
const grayPng = (pixels: Buffer, width: number, height: number): Promise<Buffer> =>
  sharp(pixels, { raw: { width, height, channels: 1 } })
    .toColourspace('b-w')
    .png()
    .toBuffer();
const row = (mask: Uint8Array, width: number, y = 0): number[] => [...mask.subarray(y * width, (y + 1) * width)];

describe('a mask', () => {
  it('of the size of the result is used as it is', async () => {
    const pixels = Buffer.from(Array.from({ length: 256 }, (_, at) => at));
    expect(Buffer.from(await readMask(await grayPng(pixels, 16, 16), { width: 16, height: 16 }))).toEqual(pixels);
  });

  it('is enlarged and reduced with the picture, and gray only beside its edges', async () => {
    const enlarged = await readMask(await grayPng(half(8, 4, 4), 8, 4), { width: 32, height: 16 });
    expect(row(enlarged, 32).slice(0, 14)).toEqual(Array(14).fill(0));
    expect(row(enlarged, 32).slice(-14)).toEqual(Array(14).fill(255));
    expect(row(enlarged, 32, 15)).toEqual(row(enlarged, 32));
    const [left = 0, right = 0] = row(enlarged, 32).slice(15, 17);
    expect(left + right).toBe(255);
    const reduced = await readMask(await grayPng(half(400, 200, 200), 400, 200), { width: 40, height: 20 });
    expect(row(reduced, 40)).toEqual([...Array(19).fill(0), ...row(reduced, 40).slice(19, 21), ...Array(19).fill(255)]);
  });

  it('means its samples, whatever the file says about their color, gamma or transparency', async () => {
    const plain = await grayPng(Buffer.alloc(64, 100), 8, 8);
    const chunk = (type: string, data: number[]): Buffer => {
      const bytes = Buffer.concat([Buffer.alloc(4), Buffer.from(type), Buffer.from(data), Buffer.alloc(4)]);
      bytes.writeUInt32BE(data.length, 0);
      return bytes;
    };
    // Without checksums: they are not read.
    const others = [chunk('gAMA', [0, 0, 0xb1, 0x8f]), chunk('tRNS', [0, 100])];
    const odd = Buffer.concat([plain.subarray(0, 33), ...others, plain.subarray(33)]);
    const mask = await readMask(odd, { width: 8, height: 8 });
    expect([mask.length, new Set(mask)]).toEqual([64, new Set([100])]);
  });

  it('is refused if it is all black, at the size of the result, or damaged', async () => {
    const size = { width: 8, height: 8 };
    await expect(readMask(await grayPng(Buffer.alloc(64), 8, 8), size)).rejects.toMatchObject({
      code: 'masks.all_black',
    });
    const white = await grayPng(Buffer.from(Array.from({ length: 40_000 }, (_, at) => at % 251)), 200, 200);
    for (const cut of [30, 100, white.length - 60])
      await expect(readMask(white.subarray(0, cut), { width: 200, height: 200 })).rejects.toMatchObject({
        code: 'masks.undecodable',
      });
  });
});
