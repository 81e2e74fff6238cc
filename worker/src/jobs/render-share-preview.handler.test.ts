import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { objectKeys, SHARE_PREVIEW_SIZE } from '@clearframe/contract';
import { ObjectStore, openObjectStore, StorageConfig } from '@clearframe/runtime/storage';
import { pino } from 'pino';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Metrics } from '../platform/metrics.js';
import { RenderSharePreviewHandler } from './render-share-preview.handler.js';

let folder: string;
let store: ObjectStore;
let handler: RenderSharePreviewHandler;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clearframe-share-preview-'));
  store = await openObjectStore(new StorageConfig({ driver: 'disk', root: folder }));
  handler = new RenderSharePreviewHandler(store, new Metrics());
});
afterAll(() => rm(folder, { recursive: true, force: true }));

type Size = readonly [width: number, height: number];
const RED = { r: 200, g: 30, b: 30 };
const BLUE = { r: 30, g: 30, b: 200 };

function picture([width, height]: Size, background: typeof RED) {
  const quarter = { width: Math.ceil(width / 4), height, channels: 3 as const, background };
  return sharp({ create: { width, height, channels: 3, background: '#000' } }).composite([
    { input: { create: quarter }, left: width - quarter.width, top: 0 },
  ]);
}

async function render(before: Buffer, after: Buffer, focus = { x: 0.5, y: 0.5 }) {
  const [subjectId, runId, id] = [randomUUID(), randomUUID(), randomUUID()];
  const payload = { subjectId, runId, beforeKey: `results/${id}/before`, afterKey: `results/${id}/after`, focus };
  if (before.length > 0) await store.put(payload.beforeKey, before);
  await store.put(payload.afterKey, after);
  const result = await handler.handle(payload, {
    signal: new AbortController().signal,
    log: pino({ level: 'silent' }),
    progress: () => undefined,
  });
  return { result, payload, bytes: await readFile((await store.fetch(result.key)).path) };
}

async function pixel(bytes: Buffer, left: number, top: number) {
  const [r = 0, g = 0, b = 0] = await sharp(bytes).extract({ left, top, width: 1, height: 1 }).raw().toBuffer();
  return { r, g, b };
}
const isNear = (one: typeof RED, other: typeof RED): boolean =>
  (['r', 'g', 'b'] as const).every((channel) => Math.abs(one[channel] - other[channel]) < 24);

describe('the preview of a shared picture', () => {
  it.each<[string, Size, Size]>([
    ['wide', [2048, 500], [2048, 500]],
    ['tall', [300, 2048], [300, 2048]],
    ['small, enlarged', [64, 48], [256, 192]],
  ])('shows both sides of a %s picture', async (_, beforeSize, afterSize) => {
    const before = await picture(beforeSize, RED).jpeg().toBuffer();
    const after = await picture(afterSize, BLUE).jpeg().toBuffer();
    const { result, bytes, payload } = await render(before, after, { x: 1, y: 0.5 });
    const { width, height } = SHARE_PREVIEW_SIZE;
    expect(result).toEqual({
      key: objectKeys.sharePreview(payload.subjectId, payload.runId),
      contentType: 'image/jpeg',
      width,
      height,
      sizeBytes: bytes.length,
    });
    // The focus is at the end of each side.
    expect(isNear(await pixel(bytes, width / 2 - 12, 100), RED)).toBe(true);
    expect(isNear(await pixel(bytes, width - 10, 100), BLUE)).toBe(true);
    expect(isNear(await pixel(bytes, width / 2, 100), { r: 255, g: 255, b: 255 })).toBe(true);
  });

  it('has no metadata, and white where the picture is transparent', async () => {
    const exif = { IFD0: { Artist: 'Owner' }, IFD3: { GPSLatitude: '51/1 30/1 0/1' } };
    const before = await picture([400, 300], RED).withExif(exif).withIccProfile('p3').jpeg().toBuffer();
    const clear = { create: { width: 400, height: 300, channels: 4 as const, background: '#0000' } };
    const { bytes } = await render(before, await sharp(clear).webp().toBuffer());
    const { exif: kept, icc, xmp } = await sharp(bytes).metadata();
    expect({ kept, icc, xmp }).toEqual({});
    expect(isNear(await pixel(bytes, 1100, 100), { r: 255, g: 255, b: 255 })).toBe(true);
  });

  it('is rejected without a file', async () => {
    const after = await picture([40, 30], BLUE).jpeg().toBuffer();
    await expect(render(Buffer.alloc(0), after)).rejects.toMatchObject({ code: 'uploads.missing' });
  });
});
