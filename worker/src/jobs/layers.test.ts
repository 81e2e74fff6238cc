import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LayeredContentType } from '@clearframe/contract';
import { type IMagickImage, ImageMagick, initializeImageMagick, MagickImageCollection } from '@imagemagick/magick-wasm';
import type { Psd } from 'ag-psd';
import sharp, { type Sharp } from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { canvasOf } from '../image/encode.js';
import { parseExif } from '../image/exif.js';
import { decodePicture, decodeToFile, probeImage } from '../image/formats/decode.js';
import { watermarked } from '../image/rendition.js';
import { documentIn, readDocument } from '../test/documents.js';
import { deepSamples, detailed, fileOf } from '../test/pictures.js';
import { encodeLayers } from './layers.js';

const { signal } = new AbortController();
const PSD = 'image/vnd.adobe.photoshop';
const TIFF = 'image/tiff;application=photoshop';
const FORMATS = [PSD, TIFF] as const;
const NOTHING = { icc: null, exif: null, xmp: null };

let folder: string;
beforeAll(async () => {
  await initializeImageMagick(
    await readFile(createRequire(import.meta.url).resolve('@imagemagick/magick-wasm/magick.wasm')),
  );
  folder = await mkdtemp(join(tmpdir(), 'clearframe-layers-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const opened = async (picture: Sharp) => probeImage(await fileOf(await picture.png().toBuffer()));

const writing = (picture: Sharp) => async (path: string, maxSide: number) => {
  const { pixels } = await decodeToFile(await opened(picture), path, { maxSide, hasAlpha: false });
  return pixels;
};

async function pictureOf(picture: Sharp) {
  return decodePicture(await opened(picture), { maxSide: 100_000, keepDepth: true });
}

/** Changes the right half by some levels. */
async function restored(picture: Sharp, levels: number): Promise<Sharp> {
  const { data, info } = await picture.clone().raw().toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  const changed = data.map((value, at) => {
    const isChanged = Math.floor(at / channels) % width >= width / 2 && at % channels < 3;
    return isChanged ? (value < 128 ? value + levels : value - levels) : value;
  });
  return sharp(changed, { raw: { width, height, channels } });
}

const encoded = async (
  contentType: LayeredContentType,
  original: Sharp,
  result: Sharp,
  metadata: Parameters<typeof encodeLayers>[0]['metadata'] = NOTHING,
) =>
  encodeLayers(
    { contentType, view: canvasOf(await pictureOf(result)), writeOriginal: writing(original), metadata },
    folder,
    signal,
  );

const layered = async (...order: Parameters<typeof encoded>) => documentOf(await encoded(...order));

async function documentOf({ path, sizeBytes, contentType, width, height }: Awaited<ReturnType<typeof encodeLayers>>) {
  const bytes = await readFile(path);
  expect(bytes.length).toBe(sizeBytes);
  const { children = [], ...document } = readDocument(
    contentType === TIFF ? documentIn(bytes, { width, height }) : bytes,
  );
  const [bottom, top] = children;
  if (!bottom?.imageData || !top?.imageData || !top.mask?.imageData || !document.imageData)
    throw new Error('incomplete');
  return {
    bytes,
    document,
    bottom,
    top,
    merged: contentType === TIFF ? await rgbaOf(sharp(bytes, { ignoreIcc: true })) : document.imageData.data,
    original: bottom.imageData.data,
    restored: top.imageData.data,
    // ag-psd repeats gray as red, green and blue.
    mask: top.mask.imageData.data.filter((_, at) => at % 4 === 0),
  };
}

type Pixels = ArrayLike<number>;

/** What a program shows of the layers. */
function composed({ original, restored: above, mask }: { original: Pixels; restored: Pixels; mask: Pixels }): Pixels {
  return Float32Array.from(original, (own, at) => {
    const opacity = at % 4 === 3 ? 0 : (mask[at >> 2] ?? 0) / 255;
    return own + ((above[at] ?? 0) - own) * opacity;
  });
}

function readByImageMagick(bytes: Buffer) {
  const rgbaIn = (image: IMagickImage) =>
    image.getPixels((pixels) => Uint8Array.from(pixels.toByteArray(0, 0, image.width, image.height, 'RGBA') ?? []));
  const images = MagickImageCollection.create();
  images.read(bytes);
  const sizes = images.map(({ width, height }) => [width, height]);
  images.shift();
  return {
    sizes,
    labels: images.map(({ label }) => label),
    merged: ImageMagick.read(bytes, rgbaIn),
    composition: images.flatten(rgbaIn),
  };
}

async function dataOf({ imageResources }: Psd, bytes: Buffer) {
  if (imageResources)
    return { xmp: imageResources.xmpMetadata, density: imageResources.resolutionInfo?.horizontalResolution };
  const { xmp, density } = await sharp(bytes).metadata();
  return { xmp: xmp?.toString(), density };
}

const rgbaOf = (picture: Sharp): Promise<Buffer> => picture.clone().ensureAlpha().raw().toBuffer();

function mostDifferent(one: Pixels, other: Pixels): number {
  expect(one.length).toBe(other.length);
  let most = 0;
  for (let at = 0; at < one.length; at++) most = Math.max(most, Math.abs((one[at] ?? 0) - (other[at] ?? 0)));
  return most;
}

describe.each(FORMATS)('a result as %s', (format) => {
  it('has both pictures as layers, whose composition is the result', async () => {
    const original = detailed(301, 203);
    const result = await restored(original, 3);
    const document = await layered(format, original, result);
    expect(document.document).toMatchObject({ width: 301, height: 203, bitsPerChannel: 8 });
    const { bottom, top } = document;
    expect([bottom.name, top.name, bottom.mask, top.hidden, top.opacity]).toEqual([
      'Original',
      'Restored',
      undefined,
      false,
      1,
    ]);
    expect(mostDifferent(document.original, await rgbaOf(original))).toBe(0);
    expect(mostDifferent(document.restored, await rgbaOf(result))).toBe(0);
    expect(mostDifferent(document.merged, await rgbaOf(result))).toBe(0);
    expect(mostDifferent(composed(document), await rgbaOf(result))).toBeLessThanOrEqual(1);
    const at = (column: number) => document.mask[100 * 301 + column];
    expect([at(0), at(142), at(151), at(300)]).toEqual([0, 0, 255, 255]);
    expect(at(147)).toBeGreaterThan(0);
    expect(at(147)).toBeLessThan(255);
  });

  it('is read alike by ImageMagick, in layers and as one picture', async () => {
    const original = detailed(120, 80);
    const result = await restored(original, 40);
    const { bytes } = await layered(format, original, result);
    const { sizes, labels, merged, composition } = readByImageMagick(bytes);
    expect(sizes).toEqual([
      [120, 80],
      [120, 80],
      [120, 80],
    ]);
    expect(labels).toEqual(['Original', 'Restored']);
    expect(mostDifferent(merged, await rgbaOf(result))).toBe(0);
    expect(mostDifferent(composition, await rgbaOf(result))).toBeLessThanOrEqual(1);
  });

  it('has the profile, the resolution, EXIF and XMP', async () => {
    const source = await sharp(await detailed(40, 30).png().toBuffer())
      .withIccProfile('p3')
      .withExif({ IFD0: { Copyright: 'Ada' } })
      .withMetadata({ density: 300 })
      .jpeg()
      .toBuffer()
      .then((bytes) => sharp(bytes).metadata());
    const [icc = null, exif] = [source.icc, source.exif && parseExif(source.exif)];
    const xmp = Buffer.from('<x:xmpmeta xmlns:x="adobe:ns:meta/"/>');
    const { document, bytes } = await layered(format, detailed(40, 30), detailed(40, 30), {
      icc,
      exif: exif ?? null,
      xmp,
    });
    expect(await dataOf(document, bytes)).toEqual({ xmp: xmp.toString(), density: 300 });
    const again = await (await probeImage(await fileOf(bytes))).open();
    expect(icc && again.icc?.equals(icc)).toBe(true);
    expect(again.exif?.image.some(({ value }) => value.toString().startsWith('Ada'))).toBe(true);
    expect(again.exif?.photo.length).toBeGreaterThan(0);
    const plain = await layered(format, detailed(40, 30), detailed(40, 30));
    expect(await dataOf(plain.document, plain.bytes)).toEqual({ xmp: undefined, density: 72 });
  });

  it('is whole in several strips, beyond 30,000 pixels, and of one column', async () => {
    for (const [width, height] of [
      [400, 2600],
      [30_001, 2],
      [66_000, 2],
      [1, 400],
      [1, 1],
    ] as const) {
      const original = detailed(width, height);
      const result = await restored(original, 9);
      const wanted = await rgbaOf(result);
      if (format === TIFF && width > 30_000) {
        // ag-psd refuses the size.
        const { merged, composition } = readByImageMagick(
          await readFile((await encoded(format, original, result)).path),
        );
        expect(mostDifferent(merged, wanted)).toBe(0);
        expect(mostDifferent(composition, wanted)).toBeLessThanOrEqual(1);
        continue;
      }
      const document = await layered(format, original, result);
      expect(mostDifferent(document.merged, wanted)).toBe(0);
      expect(mostDifferent(composed(document), wanted)).toBeLessThanOrEqual(1);
    }
  });

  it('compares an enlarged result with the enlarged original', async () => {
    const gray = (width: number, height: number) =>
      sharp(Buffer.alloc(width * height * 3, 90), { raw: { width, height, channels: 3 } });
    const { bottom, mask, original } = await layered(format, gray(30, 20), gray(120, 80));
    expect([bottom.right, bottom.bottom, Math.max(...mask), original.length]).toEqual([120, 80, 0, 120 * 80 * 4]);
  });

  it('covers nothing of an untouched picture, also of 16 bits', async () => {
    const deep = sharp(deepSamples(64 * 48 * 3), { raw: { width: 64, height: 48, channels: 3 } }).toColourspace(
      'rgb16',
    );
    for (const picture of [detailed(64, 48), deep]) {
      const { mask, merged, original } = await layered(format, picture, picture);
      expect(mask.every((value) => value === 0)).toBe(true);
      expect(mostDifferent(merged, original)).toBe(0);
    }
  });

  it('has the transparency of the original in both layers', async () => {
    const alpha = Buffer.from(Array.from({ length: 60 * 40 }, (_, pixel) => (pixel % 60) * 4));
    const original = sharp(
      await detailed(60, 40)
        .joinChannel(alpha, { raw: { width: 60, height: 40, channels: 1 } })
        .png()
        .toBuffer(),
    );
    const document = await layered(format, original, await restored(original, 20));
    const transparency = (rgba: Pixels) => Array.from(rgba).filter((_, at) => at % 4 === 3);
    expect(transparency(document.original)).toEqual([...alpha]);
    expect(transparency(document.merged)).toEqual([...alpha]);
    expect(document.top.clipping).toBe(true);
    const wanted = await rgbaOf(await restored(original, 20));
    expect(mostDifferent(composed(document), wanted)).toBeLessThanOrEqual(1);
    const again = await decodePicture(await probeImage(await fileOf(document.bytes)), {
      maxSide: 100,
      keepDepth: false,
    });
    expect(again.alpha && mostDifferent(again.alpha, alpha)).toBe(0);
  });

  it('has the watermark wherever a picture of the same rights has it', async () => {
    const original = detailed(400, 300);
    const result = await restored(original, 30);
    const view = await watermarked(await pictureOf(result));
    const marked = await view.image.clone().ensureAlpha().raw().toBuffer();
    const sources = { contentType: format, view, writeOriginal: writing(original), metadata: NOTHING };
    const document = await documentOf(await encodeLayers(sources, folder, signal));
    expect(mostDifferent(document.restored, marked)).toBe(0);
    expect(mostDifferent(document.merged, marked)).toBe(0);
    expect(mostDifferent(document.original, await rgbaOf(original))).toBe(0);
    expect(mostDifferent(marked, await rgbaOf(result))).toBeGreaterThan(8);
  });
});
