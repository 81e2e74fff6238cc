import { truncate } from 'node:fs/promises';
import { IMAGE_LIMITS } from '@clearframe/contract';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { detailed, fileOf, quadrants, TURNED_HEIC } from '../../test/pictures.js';
import { probeImage } from './probe.js';

const refusal = async (bytes: Uint8Array): Promise<unknown> =>
  probeImage(await fileOf(bytes)).then(
    () => 'accepted',
    (error: { code?: unknown }) => error.code,
  );

/** A PNG with only a header of this size. */
async function pngClaiming(width: number, height: number): Promise<Buffer> {
  const png = await quadrants().png().toBuffer();
  const { crc32 } = await import('node:zlib');
  png.writeUInt32BE(width, 16);
  png.writeUInt32BE(height, 20);
  png.writeUInt32BE(crc32(png.subarray(12, 29)), 29);
  return png;
}

describe('probing a file', () => {
  it.each([
    ['image/png', () => quadrants().png()],
    ['image/jpeg', () => quadrants().jpeg()],
    ['image/webp', () => quadrants().webp()],
    ['image/tiff', () => quadrants().tiff()],
    ['image/avif', () => quadrants().avif({ effort: 0 })],
  ])('knows %s by its bytes', async (contentType, make) => {
    const bytes = await make().toBuffer();
    expect(await probeImage(await fileOf(bytes))).toMatchObject({
      contentType,
      width: 64,
      height: 48,
      sizeBytes: bytes.length,
      isDeep: false,
      colour: 'rgb',
    });
  });

  it('detects HEVC by its bytes, under any brand', async () => {
    expect(await probeImage(await fileOf(TURNED_HEIC))).toMatchObject({ contentType: 'image/heic', decoder: 'heic' });
    const generic = Buffer.from(TURNED_HEIC);
    generic.write('mif1', 8, 'latin1');
    expect(await probeImage(await fileOf(generic))).toMatchObject({ contentType: 'image/heif', decoder: 'heic' });
  });

  it('gives the size of the upright picture', async () => {
    const turned = await quadrants().withMetadata({ orientation: 6 }).jpeg().toBuffer();
    expect(await probeImage(await fileOf(turned))).toMatchObject({ width: 48, height: 64 });
  });

  it('refuses an empty file', async () => {
    expect(await refusal(Buffer.alloc(0))).toBe('uploads.empty');
  });

  it('refuses too many bytes before reading them', async () => {
    const path = await fileOf(Buffer.from('x'));
    await truncate(path, IMAGE_LIMITS.maxBytes + 1);
    await expect(probeImage(path)).rejects.toMatchObject({ code: 'uploads.too_large' });
  });

  it('refuses too many pixels by the header alone', async () => {
    expect(await refusal(await pngClaiming(50_000, 50_000))).toBe('uploads.too_many_pixels');
    expect(await refusal(await pngClaiming(10_001, 10_000))).toBe('uploads.too_many_pixels');
  });

  it.each([
    ['HTML', '<!doctype html><html><body><img src="x"></body></html>'],
    ['SVG', '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>'],
    ['SVG with a prologue', '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>'],
    ['PDF', '%PDF-1.7\n1 0 obj\n<<>>\nendobj\n'],
    ['a playlist', '#EXTM3U\n#EXTINF:1,\nneighbour.ts\n'],
    ['a list of files', "ffconcat version 1.0\nfile 'neighbour.mp4'\n"],
    ['text', 'just words'],
  ])('refuses %s', async (_, text) => {
    expect(await refusal(Buffer.from(text))).toBe('uploads.unsupported_type');
  });

  it('refuses GIF', async () => {
    expect(await refusal(await quadrants().gif().toBuffer())).toBe('uploads.unsupported_type');
  });

  it.each([
    ['PNG', () => detailed().png()],
    ['JPEG', () => detailed().jpeg()],
    ['WebP', () => detailed().webp()],
    ['TIFF', () => detailed().tiff()],
    ['AVIF', () => detailed().avif({ effort: 0 })],
  ])('calls the mere beginning of a %s damaged, not unknown', async (_, make) => {
    const bytes = await make().toBuffer();
    expect(await refusal(bytes.subarray(0, 40))).toBe('uploads.undecodable');
  });

  it('detects a container that ends inside a box', async () => {
    const bytes = await detailed().avif({ effort: 0 }).toBuffer();
    expect(await refusal(bytes.subarray(0, bytes.length - 1))).toBe('uploads.undecodable');
  });

  it('detects 16-bit and CMYK pictures', async () => {
    const deep = await sharp(new Uint16Array(4 * 4 * 3), { raw: { width: 4, height: 4, channels: 3 } })
      .toColourspace('rgb16')
      .png()
      .toBuffer();
    expect(await probeImage(await fileOf(deep))).toMatchObject({ isDeep: true, colour: 'rgb' });
    const cmyk = await quadrants().toColourspace('cmyk').jpeg().toBuffer();
    expect(await probeImage(await fileOf(cmyk))).toMatchObject({ isDeep: false, colour: 'cmyk' });
  });
});
