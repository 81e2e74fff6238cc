import { join } from 'node:path';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { withScratch } from '../platform/scratch.js';
import { canvasOfFile, encodeToFile } from './encode.js';
import { parseExif } from './exif.js';
import { makeSamples, readSamples } from './picture.js';
import { bytesOf, PixelFile, type PixelLayout } from './pixel-file.js';

const { signal } = new AbortController();

function noise({ width, height, channels, isDeep }: PixelLayout) {
  let state = 1;
  return makeSamples(isDeep, width * height * channels).map(() => {
    state = Math.imul(state, 1_664_525) + 1_013_904_223;
    return state >>> (isDeep ? 16 : 24);
  });
}

const LAYOUTS: PixelLayout[] = [
  { width: 1, height: 1, channels: 3, isDeep: false },
  { width: 333, height: 17, channels: 4, isDeep: false },
  // Several strips.
  { width: 1501, height: 1201, channels: 3, isDeep: false },
  { width: 901, height: 1001, channels: 3, isDeep: true },
  { width: 500, height: 700, channels: 4, isDeep: true },
];

it.each(LAYOUTS)('a file of pixels is read by libvips and encoded as TIFF without loss: %o', async (layout) => {
  const { width, height, channels, isDeep } = layout;
  const samples = noise(layout);
  await withScratch(async (folder) => {
    const rows = Math.ceil(height / 3);
    const length = rows * width * channels;
    const strips = [0, 1, 2].map((part) => samples.subarray(part * length, (part + 1) * length));
    const pixels = await PixelFile.write(join(folder, 'pixels'), layout, strips);
    const exif = parseExif(
      (
        await sharp({ create: { width: 2, height: 2, channels: 3, background: 'red' } })
          .withExif({ IFD0: { Make: 'Maker' } })
          .jpeg()
          .metadata()
      ).exif ?? Buffer.alloc(0),
    );
    const metadata = { icc: null, exif, xmp: Buffer.from('<x/>') };
    const order = { contentType: 'image/tiff', jpegQuality: 90 } as const;
    const progress: number[] = [];
    const onProgress = (fraction: number) => progress.push(fraction);
    const file = await encodeToFile(pixels, order, metadata, join(folder, 'a.tif'), { signal, onProgress });
    const tiff = sharp(file.path);
    expect(await tiff.metadata()).toMatchObject({ width, height, channels, density: 72 });
    expect((await tiff.metadata()).xmp?.toString()).toBe('<x/>');
    for (const image of [tiff, canvasOfFile(pixels).image]) {
      const read = await readSamples(image, isDeep);
      expect(Buffer.compare(bytesOf(read.samples), bytesOf(samples))).toBe(0);
    }
    expect(progress).toEqual([...progress].sort((one, other) => one - other));
    expect(progress.at(-1)).toBe(1);
  });
});

it.each(['image/png', 'image/tiff'] as const)('%s stops between strips', async (contentType) => {
  const layout: PixelLayout = { width: 2000, height: 2000, channels: 3, isDeep: false };
  const controller = new AbortController();
  await withScratch(async (folder) => {
    const pixels = await PixelFile.write(join(folder, 'pixels'), layout, [noise(layout)]);
    const order = { contentType, jpegQuality: 90 } as const;
    const seen: number[] = [];
    const context = {
      signal: controller.signal,
      onProgress: (fraction: number) => {
        seen.push(fraction);
        controller.abort(new Error('enough'));
      },
    };
    const nothing = { icc: null, exif: null, xmp: null };
    await expect(encodeToFile(pixels, order, nothing, join(folder, 'a'), context)).rejects.toThrow('enough');
    expect(seen).toHaveLength(1);
  });
});
