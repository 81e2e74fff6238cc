import sharp, { type Sharp } from 'sharp';
import { describe, expect, it } from 'vitest';
import { decode, rejectionOf } from '../../test/decoding.js';
import { CORNERS, deepSamples, detailed, distance, fieldsOf, quadrants, TURNED_HEIC } from '../../test/pictures.js';

const FORMATS: [string, () => Sharp][] = [
  ['JPEG', () => detailed().jpeg()],
  ['progressive JPEG', () => detailed().jpeg({ progressive: true })],
  ['PNG', () => detailed().png()],
  ['interlaced PNG', () => detailed().png({ progressive: true })],
  ['WebP', () => detailed().webp()],
  ['lossless WebP', () => detailed().webp({ lossless: true })],
  ['TIFF', () => detailed().tiff({ compression: 'lzw' })],
  ['uncompressed TIFF', () => detailed().tiff({ compression: 'none' })],
  ['AVIF', () => detailed().avif({ effort: 0 })],
];

describe('decoding', () => {
  it.each(FORMATS)('reads a %s', async (_, make) => {
    const bytes = await make().toBuffer();
    expect(await decode(bytes)).toMatchObject({ width: 320, height: 240, alpha: null });
  });

  describe.each(FORMATS)('a truncated %s', (_, make) => {
    it.each([0.1, 0.3, 0.5, 0.9, 0.99])('is rejected at %d', async (share) => {
      const bytes = await make().toBuffer();
      expect(await rejectionOf(bytes.subarray(0, Math.floor(bytes.length * share)))).toBe('uploads.undecodable');
    });
  });

  it('accepts complete files with bytes after the end or without an end marker', async () => {
    const jpeg = await detailed().jpeg().toBuffer();
    expect(await rejectionOf(Buffer.concat([jpeg, Buffer.alloc(300, 7)]))).toBe('accepted');
    expect(await rejectionOf(jpeg.subarray(0, jpeg.length - 2))).toBe('accepted');
    expect(await rejectionOf(jpeg.subarray(0, jpeg.length - 40))).toBe('uploads.undecodable');
  });

  it.each([1, 2, 3, 4, 5, 6, 7, 8])('applies orientation %d', async (orientation) => {
    const turns: Record<number, ((image: Sharp) => Sharp)[]> = {
      1: [],
      2: [(image) => image.flop()],
      3: [(image) => image.rotate(180)],
      4: [(image) => image.flip()],
      5: [(image) => image.rotate(90), (image) => image.flop()],
      6: [(image) => image.rotate(270)],
      7: [(image) => image.rotate(90), (image) => image.flip()],
      8: [(image) => image.rotate(90)],
    };
    let stored = await quadrants().png().toBuffer();
    for (const turn of turns[orientation] ?? []) stored = await turn(sharp(stored)).png().toBuffer();
    const file = await sharp(stored).withMetadata({ orientation }).jpeg({ quality: 100 }).toBuffer();
    const picture = await decode(file);
    expect(picture).toMatchObject({ width: 64, height: 48 });
    expect(distance(fieldsOf(picture), CORNERS)).toBeLessThan(12);
  });

  it('keeps Display P3 and its profile', async () => {
    const file = await quadrants().withIccProfile('p3').png().toBuffer();
    const stored = await sharp(file, { ignoreIcc: true }).raw().toBuffer();
    const picture = await decode(file);
    expect(Buffer.from(picture.rgb).equals(stored)).toBe(true);
    expect(picture.metadata.icc?.toString('latin1', 36, 40)).toBe('acsp');
    expect(distance(fieldsOf(picture), CORNERS)).toBeGreaterThan(10);
  });

  it('converts CMYK to sRGB', async () => {
    // Colors that inks can mix.
    const muted = (value: number) => Math.round(value * 0.3 + 100);
    const image = quadrants().linear(0.3, 100).toColourspace('cmyk').withIccProfile('cmyk');
    const picture = await decode(await image.jpeg({ quality: 100 }).toBuffer());
    expect(picture.metadata.icc).toBeNull();
    const { topLeft, topRight, bottomRight, bottomLeft } = CORNERS;
    expect(
      distance(fieldsOf(picture), {
        topLeft: topLeft.map(muted),
        topRight: topRight.map(muted),
        bottomRight: bottomRight.map(muted),
        bottomLeft: bottomLeft.map(muted),
      }),
    ).toBeLessThan(25);
  });

  it('keeps all 16 bits on request, otherwise 8', async () => {
    const samples = deepSamples(32 * 32 * 3);
    const raw = { width: 32, height: 32, channels: 3 as const };
    const png = await sharp(samples, { raw }).toColourspace('rgb16').png().toBuffer();
    const tiff = await sharp(samples, { raw }).toColourspace('rgb16').tiff({ compression: 'lzw' }).toBuffer();
    for (const file of [png, tiff]) {
      expect((await decode(file, { keepDepth: true })).rgb).toEqual(samples);
      const shallow = (await decode(file)).rgb;
      expect(shallow).not.toBeInstanceOf(Uint16Array);
      expect(Array.from(shallow)).toEqual(Array.from(samples, (sample) => sample >> 8));
    }
  });

  it('separates transparency from colors', async () => {
    const alpha = Buffer.from(Array.from({ length: 64 * 48 }, (_, index) => index % 256));
    const file = await quadrants()
      .joinChannel(alpha, { raw: { width: 64, height: 48, channels: 1 } })
      .png()
      .toBuffer();
    const picture = await decode(file);
    expect(Buffer.from(picture.alpha ?? []).equals(alpha)).toBe(true);
    expect(distance(fieldsOf(picture), CORNERS)).toBe(0);
  });

  it('drops opaque transparency', async () => {
    expect((await decode(await quadrants().ensureAlpha(1).png().toBuffer())).alpha).toBeNull();
  });

  it('converts gray to RGB', async () => {
    const picture = await decode(await quadrants().grayscale().toColourspace('b-w').jpeg().toBuffer());
    expect(picture.rgb).toHaveLength(64 * 48 * 3);
    const { topLeft } = fieldsOf(picture);
    expect(new Set(topLeft).size).toBe(1);
  });

  it('reads the first frame of an animation and the first page of a document', async () => {
    const first = await quadrants().png().toBuffer();
    const second = await quadrants().negate().png().toBuffer();
    const gif = await sharp([first, second], { join: { animated: true } })
      .gif({ delay: [100, 100] })
      .toBuffer();
    const webp = await sharp(gif, { animated: true }).webp({ lossless: true }).toBuffer();
    const pages = await sharp(gif, { animated: true }).tiff({ compression: 'lzw' }).toBuffer();
    expect((await sharp(webp).metadata()).pages).toBe(2);
    for (const file of [webp, pages]) {
      const picture = await decode(file);
      expect(picture).toMatchObject({ width: 64, height: 48 });
      expect(distance(fieldsOf(picture), CORNERS)).toBeLessThan(4);
    }
  });

  it('scales down to fit, never up', async () => {
    expect(await decode(await detailed(640, 200).jpeg().toBuffer(), { maxSide: 160 })).toMatchObject({
      width: 160,
      height: 50,
    });
    expect(await decode(await detailed(100, 640).png().toBuffer(), { maxSide: 4096 })).toMatchObject({ width: 100 });
  });

  it('reads HEVC, rotated by its container', async () => {
    const picture = await decode(TURNED_HEIC);
    expect(picture).toMatchObject({ width: 64, height: 64, alpha: null });
    const { topLeft, topRight, bottomRight, bottomLeft } = CORNERS;
    const turned = { topLeft: topRight, topRight: bottomRight, bottomRight: bottomLeft, bottomLeft: topLeft };
    expect(distance(fieldsOf(picture), turned)).toBeLessThan(12);
    expect(await rejectionOf(TURNED_HEIC.subarray(0, -20))).toBe('uploads.undecodable');
  });

  it('rejects false HEVC as damaged', async () => {
    const avif = await quadrants().avif({ effort: 0 }).toBuffer();
    const pretending = Buffer.from(
      avif.toString('latin1').replaceAll('av01', 'hvc1').replace('avif', 'heic'),
      'latin1',
    );
    expect(await rejectionOf(pretending)).toBe('uploads.undecodable');
  });
});

describe('a JPEG without its end marker', () => {
  it.each([3, 10, 40, 150])('that lacks %d more bytes is rejected', async (bytes) => {
    // 4:4:4: affects only the last row of blocks.
    const file = await detailed().jpeg({ chromaSubsampling: '4:4:4' }).toBuffer();
    expect(await rejectionOf(file.subarray(0, -2))).toBe('accepted');
    expect(await rejectionOf(file.subarray(0, -2 - bytes))).toBe('uploads.undecodable');
  });
});

describe('a JPEG with a false size', () => {
  it.each([false, true])('whose data is too short for its blocks is rejected: progressive %s', async (progressive) => {
    const file = await detailed().jpeg({ progressive }).toBuffer();
    const frame = file.indexOf(Buffer.from([0xff, progressive ? 0xc2 : 0xc0]));
    file.writeUInt16BE(5_000, frame + 5);
    file.writeUInt16BE(5_000, frame + 7);
    expect(await rejectionOf(file)).toBe('uploads.undecodable');
  });

  it('of one color is accepted', async () => {
    const file = await sharp({ create: { width: 3_000, height: 3_000, channels: 3, background: 'gray' } })
      .jpeg({ progressive: true })
      .toBuffer();
    expect(await rejectionOf(file)).toBe('accepted');
  });
});
