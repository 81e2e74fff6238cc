import { writePsdBuffer } from 'ag-psd';
import { describe, expect, it } from 'vitest';
import { CORNERS, deepSamples, distance, fieldsOf, fileOf, quadrants } from '../../test/pictures.js';
import type { Picture } from '../picture.js';
import { probeImage } from '../probe.js';
import { decodePicture } from './decode.js';

const decode = async (bytes: Uint8Array, keepDepth = false): Promise<Picture> =>
  decodePicture(await probeImage(await fileOf(bytes)), {
    maxSide: 2048,
    keepDepth,
    signal: new AbortController().signal,
  });

const u16 = (value: number): Buffer => Buffer.from([value >> 8, value & 255]);
const u32 = (value: number): Buffer => Buffer.concat([u16(value >>> 16), u16(value & 0xffff)]);

/** A document of uncompressed planes, as Photoshop lays it out. */
function documentOf(
  planes: readonly Buffer[],
  {
    mode,
    bits,
    width,
    height,
    layers = 0,
    merged = 1,
  }: {
    mode: number;
    bits: number;
    width: number;
    height: number;
    layers?: number;
    merged?: number;
  },
): Buffer {
  const versionInfo = Buffer.concat([Buffer.from('8BIM'), u16(1057), u16(0), u32(5), u32(1), Buffer.from([merged, 0])]);
  const layerSection = layers === 0 ? u32(0) : Buffer.concat([u32(8), u32(2), u16(layers & 0xffff), u16(0)]);
  return Buffer.concat([
    Buffer.from('8BPS'),
    u16(1),
    Buffer.alloc(6),
    u16(planes.length),
    u32(height),
    u32(width),
    u16(bits),
    u16(mode),
    u32(0),
    u32(versionInfo.length),
    versionInfo,
    layerSection,
    u16(0),
    ...planes,
  ]);
}

describe('Photoshop documents', () => {
  it('are decoded from PackBits rows', async () => {
    const { data, info } = await quadrants().ensureAlpha(1).raw().toBuffer({ resolveWithObject: true });
    const file = writePsdBuffer({
      width: info.width,
      height: info.height,
      imageData: { width: info.width, height: info.height, data: new Uint8ClampedArray(data) },
    });
    expect(await probeImage(await fileOf(file))).toMatchObject({ contentType: 'image/vnd.adobe.photoshop', width: 64 });
    expect(distance(fieldsOf(await decode(file)), CORNERS)).toBe(0);
  });

  it('keep 16 bits', async () => {
    const samples = deepSamples(3 * 16);
    const planes = [0, 1, 2].map((channel) =>
      Buffer.concat(Array.from({ length: 16 }, (_, pixel) => u16(samples[pixel * 3 + channel] ?? 0))),
    );
    const picture = await decode(documentOf(planes, { mode: 3, bits: 16, width: 4, height: 4 }), true);
    expect(picture.rgb).toEqual(samples);
  });

  it('in CMYK count paper, not ink', async () => {
    const planes = [255, 255, 255, 255].map((value) => Buffer.alloc(16, value));
    const white = await decode(documentOf(planes, { mode: 4, bits: 8, width: 4, height: 4 }));
    expect(Math.min(...white.rgb)).toBeGreaterThan(245);
    const inked = planes.map((plane, channel) => (channel === 0 ? Buffer.alloc(16, 0) : plane));
    const [red = 0, , blue = 0] = (await decode(documentOf(inked, { mode: 4, bits: 8, width: 4, height: 4 }))).rgb;
    expect(blue - red).toBeGreaterThan(100);
  });

  it('tell transparency from saved selections, and lose the white it was mixed with', async () => {
    const half = [255, 191, 127].map((value) => Buffer.alloc(16, value));
    const planes = [...half, Buffer.alloc(16, 128)];
    const size = { mode: 3, bits: 8, width: 4, height: 4 };
    const selection = await decode(documentOf(planes, size));
    expect(selection.alpha).toBeNull();
    const transparent = await decode(documentOf(planes, { ...size, layers: -1 }));
    expect(transparent.alpha?.[0]).toBe(128);
    expect(Array.from(transparent.rgb.slice(0, 3))).toEqual([255, 128, 0]);
  });

  it('in gray become RGB', async () => {
    const picture = await decode(documentOf([Buffer.alloc(16, 90)], { mode: 1, bits: 8, width: 4, height: 4 }));
    expect(Array.from(picture.rgb.slice(0, 3))).toEqual([90, 90, 90]);
  });

  it.each([
    [
      'cut short',
      documentOf(
        [0, 1, 2].map(() => Buffer.alloc(16)),
        { mode: 3, bits: 8, width: 4, height: 4 },
      ).subarray(0, -9),
    ],
    [
      'without a merged picture',
      documentOf(
        [0, 1, 2].map(() => Buffer.alloc(16)),
        { mode: 3, bits: 8, width: 4, height: 4, merged: 0 },
      ),
    ],
    [
      'in a mode nobody shows',
      documentOf(
        [0, 1, 2].map(() => Buffer.alloc(16)),
        { mode: 7, bits: 8, width: 4, height: 4 },
      ),
    ],
    ['nothing but a header', documentOf([], { mode: 3, bits: 8, width: 4, height: 4 }).subarray(0, 26)],
  ])('%s are refused', async (_, file) => {
    await expect(decode(file)).rejects.toMatchObject({ code: 'uploads.undecodable' });
  });

  it('that claim too many pixels are refused by their header', async () => {
    const file = documentOf([], { mode: 3, bits: 8, width: 30_000, height: 30_000 });
    await expect(decode(file)).rejects.toMatchObject({ code: 'uploads.too_many_pixels' });
  });
});
