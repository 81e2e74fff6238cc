import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type JobPayload,
  objectKeys,
  RECIPE_VERSION,
  type renderImage,
  tileLevelsOf,
  tileNumberOf,
} from '@clearframe/contract';
import { ObjectStore, openObjectStore, StorageConfig } from '@clearframe/runtime/storage';
import { writePsdBuffer } from 'ag-psd';
import { pino } from 'pino';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Metrics } from '../platform/metrics.js';
import { testDecoders } from '../test/decoders.js';
import { documentIn, readDocument } from '../test/documents.js';
import { deepSamples, detailed, TURNED_HEIC } from '../test/pictures.js';
import { RenderImageHandler } from './render-image.handler.js';

type Payload = JobPayload<typeof renderImage>;

let folder: string;
let store: ObjectStore;
let handler: RenderImageHandler;
const decoders = testDecoders();
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clearframe-render-'));
  store = await openObjectStore(new StorageConfig({ driver: 'disk', root: folder }));
  handler = new RenderImageHandler(store, decoders, new Metrics());
});
afterAll(async () => {
  await decoders.onApplicationShutdown();
  await rm(folder, { recursive: true, force: true });
});

const recipe = { version: RECIPE_VERSION, aiPipeline: { faceEnhance: { model: 'base' } }, models: [] } as const;
const clean = { contentType: 'image/jpeg', jpegQuality: 100, watermark: false, maxSide: null } as const;
const display = { ...clean, jpegQuality: 90, maxSide: 2048, use: 'display' } as const;

async function photoshop(): Promise<Uint8Array> {
  const [width, height] = [300, 200];
  const data = new Uint8ClampedArray(await detailed(width, height).ensureAlpha(1).raw().toBuffer());
  return writePsdBuffer({ width, height, imageData: { width, height, data } });
}

const deepTransparent = (): Promise<Uint8Array> =>
  sharp(deepSamples(300 * 200 * 4), { raw: { width: 300, height: 200, channels: 4 } })
    .toColourspace('rgb16')
    .png()
    .toBuffer();

async function render(bytes: Buffer | null, change: Partial<Payload> = {}) {
  const taskId = randomUUID();
  const payload: Payload = {
    subjectId: taskId,
    runId: randomUUID(),
    sourceKey: objectKeys.master(taskId, randomUUID()),
    rendition: clean,
    recipe: { ...recipe, models: [] },
    keepLocation: false,
    ...change,
  };
  if (bytes) await store.put(payload.sourceKey, bytes);
  const result = await handler.handle(payload, {
    signal: new AbortController().signal,
    log: pino({ level: 'silent' }),
    progress: () => undefined,
  });
  return { result, bytes: await readFile((await store.fetch(result.key)).path), payload };
}

describe('rendering a file from a stored picture', () => {
  it('keeps every pixel of a master and writes the recipe', async () => {
    const master = await detailed(300, 200).png().toBuffer();
    const { result, bytes, payload } = await render(master, { rendition: { ...clean, contentType: 'image/tiff' } });
    expect(result).toEqual({
      key: objectKeys.rendition(payload.subjectId, payload.runId, 'rendition', 'image/tiff'),
      contentType: 'image/tiff',
      width: 300,
      height: 200,
      sizeBytes: bytes.length,
      hasWatermark: false,
    });
    expect(await sharp(bytes).raw().toBuffer()).toEqual(await sharp(master).raw().toBuffer());
    expect((await sharp(bytes).metadata()).xmp?.toString()).toContain('face');
  });

  it('keeps 16 bits in formats that have them', async () => {
    const deep = await detailed(64, 64).toColourspace('rgb16').png().toBuffer();
    const { bytes } = await render(deep, { rendition: { ...clean, contentType: 'image/png' } });
    expect((await sharp(bytes).metadata()).depth).toBe('ushort');
    const { bytes: jpeg } = await render(deep);
    expect((await sharp(jpeg).metadata()).depth).toBe('uchar');
  });

  it('watermarks and scales down on request', async () => {
    const rendition = { ...clean, watermark: true, maxSide: 100 };
    const { result } = await render(await detailed(400, 300).png().toBuffer(), { rendition });
    expect(result).toMatchObject({ hasWatermark: true, width: 100, height: 75 });
  });

  it.each(['image/jpeg', 'image/png', 'image/tiff'] as const)('encodes a large master as %s', async (contentType) => {
    const icc = await sharp(await detailed(8, 8).withIccProfile('p3').png().toBuffer())
      .metadata()
      .then((header) => header.icc);
    const master = await detailed(4200, 60).withIccProfile('p3').png().toBuffer();
    const plain = await sharp(master, { ignoreIcc: true }).raw().toBuffer();
    const { result, bytes } = await render(master, { rendition: { ...clean, contentType } });
    expect(result).toMatchObject({
      contentType,
      width: 4200,
      height: 60,
      sizeBytes: bytes.length,
      hasWatermark: false,
    });
    const header = await sharp(bytes).metadata();
    expect([header.icc?.equals(icc ?? Buffer.alloc(0)), header.xmp?.toString().includes('face')]).toEqual([true, true]);
    const written = await sharp(bytes, { ignoreIcc: true }).raw().toBuffer();
    const difference = written.reduce((most, value, at) => Math.max(most, Math.abs(value - (plain[at] ?? 0))), 0);
    expect(difference).toBeLessThanOrEqual(contentType === 'image/jpeg' ? 8 : 0);
    const { result: marked, bytes: other } = await render(master, {
      rendition: { ...clean, contentType, watermark: true },
    });
    expect(marked).toMatchObject({ width: 4200, hasWatermark: true });
    expect((await sharp(other, { ignoreIcc: true }).raw().toBuffer()).equals(written)).toBe(false);
  });

  it('makes a JPEG of an original, without a recipe', async () => {
    const { bytes } = await render(await detailed(80, 60).tiff().toBuffer(), { recipe: null });
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'jpeg', width: 80 });
    expect((await sharp(bytes).metadata()).xmp).toBeUndefined();
  });

  it.each<[string, () => Promise<Uint8Array>, object]>([
    ['a HEIC', async () => TURNED_HEIC, { contentType: 'image/jpeg', width: 64, height: 64 }],
    ['a Photoshop document', photoshop, { contentType: 'image/jpeg', width: 300, height: 200 }],
    ['a TIFF', () => detailed(300, 200).tiff().toBuffer(), { contentType: 'image/jpeg', width: 300, height: 200 }],
    ['a deep PNG with alpha', deepTransparent, { contentType: 'image/webp', width: 300, height: 200 }],
    [
      'a large JPEG',
      () => detailed(2500, 50).jpeg().toBuffer(),
      { contentType: 'image/jpeg', width: 2048, height: 41 },
    ],
  ])('makes the files for pages of %s', async (_, original, expected) => {
    const bytes = Buffer.from(await original());
    const { result, payload } = await render(bytes, { rendition: display, recipe: null });
    expect(result).toMatchObject({ ...expected, hasWatermark: false });
    const { medium, thumbnail: small } = result;
    if (!medium || !small) throw new Error('a file is missing');
    expect(medium).toMatchObject({ contentType: 'image/webp', width: Math.min(result.width, 1024) });
    expect(small.width).toBe(Math.min(result.width, 400));
    for (const [image, name] of [
      [result, 'display'],
      [medium, 'medium'],
      [small, 'thumbnail'],
    ] as const) {
      const { subjectId, runId } = payload;
      expect(image.key).toBe(objectKeys.rendition(subjectId, runId, name, image.contentType));
      const stored = await readFile((await store.fetch(image.key)).path);
      expect(stored.length).toBe(image.sizeBytes);
      expect(await sharp(stored).metadata()).toMatchObject({ width: image.width, height: image.height });
    }
  });

  it('rejects a damaged original', async () => {
    const jpeg = await detailed().jpeg().toBuffer();
    const damaged = render(jpeg.subarray(0, jpeg.length / 2), { rendition: display, recipe: null });
    await expect(damaged).rejects.toMatchObject({ code: 'uploads.undecodable' });
  });

  it('is deterministic', async () => {
    const master = await detailed(120, 90).png().toBuffer();
    expect((await render(master)).bytes).toEqual((await render(master)).bytes);
  });

  it('reports a missing picture', async () => {
    await expect(render(null)).rejects.toMatchObject({ code: 'uploads.missing' });
  });
});

describe('a document with layers', () => {
  const psd = { ...clean, contentType: 'image/vnd.adobe.photoshop' } as const;
  const storedOriginal = async (bytes: Buffer) => {
    const originalKey = objectKeys.input(randomUUID());
    await store.put(originalKey, bytes);
    return originalKey;
  };
  const merged = async (bytes: Buffer) => {
    const data = readDocument(bytes, { skipLayerImageData: true }).imageData?.data;
    return Buffer.from((data ?? []).filter((_, at) => at % 4 !== 3));
  };

  it.each([
    ['a standard result', 300, 200],
    ['a result that memory should not hold', 4200, 60],
  ])('has the original and %s', async (_, width, height) => {
    const result = await detailed(width, height).png().toBuffer();
    const originalKey = await storedOriginal(await detailed(width, height).blur(2).jpeg().toBuffer());
    const { result: stored, bytes, payload } = await render(result, { originalKey, rendition: psd });
    expect(stored).toEqual({
      key: objectKeys.rendition(payload.subjectId, payload.runId, 'rendition', psd.contentType),
      contentType: psd.contentType,
      width,
      height,
      sizeBytes: bytes.length,
      hasWatermark: false,
    });
    expect(await merged(bytes)).toEqual(await sharp(result).raw().toBuffer());
    const { children = [], imageResources } = readDocument(bytes, {
      skipLayerImageData: true,
      skipCompositeImageData: true,
    });
    expect(children.map(({ name, right, bottom }) => [name, right, bottom])).toEqual([
      ['Original', width, height],
      ['Restored', width, height],
    ]);
    expect(imageResources?.xmpMetadata).toContain('face');
  });

  it('is a TIFF as well, whose page is the result', async () => {
    const result = await detailed(300, 200).png().toBuffer();
    const originalKey = await storedOriginal(await detailed(300, 200).blur(2).jpeg().toBuffer());
    const contentType = 'image/tiff;application=photoshop';
    const { result: stored, bytes } = await render(result, { originalKey, rendition: { ...psd, contentType } });
    expect(stored).toMatchObject({ contentType, width: 300, height: 200, sizeBytes: bytes.length });
    expect(stored.key).toMatch(/\.tif$/);
    expect(await sharp(bytes).raw().toBuffer()).toEqual(await sharp(result).raw().toBuffer());
    const { children = [] } = readDocument(documentIn(bytes, stored));
    expect(children.map(({ name }) => name)).toEqual(['Original', 'Restored']);
  });

  it('hides no clean or larger picture under a preview', async () => {
    const result = await detailed(400, 300).png().toBuffer();
    const originalKey = await storedOriginal(await detailed(400, 300).blur(2).png().toBuffer());
    const view = { watermark: true, maxSide: 200 };
    const png = await render(result, { rendition: { ...clean, ...view, contentType: 'image/png' } });
    const { result: stored, bytes } = await render(result, { originalKey, rendition: { ...psd, ...view } });
    expect(stored).toMatchObject({ hasWatermark: true, width: 200, height: 150 });
    const marked = await sharp(png.bytes).ensureAlpha().raw().toBuffer();
    const { children: [, top] = [] } = readDocument(bytes);
    expect(Buffer.from(top?.imageData?.data ?? []).equals(marked)).toBe(true);
    expect(await merged(bytes)).toEqual(await sharp(png.bytes).raw().toBuffer());
  });

  it('reports a damaged original', async () => {
    const jpeg = await detailed().jpeg().toBuffer();
    const originalKey = await storedOriginal(jpeg.subarray(0, jpeg.length / 2));
    const damaged = render(await detailed().png().toBuffer(), { originalKey, rendition: psd });
    await expect(damaged).rejects.toMatchObject({ code: 'uploads.undecodable' });
  });

  it('is deterministic', async () => {
    const result = await detailed(120, 90).png().toBuffer();
    const order = { originalKey: await storedOriginal(await detailed(60, 45).png().toBuffer()), rendition: psd };
    expect((await render(result, order)).bytes).toEqual((await render(result, order)).bytes);
  });
});

describe('a change map', () => {
  const photo = () => detailed(300, 200).removeAlpha();
  /** Turned by 90 degrees in its metadata, as a phone stores a portrait. */
  const turned = async () => (await photo().rotate(90)).withMetadata({ orientation: 8 }).png().toBuffer();

  it('is of the size of the result: black where it is the original, white from 32 levels on', async () => {
    const { data, info } = await photo().raw().toBuffer({ resolveWithObject: true });
    const change = (column: number) => (column < 100 ? 0 : column < 200 ? 8 : 60);
    const changed = data.map((value, at) => {
      const by = change(Math.floor(at / 3) % info.width);
      return value < 128 ? value + by : value - by;
    });
    const result = await sharp(changed, { raw: { width: 300, height: 200, channels: 3 } })
      .png()
      .toBuffer();
    for (const original of [await photo().png().toBuffer(), await turned()]) {
      const originalKey = objectKeys.input(randomUUID());
      await store.put(originalKey, original);
      const { result: stored, bytes } = await render(result, {
        originalKey,
        rendition: { ...clean, contentType: 'image/png', use: 'changes' },
      });
      expect(stored).toMatchObject({ contentType: 'image/png', width: 300, height: 200, hasWatermark: false });
      expect(await sharp(bytes).metadata()).toMatchObject({ channels: 1, depth: 'uchar' });
      const map = await sharp(bytes).toColourspace('b-w').raw().toBuffer({ resolveWithObject: true });
      expect([map.info.width, map.info.height, map.info.channels]).toEqual([300, 200, 1]);
      const at = (column: number) => map.data[100 * 300 + column] ?? -1;
      expect([at(50), at(250)]).toEqual([0, 255]);
      expect(at(150)).toBeGreaterThan(50);
      expect(at(150)).toBeLessThan(80);
    }
  });

  it('compares an enlarged result with the enlarged original', async () => {
    const originalKey = objectKeys.input(randomUUID());
    await store.put(
      originalKey,
      await sharp(Buffer.alloc(30 * 20 * 3, 90), { raw: { width: 30, height: 20, channels: 3 } })
        .png()
        .toBuffer(),
    );
    const enlarged = sharp(Buffer.alloc(120 * 80 * 3, 90), { raw: { width: 120, height: 80, channels: 3 } });
    const { bytes } = await render(await enlarged.png().toBuffer(), {
      originalKey,
      rendition: { ...clean, contentType: 'image/png', use: 'changes' },
    });
    const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
    expect([info.width, info.height, data.every((value) => value === 0)]).toEqual([120, 80, true]);
  });
});

describe('tiles of a large picture', () => {
  const tiles = { ...clean, jpegQuality: 90, use: 'tiles' } as const;

  /** The tile of a place, as the file has it. */
  function tileIn(
    file: Buffer,
    picture: { width: number; height: number },
    level: number,
    column: number,
    row: number,
  ) {
    const number = tileNumberOf(picture, { level, column, row }) ?? -1;
    return file.subarray(file.readUInt32LE(4 * number), file.readUInt32LE(4 * number + 4));
  }

  it.each([
    ['a master', {}],
    ['an original', { recipe: null }],
  ])('show each part of %s in its own colors', async (_what, change) => {
    const picture = { width: 3000, height: 1100 };
    const small = await detailed(300, 110).png().toBuffer();
    const png = await sharp(small).resize(picture).withIccProfile('p3').png().toBuffer();
    const { result, bytes, payload } = await render(png, { ...change, rendition: tiles });
    expect(result).toEqual({
      key: objectKeys.tiles(payload.subjectId, payload.runId),
      contentType: 'image/jpeg',
      ...picture,
      sizeBytes: bytes.length,
      hasWatermark: false,
    });
    const count = tileLevelsOf(picture).reduce((sum, { columns, rows }) => sum + columns * rows, 0);
    expect(bytes.readUInt32LE(4 * count)).toBe(bytes.length);
    const tile = sharp(tileIn(bytes, picture, 12, 2, 1), { ignoreIcc: true });
    const { icc, ...header } = await tile.metadata();
    expect(header).toMatchObject({ width: 514, height: 514, hasProfile: true });
    const box = { left: 1023, top: 511, width: 514, height: 514 };
    const [shown, own] = await Promise.all([
      tile.raw().toBuffer(),
      sharp(png, { ignoreIcc: true }).extract(box).raw().toBuffer(),
    ]);
    const sum = shown.reduce((total, value, at) => total + Math.abs(value - (own[at] ?? 0)), 0);
    expect(sum / own.length).toBeLessThan(4);
  });

  it('have the watermark of the file that may be downloaded, also on faces', async () => {
    const picture = { width: 2400, height: 1600 };
    const png = await sharp({ create: { ...picture, channels: 3, background: '#808080' } })
      .png()
      .toBuffer();
    const faces = [{ x: 0, y: 0, width: 1, height: 1 }];
    const { result, bytes } = await render(png, { rendition: { ...tiles, watermark: true }, faces });
    expect(result.hasWatermark).toBe(true);
    for (const { level, column, row } of [
      { level: 12, column: 0, row: 0 },
      { level: 12, column: 2, row: 1 },
    ]) {
      const { channels } = await sharp(tileIn(bytes, picture, level, column, row)).stats();
      expect(channels[0]?.stdev).toBeGreaterThan(3);
    }
  });

  it('keep transparency, and lie as the upright original does', async () => {
    const upright = { width: 1100, height: 2600 };
    const png = await sharp({ create: { width: 2600, height: 1100, channels: 4, background: '#ff000080' } })
      .withMetadata({ orientation: 6 })
      .png()
      .toBuffer();
    const { result, bytes } = await render(png, { recipe: null, rendition: tiles });
    expect(result).toMatchObject({ contentType: 'image/webp', ...upright });
    const { channels } = await sharp(tileIn(bytes, upright, 12, 2, 5)).stats();
    const [red, , , alpha] = channels.map(({ mean }) => Math.round(mean));
    expect([red, alpha]).toEqual([255, 128]);
  });
});
