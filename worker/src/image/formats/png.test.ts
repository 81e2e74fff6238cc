import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { decode } from '../../test/decoding.js';
import { CORNERS, distance, fieldsOf, quadrants } from '../../test/pictures.js';
import { arrangePng } from './png.js';

const rawQuadrants = () => quadrants().raw().toBuffer();

function pngChunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}

async function pngWith(...chunks: readonly Buffer[]): Promise<Buffer> {
  const png = await quadrants().png().toBuffer();
  return Buffer.concat([png.subarray(0, 33), ...chunks, png.subarray(33)]);
}

describe('PNG', () => {
  it('is decoded without its compressed texts', async () => {
    const text = pngChunk('zTXt', Buffer.concat([Buffer.from('k\0\0'), deflateSync(Buffer.alloc(1_000_000))]));
    const file = await pngWith(text, pngChunk('tEXt', Buffer.from('k\0v')), text, pngChunk('iTXt', Buffer.from('k\0')));
    expect(arrangePng(file).equals(await quadrants().png().toBuffer())).toBe(true);
    expect(distance(fieldsOf(await decode(file)), CORNERS)).toBe(0);
  });

  it('with Display P3 by code points gets the equivalent profile', async () => {
    const { rgb, metadata } = await decode(await pngWith(pngChunk('cICP', Buffer.from([12, 13, 0, 1]))));
    expect(Buffer.from(rgb).equals(await rawQuadrants())).toBe(true);
    const real = (await sharp(await quadrants().withIccProfile('p3').png().toBuffer()).metadata()).icc;
    const [ours, theirs] = await Promise.all(
      [metadata.icc, real].map(async (icc) => {
        const profile = pngChunk('iCCP', Buffer.concat([Buffer.from('x\0\0'), deflateSync(icc ?? Buffer.alloc(0))]));
        return sharp(await pngWith(profile))
          .raw()
          .toBuffer();
      }),
    );
    expect(ours?.equals(await rawQuadrants())).toBe(false);
    ours?.forEach((value, index) => {
      if (Math.abs(value - (theirs?.[index] ?? 0)) > 3) throw new Error('the profiles differ');
    });
  });

  it('is turned by EXIF after its data', async () => {
    const exif = Buffer.from('49492a000800000001001201030001000000060000000000000000', 'hex');
    const png = await quadrants().png().toBuffer();
    const end = png.length - 12;
    const file = Buffer.concat([png.subarray(0, end), pngChunk('eXIf', exif), png.subarray(end)]);
    const picture = await decode(file);
    expect(picture).toMatchObject({ width: 48, height: 64 });
    const { topLeft, topRight, bottomRight, bottomLeft } = CORNERS;
    const turned = { topLeft: bottomLeft, topRight: topLeft, bottomRight: topRight, bottomLeft: bottomRight };
    expect(distance(fieldsOf(picture), turned)).toBe(0);
  });

  it('with sRGB or HDR by code points gets no profile', async () => {
    for (const code of [
      [1, 13],
      [9, 16],
    ]) {
      const file = await pngWith(pngChunk('cICP', Buffer.from([...code, 0, 1])));
      expect((await decode(file)).metadata.icc).toBeNull();
    }
  });
});
