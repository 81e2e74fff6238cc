import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EnhancedImage, isUntouched, MEASURED_TOOLS, objectKeys, type Recipe } from '@clearframe/contract';
import { ObjectStore, openObjectStore, StorageConfig } from '@clearframe/runtime/storage';
import { pino } from 'pino';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decodePicture, probeImage } from '../image/formats/decode.js';
import type { Picture } from '../image/picture.js';
import { modelsFolder, readManifest } from '../networks/manifest.js';
import { Sessions } from '../networks/sessions.js';
import { JobsConfig } from '../platform/config.js';
import { InferenceConfig } from '../platform/inference.config.js';
import { Metrics } from '../platform/metrics.js';
import type { Raster } from '../rasters/raster.js';
import { testDecoders } from '../test/decoders.js';
import { readDocument } from '../test/documents.js';
import { detailed, fileOf, quadrants } from '../test/pictures.js';
import { degrade, portrait } from '../test/quality.js';
import { type EnhancePayload, payloadOf } from '../test/worker.js';
import { analyzePicture } from '../tools/pipeline/analyze-picture.js';
import { runPipeline } from '../tools/pipeline/pipeline.js';
import { encodeResult } from './encode-result.js';
import { EnhanceImageHandler } from './enhance-image.handler.js';
import { Enhancer } from './enhancer.js';

let folder: string;
let store: ObjectStore;
let handler: EnhanceImageHandler;
const decoders = testDecoders();
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clearframe-handler-'));
  store = await openObjectStore(new StorageConfig({ driver: 'disk', root: folder }));
  // Pipelines are empty: networks have their own tests.
  handler = new EnhanceImageHandler(
    store,
    decoders,
    new Enhancer(new InferenceConfig(), new JobsConfig({ images: 1 })),
    new Metrics(),
  );
});
afterAll(async () => {
  await decoders.onApplicationShutdown();
  await rm(folder, { recursive: true, force: true });
});

const run = async (bytes: Buffer, change: Partial<EnhancePayload> = {}) => {
  const payload = payloadOf(change);
  await store.put(payload.inputKey, bytes);
  const progress: number[] = [];
  const context = {
    signal: new AbortController().signal,
    log: pino({ level: 'silent' }),
    progress: (f: number) => progress.push(f),
  };
  const result = await handler.handle(payload, context);
  return { payload, result, progress };
};
const stored = async (key: string): Promise<Buffer> => readFile((await store.fetch(key)).path);

describe('re-encoding a picture', () => {
  it('stores a lossless master and the requested rendition under the keys of the contract', async () => {
    const { payload, result, progress } = await run(await detailed(640, 480).jpeg().toBuffer(), { maxSide: 320 });
    expect(EnhancedImage.parse(result)).toEqual(result);
    expect(result.input).toMatchObject({ key: payload.inputKey, contentType: 'image/jpeg', width: 640, height: 480 });
    expect(result.master).toMatchObject({
      key: objectKeys.master(payload.subjectId, payload.runId),
      width: 320,
      height: 240,
    });
    expect(result.rendition).toMatchObject({ contentType: 'image/jpeg', width: 320, height: 240 });
    expect(result.display).toMatchObject({ contentType: 'image/jpeg', width: 320, height: 240 });
    for (const image of [result.display, result.display?.medium, result.display?.thumbnail]) {
      expect((await stored(image?.key ?? '')).length).toBe(image?.sizeBytes);
    }
    for (const image of [result.master, result.rendition]) {
      const bytes = await stored(image.key);
      expect(bytes.length).toBe(image.sizeBytes);
      expect((await sharp(bytes).metadata()).xmp?.toString()).toContain('xmp:CreatorTool="Clearframe"');
    }
    expect(result.timings.map(({ step }) => step)).toEqual(['fetch', 'probe', 'decode', 'enhance', 'encode', 'store']);
    expect(progress).toEqual([...progress].sort((a, b) => a - b));
    expect(progress.at(-1)).toBe(1);
  });

  it('encodes an untouched picture in full size and without watermark, whatever was ordered', async () => {
    const { result } = await run(await detailed(1600, 900).jpeg().toBuffer(), {
      rendition: { contentType: 'image/jpeg', jpegQuality: 90, watermark: true, maxSide: 1280 },
      display: { contentType: 'image/jpeg', jpegQuality: 90, watermark: true, maxSide: 1280, use: 'display' },
    });
    for (const image of [result.rendition, result.display])
      expect(image).toMatchObject({ width: 1600, height: 900, hasWatermark: false });
    const corner = async (key: string) =>
      sharp(await stored(key))
        .extract({ left: 0, top: 0, width: 400, height: 225 })
        .greyscale()
        .raw()
        .toBuffer();
    const [master, rendition] = [await corner(result.master.key), await corner(result.rendition.key)];
    expect(Math.max(...master.map((value, at) => Math.abs(value - (rendition[at] ?? 0))))).toBeLessThan(40);
  });

  it('stores a small base for thumbnails, white where the picture is transparent', async () => {
    const half = { create: { width: 200, height: 800, channels: 4, background: '#102030' } } as const;
    const clear = { create: { ...half.create, background: '#10203000' } };
    const right = await sharp(clear).png().toBuffer();
    const picture = sharp(half).extend({ right: 200, background: '#00000000' });
    const { result } = await run(
      await picture
        .composite([{ input: right, left: 200, top: 0 }])
        .png()
        .toBuffer(),
    );
    const { data, info } = await sharp(await stored(result.baseKey ?? ''))
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect([info.width, info.height, info.channels]).toEqual([160, 320, 3]);
    expect([...data.subarray(0, 3), ...data.subarray(-3)]).toEqual([16, 32, 48, 255, 255, 255]);
    expect([result.changes, result.kept]).toEqual([null, []]);
  });

  it('keeps the location only on request', async () => {
    const photo = await quadrants()
      .withExif({ IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1' } })
      .jpeg()
      .toBuffer();
    for (const keepLocation of [true, false]) {
      const { result } = await run(photo, { keepLocation });
      for (const { key } of [result.master, result.rendition]) {
        const { exif } = await sharp(await stored(key)).metadata();
        // The pointer to the GPS directory, little-endian.
        expect(exif?.includes(Buffer.from([0x25, 0x88, 4, 0])) ?? false).toBe(keepLocation);
      }
      for (const image of [result.display, result.display?.medium, result.display?.thumbnail]) {
        expect((await sharp(await stored(image?.key ?? '')).metadata()).exif).toBeUndefined();
      }
    }
  });

  it('takes a mask of the size of the upright picture, and refuses any other before it works', async () => {
    const photo = await detailed(64, 32).withMetadata({ orientation: 6 }).jpeg().toBuffer();
    const masked = async (width: number, height: number, gray = 255) => {
      const mask = { width, height, sha256: 'a'.repeat(64), key: objectKeys.mask(randomUUID()) };
      const pixels = { create: { width, height, channels: 3, background: { r: gray, g: gray, b: gray } } } as const;
      await store.put(mask.key, await sharp(pixels).toColourspace('b-w').png().toBuffer());
      return run(photo, { mask });
    };
    const { result } = await masked(32, 64);
    expect([result.master.width, result.master.height, result.recipe.mask]).toEqual([
      32,
      64,
      { sha256: 'a'.repeat(64) },
    ]);
    await expect(masked(64, 32)).rejects.toMatchObject({ code: 'masks.size_mismatch' });
    await expect(masked(32, 64, 0)).rejects.toMatchObject({ code: 'masks.all_black' });
  });

  it('reports a missing picture', async () => {
    const context = { signal: new AbortController().signal, log: pino({ level: 'silent' }), progress: () => undefined };
    await expect(handler.handle(payloadOf(), context)).rejects.toMatchObject({ code: 'uploads.missing' });
  });

  it('stops before the next step and stores nothing', async () => {
    const payload = payloadOf();
    await store.put(payload.inputKey, await quadrants().png().toBuffer());
    const controller = new AbortController();
    const context = {
      signal: controller.signal,
      log: pino({ level: 'silent' }),
      progress: (fraction: number) => {
        if (fraction > 0.5) controller.abort(new Error('enough'));
      },
    };
    await expect(handler.handle(payload, context)).rejects.toThrow('enough');
    await expect(readdir(join(folder, 'results', payload.subjectId))).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

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

describe('a result in the size of its original', () => {
  const CLEAN = { watermark: false, maxSide: null } as const;
  const full = { aiPipeline: { outputSize: 'original' }, maxSide: 320 } as const;
  const p3 = (width: number, height: number) =>
    detailed(width, height).withIccProfile('p3').withMetadata({ orientation: 6 });
  const pixelsOf = async (bytes: Buffer, deep = false) =>
    sharp(bytes, { ignoreIcc: true })
      .toColourspace(deep ? 'rgb16' : 'srgb')
      .raw({ depth: deep ? 'ushort' : 'uchar' })
      .toBuffer();

  it('keeps pixels, profile, orientation and EXIF of the original', async () => {
    const photo = await p3(1200, 900)
      .withExif({ IFD0: { Make: 'Maker' } })
      .jpeg()
      .toBuffer();
    const { result, progress } = await run(photo, {
      ...full,
      rendition: { contentType: 'image/png', jpegQuality: 90, ...CLEAN },
    });
    expect(EnhancedImage.parse(result)).toEqual(result);
    for (const image of [result.master, result.rendition]) {
      expect(image).toMatchObject({ width: 900, height: 1200 });
      const bytes = await stored(image.key);
      const { icc, exif, orientation = 1 } = await sharp(bytes).metadata();
      expect(icc?.equals((await sharp(photo).metadata()).icc ?? Buffer.alloc(0))).toBe(true);
      expect(exif?.includes('Maker')).toBe(true);
      expect(orientation).toBe(1);
      const own = await sharp(photo, { ignoreIcc: true }).autoOrient().raw().toBuffer();
      expect((await pixelsOf(bytes)).equals(own)).toBe(true);
    }
    // What pages show is small.
    expect(result.display).toMatchObject({ width: 240, height: 320 });
    expect(isUntouched(result.recipe)).toBe(true);
    expect(result.timings.map(({ step }) => step)).toContain('compose');
    expect(progress).toEqual([...progress].sort((a, b) => a - b));
  });

  it('keeps 16 bits and transparency', async () => {
    const samples = Uint16Array.from({ length: 800 * 600 * 4 }, (_, at) => (at * 7_919) % 65_536);
    const photo = await sharp(samples, { raw: { width: 800, height: 600, channels: 4 } })
      .toColourspace('rgb16')
      .tiff({ compression: 'none' })
      .toBuffer();
    const { result } = await run(photo, {
      ...full,
      rendition: { contentType: 'image/tiff', jpegQuality: 90, ...CLEAN },
    });
    for (const { key } of [result.master, result.rendition]) {
      const bytes = await stored(key);
      expect(await sharp(bytes).metadata()).toMatchObject({ width: 800, height: 600, depth: 'ushort', channels: 4 });
      expect((await pixelsOf(bytes, true)).equals(await pixelsOf(photo, true))).toBe(true);
    }
  });

  it('has every pixel of a HEIC, upright', async () => {
    const photo = await readFile(new URL('../../test/fixtures/turned.heic', import.meta.url));
    const probed = await probeImage(await fileOf(photo));
    const options = { maxSide: 100_000, keepDepth: true };
    const { width, height, rgb } = await decodePicture(probed, options);
    const { result } = await run(photo, { ...full, maxSide: Math.ceil(Math.max(width, height) / 2) });
    expect(result.timings.map(({ step }) => step)).toContain('compose');
    expect(result.master).toMatchObject({ width, height });
    expect((await pixelsOf(await stored(result.master.key))).equals(Uint8Array.from(rgb))).toBe(true);
  });

  it('is a document with layers on request, as a standard one is', async () => {
    const photo = await p3(1200, 900).jpeg().toBuffer();
    const rendition = { contentType: 'image/vnd.adobe.photoshop', jpegQuality: 90, ...CLEAN } as const;
    for (const change of [full, { ...full, aiPipeline: {} }]) {
      const { result } = await run(photo, { ...change, rendition });
      const { width, height } = result.master;
      expect(result.rendition).toMatchObject({ contentType: rendition.contentType, width, height });
      const bytes = await stored(result.rendition.key);
      expect(result.rendition.sizeBytes).toBe(bytes.length);
      const { children = [], imageData } = readDocument(bytes);
      const pictures = [...children, { imageData }].map((picture) => Buffer.from(picture.imageData?.data ?? []));
      expect(pictures).toHaveLength(3);
      const master = await sharp(await stored(result.master.key), { ignoreIcc: true })
        .ensureAlpha()
        .raw()
        .toBuffer();
      for (const pixels of pictures) expect(master.equals(pixels)).toBe(true);
    }
  });

  it('has the watermark everywhere, and is enlarged on request', async () => {
    const photo = await sharp({ create: { width: 500, height: 400, channels: 3, background: '#808080' } })
      .png()
      .toBuffer();
    const { result } = await run(photo, { ...full, aiPipeline: { outputSize: 'original', upscale: { factor: 4 } } });
    expect(result.recipe).toMatchObject({ enlargedBy: 4 });
    expect(isUntouched(result.recipe)).toBe(false);
    for (const image of [result.master, result.rendition]) expect(image).toMatchObject({ width: 2000, height: 1600 });
    const spread = async (key: string, left: number) => {
      const part = { left, top: left, width: 600, height: 600 };
      const pixels = await sharp(await stored(key))
        .extract(part)
        .png()
        .toBuffer();
      return (await sharp(pixels).stats()).channels[0]?.stdev ?? 0;
    };
    expect(await spread(result.master.key, 0)).toBe(0);
    for (const left of [0, 1000]) expect(await spread(result.rendition.key, left)).toBeGreaterThan(1);
  });

  it('is as a standard one where the original is no larger', async () => {
    const photo = await detailed(300, 200).png().toBuffer();
    const [small, standard] = [await run(photo, full), await run(photo, { maxSide: 320 })];
    const [one, other] = [await stored(small.result.rendition.key), await stored(standard.result.rendition.key)];
    expect((await pixelsOf(one)).equals(await pixelsOf(other))).toBe(true);
    expect(small.result.timings.map(({ step }) => step)).not.toContain('compose');
  });

  it('takes no part in a standard one', async () => {
    const photo = await detailed(900, 600).png().toBuffer();
    const order = { maxSide: 320, rendition: { contentType: 'image/png', jpegQuality: 90, ...CLEAN } } as const;
    const results = [await run(photo, order), await run(photo, { ...order, aiPipeline: { outputSize: 'standard' } })];
    const files = await Promise.all(results.map(({ result }) => stored(result.rendition.key)));
    const [one, other] = await Promise.all(files.map((file) => pixelsOf(file)));
    expect(one?.equals(other ?? Buffer.alloc(0))).toBe(true);
    for (const { result } of results) {
      expect(result.master).toMatchObject({ width: 320, height: 213 });
      expect(result.timings.map(({ step }) => step)).not.toContain('compose');
    }
  });
});

describe('a pipeline whose tools the worker chooses', async () => {
  const sessions = new Sessions(await readManifest(modelsFolder()), 2);
  /** The networks in this process. */
  class LocalEnhancer extends Enhancer {
    override analyze: Enhancer['analyze'] = (request, { signal }) =>
      analyzePicture(sessions, request.input, { ...request, signal });
    override enhance: Enhancer['enhance'] = (input, pipeline, options) =>
      runPipeline(sessions, input, pipeline, options);
  }
  const png = ({ width, height, data }: Raster) =>
    sharp(data, { raw: { width, height, channels: 3 } })
      .png()
      .toBuffer();
  beforeAll(() => {
    const enhancer = new LocalEnhancer(new InferenceConfig(), new JobsConfig({ images: 1 }));
    handler = new EnhanceImageHandler(store, decoders, enhancer, new Metrics());
  });

  it('has only those that the picture needs, and the pixels of a request for these', async () => {
    const { width, height, data } = await degrade(await portrait(), { reduction: 3 });
    const large = await png({ width, height, data });
    const auto = { auto: true, ...MEASURED_TOOLS, upscale: { factor: 1 } } as const;
    const { result } = await run(large, { aiPipeline: auto });
    const chosen = {
      faceEnhance: { model: 'base' },
      backgroundEnhance: { model: 'base' },
      upscale: { factor: 1 },
    } as const;
    expect(result.recipe.aiPipeline).toEqual(chosen);
    expect(result.timings.map(({ step }) => step)).toContain('choose');
    const { result: asked } = await run(large, { aiPipeline: chosen });
    const pixels = async (key: string) =>
      sharp(await stored(key))
        .raw()
        .toBuffer();
    expect((await pixels(result.master.key)).equals(await pixels(asked.master.key))).toBe(true);
    expect(result.faces).toEqual(asked.faces);
    expect(result.kept?.map(({ variant }) => variant)).toEqual(asked.kept?.map(({ variant }) => variant));
  });

  it('restores a soft face of a large sharp picture and nothing else', async () => {
    // A sharp picture around a face that is soft at its size.
    const soft = await degrade(await portrait(), { reduction: 3 });
    const { width, height } = soft;
    const face = await sharp(soft.data, { raw: { width, height, channels: 3 } })
      .resize(2 * width, 2 * height)
      .png()
      .toBuffer();
    const photo = await detailed(1800, 1200)
      .composite([{ input: face, left: 500, top: 300 }])
      .removeAlpha()
      .png()
      .toBuffer();
    const { result } = await run(photo, {
      aiPipeline: {
        faceEnhance: { model: 'base', faces: [{ box: { x: 500, y: 300, width: 600, height: 600 }, strength: 1 }] },
        outputSize: 'original',
      },
      maxSide: 900,
    });
    const [restored] = result.faces;
    expect(restored?.restored).toBe(true);
    expect(result.recipe).not.toHaveProperty('unmatchedFaces');
    const box = restored?.box ?? { x: 0, y: 0, width: 0, height: 0 };
    expect([box.x > 500, box.y > 300, box.x + box.width < 1100, box.y + box.height < 900]).toEqual([
      true,
      true,
      true,
      true,
    ]);
    const pixels = (bytes: Buffer) => sharp(bytes).raw().toBuffer();
    const [before, after] = [await pixels(photo), await pixels(await stored(result.master.key))];
    let [outside, changes] = [0, 0];
    for (let at = 0; at < before.length; at++) {
      const [x, y] = [Math.floor(at / 3) % 1800, Math.floor(at / 5400)];
      const difference = Math.abs((before[at] as number) - (after[at] as number));
      if (x < 500 || x >= 1100 || y < 300 || y >= 900) outside = Math.max(outside, difference);
      else if (difference > 8) changes++;
    }
    expect(outside).toBe(0);
    expect(changes).toBeGreaterThan(10_000);
  });

  it('colors every pixel of 16 bits by one table, also detail that only the original shows', async () => {
    const [width, height] = [900, 600];
    // Lines of a pixel on a gradient.
    const samples = Uint16Array.from({ length: width * height * 4 }, (_, at) => {
      const [pixel, channel] = [Math.floor(at / 4), at % 4];
      if (channel === 3) return 50_000;
      return 9_000 + 40 * (pixel % width) + 5_000 * channel + (pixel % 2) * 12_345;
    });
    const photo = await sharp(samples, { raw: { width, height, channels: 4 } })
      .toColourspace('rgb16')
      .withIccProfile('p3', { attach: true })
      .tiff({ compression: 'none' })
      .toBuffer();
    const { result } = await run(photo, {
      aiPipeline: { colorEnhance: { model: 'golden' }, outputSize: 'original' },
      maxSide: 300,
    });
    const master = await stored(result.master.key);
    const { icc, depth } = await sharp(master).metadata();
    expect(depth).toBe('ushort');
    expect(icc?.equals((await sharp(photo).metadata()).icc ?? Buffer.alloc(0))).toBe(true);
    const read = async (file: Buffer) => {
      const image = sharp(file, { ignoreIcc: true }).toColourspace('rgb16').raw({ depth: 'ushort' });
      const { buffer, byteOffset, length } = await image.toBuffer();
      return new Uint16Array(buffer, byteOffset, length / 2);
    };
    const [before, after] = [await read(photo), await read(master)];
    const colors = new Map<string, string>();
    const differing: string[] = [];
    for (let at = 0; at < before.length; at += 4) {
      const own = before.subarray(at, at + 4).join();
      const colored = after.subarray(at, at + 4).join();
      if ((colors.get(own) ?? colored) !== colored) differing.push(own);
      colors.set(own, colored);
    }
    expect(differing).toEqual([]);
    // 8 bits would have fewer.
    expect(new Set(colors.values()).size).toBeGreaterThan(0.9 * colors.size);
    expect([...colors].filter(([own, colored]) => own === colored)).toEqual([]);
    expect([...colors.values()].every((colored) => colored.endsWith(',50000'))).toBe(true);
  });

  it('leaves a picture that needs nothing as it is', async () => {
    const { result } = await run(await png(await portrait()), {
      aiPipeline: { auto: true, ...MEASURED_TOOLS, upscale: { factor: 1 } },
    });
    expect(result.recipe.aiPipeline).toEqual({ upscale: { factor: 1 } });
    expect(isUntouched(result.recipe)).toBe(true);
  });
});
