import { DEFAULT_PIPELINE, type Recipe } from '@clearframe/contract';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { CORNERS, deepSamples, detailed, distance, fieldsOf, fileOf, quadrants } from '../test/pictures.js';
import { canvasOf, encodeImage, verifyEncoded } from './encode.js';
import { parseExif, withoutLocation } from './exif.js';
import { type FileMetadata, xmpOf } from './file-metadata.js';
import { decodePicture, probeImage } from './formats/decode.js';
import type { Picture } from './picture.js';
import { encodeRendition, type FlatSpec, watermarked } from './rendition.js';

const RECIPE: Recipe = {
  version: 1,
  aiPipeline: DEFAULT_PIPELINE,
  models: [{ id: 'a<b', version: '1', sha256: 'f'.repeat(64) }],
};
const NOTHING: FileMetadata = { icc: null, exif: null, xmp: null };
const PLAIN: FlatSpec = { contentType: 'image/png', jpegQuality: 90, watermark: false, maxSide: null };
const FORMATS = ['image/jpeg', 'image/png', 'image/tiff'] as const;

const pictureOf = async (bytes: Uint8Array, keepDepth = false): Promise<Picture> =>
  decodePicture(await probeImage(await fileOf(bytes)), {
    maxSide: 2048,
    keepDepth,
  });

/** Rotated, with location and much EXIF. */
const phonePhoto = () =>
  quadrants()
    .withExif({
      IFD0: { Make: 'Maker', Model: 'Camera 1', Copyright: 'Someone', Orientation: '6' },
      IFD2: { DateTimeOriginal: '2024:05:06 07:08:09', ExposureTime: '1/250', UserComment: 'hello' },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1' },
    })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();

async function exifIn(bytes: Buffer) {
  const { exif, format } = await sharp(bytes).metadata();
  return parseExif(format === 'tiff' ? bytes : (exif ?? Buffer.alloc(0)));
}

const textOf = (entries: readonly { tag: number; value: Buffer }[] | undefined, tag: number): string | undefined =>
  entries
    ?.find((entry) => entry.tag === tag)
    ?.value.toString('latin1')
    .replaceAll('\0', '');

describe('encoding', () => {
  it.each(FORMATS)('%s contains the profile, EXIF and recipe', async (contentType) => {
    const source = await pictureOf(
      await quadrants()
        .withIccProfile('p3')
        .withExif({ IFD0: { Make: 'Maker' } })
        .png()
        .toBuffer(),
    );
    const metadata = { ...source.metadata, xmp: xmpOf(RECIPE) };
    const { bytes } = await encodeImage(canvasOf(source), { contentType, jpegQuality: 100 }, metadata);
    const found = await sharp(bytes).metadata();
    expect(found.icc?.equals(source.metadata.icc ?? Buffer.alloc(0))).toBe(true);
    expect(found.xmp?.toString()).toContain('cf:sha256="ffff');
    expect(found.xmp?.toString()).toContain('cf:id="a&lt;b"');
    expect(textOf((await exifIn(bytes))?.image, 0x010f)).toBe('Maker');
    const again = await pictureOf(bytes);
    expect(distance(fieldsOf(again), fieldsOf(source))).toBeLessThan(4);
  });

  it.each(FORMATS)('%s loses only location, thumbnail and orientation', async (contentType) => {
    const source = await pictureOf(await phonePhoto());
    const exif = source.metadata.exif;
    const order = { contentType, jpegQuality: 90 as const };
    const kept = await encodeImage(canvasOf(source), order, { ...NOTHING, exif });
    expect((await exifIn(kept.bytes))?.gps.length).toBeGreaterThan(0);
    const { bytes } = await encodeImage(canvasOf(source), order, { ...NOTHING, exif: exif && withoutLocation(exif) });
    const found = await exifIn(bytes);
    expect(found?.gps).toEqual([]);
    expect(textOf(found?.image, 0x0110)).toBe('Camera 1');
    expect(textOf(found?.image, 0x8298)).toBe('Someone');
    expect(textOf(found?.photo, 0x9003)).toBe('2024:05:06 07:08:09');
    const header = await sharp(bytes).metadata();
    expect(header.orientation ?? 1).toBe(1);
    expect([header.width, header.height]).toEqual([48, 64]);
  });

  it('splits a profile that is too long for one JPEG segment', async () => {
    const icc = Buffer.alloc(150_000, 1);
    const { bytes } = await encodeImage(
      canvasOf(await pictureOf(await quadrants().png().toBuffer())),
      { contentType: 'image/jpeg', jpegQuality: 90 },
      { ...NOTHING, icc },
    );
    expect((await sharp(bytes).metadata()).icc?.equals(icc)).toBe(true);
  });

  it.each(FORMATS)('is deterministic: %s', async (contentType) => {
    const make = async () => {
      const picture = await pictureOf(await phonePhoto());
      const order = { ...PLAIN, contentType, watermark: true };
      return (await encodeRendition(picture, order, { ...picture.metadata, xmp: xmpOf(RECIPE) })).bytes;
    };
    expect((await make()).equals(await make())).toBe(true);
  });

  it('keeps 16 bits and transparency in PNG and TIFF', async () => {
    const samples = deepSamples(16 * 16 * 4);
    const file = await sharp(samples, { raw: { width: 16, height: 16, channels: 4 } })
      .toColourspace('rgb16')
      .png()
      .toBuffer();
    const picture = await pictureOf(file, true);
    for (const contentType of ['image/png', 'image/tiff'] as const) {
      const { bytes } = await encodeRendition(picture, { ...PLAIN, contentType }, NOTHING);
      const again = await pictureOf(bytes, true);
      expect(again.rgb).toEqual(picture.rgb);
      expect(again.alpha).toEqual(picture.alpha);
    }
  });

  it('flattens transparent pictures onto white in JPEG', async () => {
    const picture = await pictureOf(await quadrants().ensureAlpha(0).png().toBuffer());
    const { bytes } = await encodeRendition(picture, { ...PLAIN, contentType: 'image/jpeg' }, NOTHING);
    expect(Math.min(...(await pictureOf(bytes)).rgb)).toBe(255);
  });

  it('subsamples chroma at 90 and not at 100, in one scan', async () => {
    const canvas = canvasOf(await pictureOf(await quadrants().png().toBuffer()));
    for (const [jpegQuality, expected] of [
      [90, '4:2:0'],
      [100, '4:4:4'],
    ] as const) {
      const { bytes } = await encodeImage(canvas, { contentType: 'image/jpeg', jpegQuality }, NOTHING);
      expect(await sharp(bytes).metadata()).toMatchObject({ chromaSubsampling: expected, isProgressive: false });
    }
  });

  it('scales a rendition down to its limit', async () => {
    const picture = await pictureOf(await detailed(640, 200).png().toBuffer());
    const small = await encodeRendition(picture, { ...PLAIN, maxSide: 320 }, NOTHING);
    expect([small.width, small.height]).toEqual([320, 100]);
    const whole = await encodeRendition(picture, { ...PLAIN, maxSide: 1280 }, NOTHING);
    expect([whole.width, whole.height]).toEqual([640, 200]);
  });
});

describe('the watermark', () => {
  const plain = async (level: number, width = 400, height = 300) =>
    pictureOf(
      await sharp({ create: { width, height, channels: 3, background: { r: level, g: level, b: level } } })
        .png()
        .toBuffer(),
    );

  it.each([
    ['black', 0],
    ['gray', 128],
    ['white', 255],
  ])('is visible everywhere on %s and hides little', async (_, level) => {
    const picture = await plain(level);
    const { bytes } = await encodeRendition(picture, { ...PLAIN, watermark: true }, NOTHING);
    const marked = (await pictureOf(bytes)).rgb;
    const touched = Array.from(marked, (value) => Math.abs(value - level) > 12);
    const share = touched.filter(Boolean).length / touched.length;
    expect(share).toBeGreaterThan(0.02);
    expect(share).toBeLessThan(0.35);
    for (const [left, top] of [
      [0, 0],
      [200, 0],
      [0, 150],
      [200, 150],
    ] as const) {
      const quarter = await sharp(bytes).extract({ left, top, width: 200, height: 150 }).grayscale().raw().toBuffer();
      expect(quarter.some((value) => Math.abs(value - level) > 12)).toBe(true);
    }
  });

  it('scales with the picture', async () => {
    const shareOf = async (width: number, height: number) => {
      const { bytes } = await encodeRendition(await plain(0, width, height), { ...PLAIN, watermark: true }, NOTHING);
      const { rgb } = await pictureOf(bytes);
      return rgb.filter((value) => value > 12).length / rgb.length;
    };
    const [small, large] = [await shareOf(800, 600), await shareOf(2400, 1800)];
    expect(large / small).toBeGreaterThan(0.6);
    expect(large / small).toBeLessThan(1.6);
  });

  it.each([
    [1, 1],
    [3, 200],
    [40, 40],
  ])('fits a picture of %d x %d', async (width, height) => {
    const marked = await encodeRendition(await plain(90, width, height), { ...PLAIN, watermark: true }, NOTHING);
    expect([marked.width, marked.height]).toEqual([width, height]);
  });

  it.each([
    [301, 203],
    [40, 900],
    [900, 40],
  ])('is the same on an opaque picture of %d x %d as on one with transparency', async (width, height) => {
    const picture = await plain(90, width, height);
    const face = { x: 0.1, y: 0.2, width: 0.5, height: 0.6 };
    const pixelsOf = async (of: typeof picture) => (await watermarked(of, [face])).image.removeAlpha().raw().toBuffer();
    const [opaque, other] = [
      await pixelsOf(picture),
      await pixelsOf({ ...picture, alpha: new Uint8Array(width * height).fill(255) }),
    ];
    expect(opaque.length).toBe(other.length);
    // libvips cuts fractions off, twice on faces.
    expect(opaque.every((value, at) => Math.abs(value - (other[at] ?? 0)) <= 2)).toBe(true);
    expect(opaque.some((value) => value > 120)).toBe(true);
  });

  it('is absent from a clean rendition', async () => {
    const picture = await pictureOf(await quadrants().png().toBuffer());
    const { bytes } = await encodeRendition(picture, PLAIN, NOTHING);
    expect(distance(fieldsOf(await pictureOf(bytes)), CORNERS)).toBe(0);
  });
});

describe('the mark of an algorithm', () => {
  const marked = (change: Partial<Recipe>) =>
    xmpOf({ ...RECIPE, ...change })
      .toString()
      .includes('DigitalSourceType');

  it('is on changed and enlarged pictures only', () => {
    expect(marked({})).toBe(true);
    expect(marked({ leftAlone: ['background_enhance'] })).toBe(true);
    const untouched = { leftAlone: ['background_enhance', 'face_enhance'] } satisfies Partial<Recipe>;
    expect(marked(untouched)).toBe(false);
    expect(marked({ ...untouched, enlargedBy: 2 })).toBe(true);
    expect(marked({ isUntouched: true })).toBe(false);
    expect(marked({ aiPipeline: {} })).toBe(false);
  });
});

const SIZE = { width: 640, height: 480 };
const picture = () => detailed(SIZE.width, SIZE.height);
const FILES = [
  ['image/jpeg', await picture().jpeg({ progressive: true }).toBuffer()],
  ['image/png', await picture().png().toBuffer()],
  ['image/tiff', await picture().tiff({ compression: 'lzw', predictor: 'horizontal' }).toBuffer()],
  ['image/webp', await picture().webp().toBuffer()],
] as const;

describe('verifyEncoded', () => {
  it.each(FILES)('accepts a complete %s of its size and format only', async (contentType, bytes) => {
    await expect(verifyEncoded(bytes, contentType, SIZE)).resolves.toBeUndefined();
    await expect(verifyEncoded(bytes, contentType, { ...SIZE, height: 481 })).rejects.toThrow('another size');
    const other = contentType === 'image/png' ? 'image/jpeg' : 'image/png';
    await expect(verifyEncoded(bytes, other, SIZE)).rejects.toThrow('format');
  });

  it.each(FILES)('rejects a %s that is damaged near its start or cut off', async (contentType, bytes) => {
    const damaged = Buffer.from(bytes);
    // TIFF has no checksums: codes of LZW that were never defined are found.
    damaged.fill(0xff, Math.floor(bytes.length * 0.2), Math.floor(bytes.length * 0.3));
    await expect(verifyEncoded(damaged, contentType, SIZE)).rejects.toThrow();
    await expect(verifyEncoded(bytes.subarray(0, bytes.length / 2), contentType, SIZE)).rejects.toThrow();
  });
});
