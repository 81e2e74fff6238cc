import { truncate } from 'node:fs/promises';
import { IMAGE_LIMITS } from '@clearframe/contract';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { detailed, fileOf, quadrants, TURNED_HEIC } from '../../test/pictures.js';
import { writeTiff } from '../../test/tiff.js';
import { probeImage } from './decode.js';

const rejectionOf = async (bytes: Uint8Array): Promise<unknown> =>
  probeImage(await fileOf(bytes)).then(
    () => 'accepted',
    (error: { code?: unknown }) => error.code,
  );

/** Only the header has this size. */
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
  ])('detects %s by its bytes', async (contentType, make) => {
    const bytes = await make().toBuffer();
    expect(await probeImage(await fileOf(bytes))).toMatchObject({
      contentType,
      width: 64,
      height: 48,
      sizeBytes: bytes.length,
      isDeep: false,
    });
  });

  it('detects HEVC by its bytes, under any brand', async () => {
    expect(await probeImage(await fileOf(TURNED_HEIC))).toMatchObject({ contentType: 'image/heic' });
    const generic = Buffer.from(TURNED_HEIC);
    generic.write('mif1', 8, 'latin1');
    expect(await probeImage(await fileOf(generic))).toMatchObject({ contentType: 'image/heif' });
  });

  it('returns the size of the upright picture', async () => {
    const turned = await quadrants().withMetadata({ orientation: 6 }).jpeg().toBuffer();
    expect(await probeImage(await fileOf(turned))).toMatchObject({ width: 48, height: 64 });
  });

  it('rejects an empty file', async () => {
    expect(await rejectionOf(Buffer.alloc(0))).toBe('uploads.empty');
  });

  it('rejects too many bytes before reading them', async () => {
    const path = await fileOf(Buffer.from('x'));
    await truncate(path, IMAGE_LIMITS.maxBytes + 1);
    await expect(probeImage(path)).rejects.toMatchObject({ code: 'uploads.too_large' });
  });

  it('rejects too many pixels by the header alone', async () => {
    expect(await rejectionOf(await pngClaiming(50_000, 50_000))).toBe('uploads.too_many_pixels');
    expect(await rejectionOf(await pngClaiming(10_001, 10_000))).toBe('uploads.too_many_pixels');
    const size = { width: 0xffff_ffff, height: 0xffff_ffff };
    const tiff = writeTiff([Buffer.alloc(99)], { ...size, photometric: 1, bits: [8] });
    expect(await rejectionOf(tiff)).toBe('uploads.too_many_pixels');
  });

  it.each([
    ['HTML', '<!doctype html><html><body><img src="x"></body></html>'],
    ['SVG', '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>'],
    ['SVG with a prologue', '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>'],
    ['PDF', '%PDF-1.7\n1 0 obj\n<<>>\nendobj\n'],
    ['a playlist', '#EXTM3U\n#EXTINF:1,\nneighbor.ts\n'],
    ['a list of files', "ffconcat version 1.0\nfile 'neighbor.mp4'\n"],
    ['text', 'just words'],
  ])('rejects %s', async (_, text) => {
    expect(await rejectionOf(Buffer.from(text))).toBe('uploads.unsupported_type');
  });

  it('rejects GIF', async () => {
    expect(await rejectionOf(await quadrants().gif().toBuffer())).toBe('uploads.unsupported_type');
  });

  it.each([
    ['PNG', () => detailed().png()],
    ['JPEG', () => detailed().jpeg()],
    ['WebP', () => detailed().webp()],
    ['TIFF', () => detailed().tiff()],
    ['AVIF', () => detailed().avif({ effort: 0 })],
  ])('rejects the start of a %s as damaged, not unknown', async (_, make) => {
    const bytes = await make().toBuffer();
    expect(await rejectionOf(bytes.subarray(0, 40))).toBe('uploads.undecodable');
  });

  it('detects a container that ends inside a box', async () => {
    const bytes = await detailed().avif({ effort: 0 }).toBuffer();
    expect(await rejectionOf(bytes.subarray(0, bytes.length - 1))).toBe('uploads.undecodable');
  });

  it('detects 16-bit and CMYK pictures', async () => {
    const deep = await sharp(new Uint16Array(4 * 4 * 3), { raw: { width: 4, height: 4, channels: 3 } })
      .toColourspace('rgb16')
      .png()
      .toBuffer();
    expect(await probeImage(await fileOf(deep))).toMatchObject({ isDeep: true });
    const cmyk = await quadrants().toColourspace('cmyk').jpeg().toBuffer();
    expect(await probeImage(await fileOf(cmyk))).toMatchObject({ isDeep: false });
  });
});
