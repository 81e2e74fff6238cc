import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { decode } from '../test/decoding.js';
import { deepSamples, detailed, distance, fieldsOf, quadrants } from '../test/pictures.js';
import { encodeDisplay } from './display.js';

const CLEAN = { watermark: false, maxSide: null };

async function sizesOf({ display, medium, thumbnail }: Awaited<ReturnType<typeof encodeDisplay>>) {
  const files = await Promise.all([display, medium, thumbnail].map(({ bytes }) => sharp(bytes).metadata()));
  return files.map(({ width, height }) => [width, height]);
}

describe('a display file', () => {
  it('is a progressive JPEG of at most 2048 pixels with a WebP of at most 1024 and a thumbnail of at most 400', async () => {
    const picture = await decode(await detailed(2400, 1200).png().toBuffer(), { maxSide: 4096 });
    const encoded = await encodeDisplay(picture, CLEAN);
    expect(await sizesOf(encoded)).toEqual([
      [2048, 1024],
      [1024, 512],
      [400, 200],
    ]);
    expect(encoded.display).toMatchObject({ contentType: 'image/jpeg', width: 2048, height: 1024 });
    expect(await sharp(encoded.display.bytes).metadata()).toMatchObject({ format: 'jpeg', isProgressive: true });
    expect(encoded.medium).toMatchObject({ contentType: 'image/webp', width: 1024, height: 512 });
  });

  it('is no larger than its order and the picture', async () => {
    const picture = await decode(await detailed(1600, 800).png().toBuffer());
    expect(await sizesOf(await encodeDisplay(picture, { ...CLEAN, maxSide: 1280 }))).toEqual([
      [1280, 640],
      [1024, 512],
      [400, 200],
    ]);
    const small = await decode(await detailed(120, 90).png().toBuffer());
    expect(await sizesOf(await encodeDisplay(small, CLEAN))).toEqual([
      [120, 90],
      [120, 90],
      [120, 90],
    ]);
  });

  it('keeps the profile, and neither EXIF nor the location', async () => {
    const photo = await quadrants(640, 480)
      .withIccProfile('p3')
      .withExif({ IFD0: { Make: 'Maker' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1' } })
      .jpeg({ quality: 100 })
      .toBuffer();
    const picture = await decode(photo);
    expect(picture.metadata.exif?.gps.length).toBeGreaterThan(0);
    const { display, medium, thumbnail } = await encodeDisplay(picture, CLEAN);
    for (const { bytes } of [display, medium, thumbnail]) {
      const { exif, xmp, icc } = await sharp(bytes).metadata();
      expect([exif, xmp]).toEqual([undefined, undefined]);
      expect(icc?.equals(picture.metadata.icc ?? Buffer.alloc(0))).toBe(true);
    }
    for (const { bytes } of [display, medium])
      expect(distance(fieldsOf(await decode(bytes)), fieldsOf(picture))).toBeLessThan(6);
  });

  it('is WebP with alpha and profile for a transparent picture of 16 bits', async () => {
    const [width, height] = [500, 300];
    const deep = await sharp(deepSamples(width * height * 4), { raw: { width, height, channels: 4 } })
      .toColourspace('rgb16')
      .png()
      .toBuffer();
    const { metadata } = await decode(await quadrants().withIccProfile('p3').png().toBuffer());
    const picture = { ...(await decode(deep, { keepDepth: true })), metadata };
    expect(picture.rgb).toBeInstanceOf(Uint16Array);
    const { display, thumbnail } = await encodeDisplay(picture, CLEAN);
    expect([display.contentType, thumbnail.contentType]).toEqual(['image/webp', 'image/webp']);
    const found = await sharp(display.bytes).metadata();
    expect(found).toMatchObject({ format: 'webp', width, height, hasAlpha: true });
    expect(found.icc?.equals(metadata.icc ?? Buffer.alloc(0))).toBe(true);
  });

  it.each([
    ['opaque', 1],
    ['transparent', 0.5],
  ])('has the watermark in every file when %s', async (_, alpha) => {
    const background = { r: 128, g: 128, b: 128, alpha };
    const gray = sharp({ create: { width: 800, height: 600, channels: 4, background } });
    const picture = await decode(await gray.png().toBuffer());
    const spread = async (bytes: Buffer) => (await sharp(bytes).stats()).channels[0]?.stdev ?? 0;
    const marked = await encodeDisplay(picture, { ...CLEAN, watermark: true });
    for (const { bytes } of [marked.display, marked.medium, marked.thumbnail])
      expect(await spread(bytes)).toBeGreaterThan(1);
    const clean = await encodeDisplay(picture, CLEAN);
    for (const { bytes } of [clean.display, clean.medium, clean.thumbnail]) expect(await spread(bytes)).toBeLessThan(1);
  });

  it('has no watermark on faces, in every file', async () => {
    const background = { r: 128, g: 128, b: 128 };
    const gray = sharp({ create: { width: 800, height: 600, channels: 3, background } });
    const picture = await decode(await gray.png().toBuffer());
    const face = { x: 0.5, y: 0.1, width: 0.3, height: 0.5 };
    const { display, medium, thumbnail } = await encodeDisplay(picture, { ...CLEAN, watermark: true }, [face]);
    for (const { bytes, width, height } of [display, medium, thumbnail]) {
      const spread = async (x: number, y: number, share: number) => {
        const part = await sharp(bytes)
          .extract({
            left: Math.round(x * width),
            top: Math.round(y * height),
            width: Math.round(share * width),
            height: Math.round(share * height),
          })
          .toBuffer();
        return (await sharp(part).stats()).channels[0]?.stdev ?? 0;
      };
      expect(await spread(0.57, 0.25, 0.16)).toBeLessThan(1);
      expect(await spread(0, 0.3, 0.4)).toBeGreaterThan(1);
      expect(await spread(0.5, 0.65, 0.3)).toBeGreaterThan(1);
    }
  });

  it('keeps some watermark on a face that fills the picture', async () => {
    const gray = sharp({ create: { width: 600, height: 600, channels: 3, background: { r: 128, g: 128, b: 128 } } });
    const picture = await decode(await gray.png().toBuffer());
    const markedShare = async (faces: Parameters<typeof encodeDisplay>[2]) => {
      const { display } = await encodeDisplay(picture, { ...CLEAN, watermark: true }, faces);
      const samples = await sharp(display.bytes).grayscale().raw().toBuffer();
      return samples.filter((value) => Math.abs(value - 128) > 8).length / samples.length;
    };
    const face = { x: 0, y: 0, width: 1, height: 1 };
    expect(await markedShare([face, face])).toBeGreaterThan(0.4 * (await markedShare([])));
  });
});
