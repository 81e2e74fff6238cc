import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { verifyEncoded } from './encode.js';
import { encodePng } from './encode-png.js';
import { isDeep, readSamples, type Samples } from './picture.js';
import { bytesOf, rowsOf } from './pixel-file.js';

const PHOTOGRAPH = new URL('../../test/fixtures/astronaut.jpg', import.meta.url);

const inMemory = (samples: Samples, width: number, height: number, channels: 3 | 4) =>
  rowsOf({ width, height, channels, isDeep: isDeep(samples) }, samples);

const noise = (count: number): Uint8Array => {
  let state = 1;
  return Uint8Array.from({ length: count }, () => {
    state = Math.imul(state, 1_664_525) + 1_013_904_223;
    return state >>> 24;
  });
};

async function decoded(file: Buffer, channels: 3 | 4): Promise<Buffer> {
  const { data, info } = await sharp(file).raw().toBuffer({ resolveWithObject: true });
  expect(info.channels).toBe(channels);
  return data;
}

describe('a PNG', () => {
  it.each([
    [1, 1, 3],
    [1, 40, 4],
    [333, 7, 3],
    [37, 20, 4],
    // Several strips.
    [1200, 1500, 3],
    [700_001, 3, 3],
  ] as const)('of %i x %i pixels with %i channels has the samples of its source', async (width, height, channels) => {
    const samples = noise(width * height * channels);
    const file = await encodePng(inMemory(samples, width, height, channels));
    await verifyEncoded(file, 'image/png', { width, height });
    expect(Buffer.compare(await decoded(file, channels), samples)).toBe(0);
  });

  it.each([3, 4] as const)('of 16 bits with %i channels has the samples of its source', async (channels) => {
    const [width, height] = [701, 640];
    const low = noise(width * height * channels);
    const samples = Uint16Array.from(low, (value, at) => (value * 257 + at) & 0xffff);
    const file = await encodePng(inMemory(samples, width, height, channels));
    await verifyEncoded(file, 'image/png', { width, height });
    const read = await readSamples(sharp(file), true);
    expect(read.channels).toBe(channels);
    expect(Buffer.compare(bytesOf(read.samples), bytesOf(samples))).toBe(0);
  });

  it('compresses flat pictures and photographs', async () => {
    const flat = await encodePng(inMemory(new Uint8Array(3_000_000).fill(200), 1000, 1000, 3));
    expect(flat.length).toBeLessThan(30_000);
    const photo = await sharp(fileURLToPath(PHOTOGRAPH)).raw().toBuffer({ resolveWithObject: true });
    const { width, height } = photo.info;
    const file = await encodePng(inMemory(photo.data, width, height, 3));
    const other = await sharp(photo.data, { raw: { width, height, channels: 3 } })
      .png({ compressionLevel: 2, adaptiveFiltering: true })
      .toBuffer();
    expect(file.length).toBeLessThan(1.05 * other.length);
  });
});
