import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type JobPayload, objectKeys, RECIPE_VERSION, type renderImage } from '@clearframe/contract';
import { ObjectStore, openObjectStore, StorageConfig } from '@clearframe/runtime/storage';
import { pino } from 'pino';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Metrics } from '../../metrics/metrics.js';
import { detailed } from '../../test/pictures.js';
import { RenderImageHandler } from './render-image.handler.js';

type Payload = JobPayload<typeof renderImage>;

let folder: string;
let store: ObjectStore;
let handler: RenderImageHandler;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clearframe-render-'));
  store = await openObjectStore(new StorageConfig({ driver: 'disk', root: folder }));
  handler = new RenderImageHandler(store, new Metrics());
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const recipe = { version: RECIPE_VERSION, aiPipeline: { faceEnhance: { model: 'base' } }, models: [] } as const;
const clean = { contentType: 'image/jpeg', jpegQuality: 100, watermark: false, maxSide: null } as const;

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

  it('makes a JPEG of an original, without a recipe', async () => {
    const { bytes } = await render(await detailed(80, 60).tiff().toBuffer(), { recipe: null });
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'jpeg', width: 80 });
    expect((await sharp(bytes).metadata()).xmp).toBeUndefined();
  });

  it('is deterministic', async () => {
    const master = await detailed(120, 90).png().toBuffer();
    expect((await render(master)).bytes).toEqual((await render(master)).bytes);
  });

  it('reports a missing picture', async () => {
    await expect(render(null)).rejects.toMatchObject({ code: 'uploads.missing' });
  });
});
