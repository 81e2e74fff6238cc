import { writePsdBuffer } from 'ag-psd';
import { describe, expect, it } from 'vitest';
import { decode, probe, rejectionOf } from '../../test/decoding.js';
import { CORNERS, deepSamples, distance, fieldsOf, quadrants } from '../../test/pictures.js';

const u16 = (value: number): Buffer => Buffer.from([value >> 8, value & 255]);
const u32 = (value: number): Buffer => Buffer.concat([u16(value >>> 16), u16(value & 0xffff)]);

/** Uncompressed planes, as laid out by Photoshop. */
function documentOf(
  planes: readonly Buffer[],
  {
    mode,
    bits,
    width,
    height,
    layers = 0,
    merged = 1,
    icc = Buffer.alloc(0),
    layerSection = layers === 0 ? u32(0) : Buffer.concat([u32(8), u32(2), u16(layers & 0xffff), u16(0)]),
  }: {
    mode: number;
    bits: number;
    width: number;
    height: number;
    layers?: number;
    merged?: number;
    icc?: Buffer;
    layerSection?: Buffer;
  },
): Buffer {
  const versionInfo = Buffer.concat([Buffer.from('8BIM'), u16(1057), u16(0), u32(5), u32(1), Buffer.from([merged, 0])]);
  const profile = Buffer.concat([
    Buffer.from('8BIM'),
    u16(1039),
    u16(0),
    u32(icc.length),
    icc,
    Buffer.alloc(icc.length % 2),
  ]);
  const resources = icc.length > 0 ? Buffer.concat([versionInfo, profile]) : versionInfo;
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
    u32(resources.length),
    resources,
    layerSection,
    u16(0),
    ...planes,
  ]);
}

/** ICC.1:2001-04 with a white point and a gamma of 2.2. */
function grayProfile(): Buffer {
  const d50 = [0xf6d6, 0x10000, 0xd32d].map(u32);
  const tags = [
    { name: 'wtpt', data: Buffer.concat([Buffer.from('XYZ '), u32(0), ...d50]) },
    { name: 'kTRC', data: Buffer.concat([Buffer.from('curv'), u32(0), u32(1), u16(0x0233), u16(0)]) },
  ];
  const header = Buffer.alloc(128);
  header.writeUInt32BE(0x02400000, 8);
  header.write('mntrGRAYXYZ ', 12, 'latin1');
  header.write('acsp', 36, 'latin1');
  Buffer.concat(d50).copy(header, 68);
  let at = header.length + 4 + tags.length * 12;
  const table = tags.map(({ name, data }) => {
    const entry = Buffer.concat([Buffer.from(name), u32(at), u32(data.length)]);
    at += data.length;
    return entry;
  });
  const profile = Buffer.concat([header, u32(tags.length), ...table, ...tags.map(({ data }) => data)]);
  profile.writeUInt32BE(profile.length, 0);
  return profile;
}

describe('Photoshop documents', () => {
  it('are decoded from PackBits rows', async () => {
    const { data, info } = await quadrants().ensureAlpha(1).raw().toBuffer({ resolveWithObject: true });
    const file = writePsdBuffer({
      width: info.width,
      height: info.height,
      imageData: { width: info.width, height: info.height, data: new Uint8ClampedArray(data) },
    });
    expect(await probe(file)).toMatchObject({ contentType: 'image/vnd.adobe.photoshop', width: 64 });
    expect(distance(fieldsOf(await decode(file)), CORNERS)).toBe(0);
  });

  it('keep 16 bits', async () => {
    const samples = deepSamples(3 * 16);
    const planes = [0, 1, 2].map((channel) =>
      Buffer.concat(Array.from({ length: 16 }, (_, pixel) => u16(samples[pixel * 3 + channel] ?? 0))),
    );
    const picture = await decode(documentOf(planes, { mode: 3, bits: 16, width: 4, height: 4 }), { keepDepth: true });
    expect(picture.rgb).toEqual(samples);
  });

  it('in CMYK are inverted', async () => {
    const planes = [255, 255, 255, 255].map((value) => Buffer.alloc(16, value));
    const white = await decode(documentOf(planes, { mode: 4, bits: 8, width: 4, height: 4 }));
    expect(Math.min(...white.rgb)).toBeGreaterThan(245);
    const inked = planes.map((plane, channel) => (channel === 0 ? Buffer.alloc(16, 0) : plane));
    const [red = 0, , blue = 0] = (await decode(documentOf(inked, { mode: 4, bits: 8, width: 4, height: 4 }))).rgb;
    expect(blue - red).toBeGreaterThan(100);
  });

  it.each([
    [1, [200], [200, 200, 200]],
    [3, [200, 40, 10], [200, 40, 10]],
    [4, [255, 255, 255, 255], [255, 255, 255]],
  ])('of %d channels without a color mode show them as inks', async (_, values, expected) => {
    const planes = values.map((value) => Buffer.alloc(16, value));
    const { rgb } = await decode(documentOf(planes, { mode: 7, bits: 8, width: 4, height: 4 }));
    expected.forEach((value, channel) => {
      expect(Math.abs((rgb[channel] ?? 0) - value)).toBeLessThan(8);
    });
  });

  it('of more channels than the format has are rejected', async () => {
    const planes = [1, 2, 3].map((value) => Buffer.alloc(16, value));
    const file = documentOf(planes, { mode: 3, bits: 8, width: 4, height: 4 });
    file.writeUInt16BE(60_000, 12);
    expect(await rejectionOf(file)).toBe('uploads.undecodable');
  });

  it('distinguish transparency from saved selections, and lose its white matte', async () => {
    const half = [255, 191, 127].map((value) => Buffer.alloc(16, value));
    const planes = [...half, Buffer.alloc(16, 128)];
    const size = { mode: 3, bits: 8, width: 4, height: 4 };
    const selection = await decode(documentOf(planes, size));
    expect(selection.alpha).toBeNull();
    const transparent = await decode(documentOf(planes, { ...size, layers: -1 }));
    expect(transparent.alpha?.[0]).toBe(128);
    expect(Array.from(transparent.rgb.slice(0, 3))).toEqual([255, 128, 0]);
  });

  it('with 16 bits signal transparency in a separate block', async () => {
    const block = Buffer.concat([Buffer.from('8BIMLr16'), u32(2), u16(-1 & 0xffff), u16(0)]);
    const masks = Buffer.concat([Buffer.from('8BIMMt16'), u32(0)]);
    const section = Buffer.concat([u32(0), u32(0), masks, block, Buffer.alloc(8)]);
    const planes = [0xffff, 0xbfff, 0x8000, 0x8000].map((value) =>
      Buffer.concat(new Array<Buffer>(16).fill(u16(value))),
    );
    const layerSection = Buffer.concat([u32(section.length), section]);
    const file = documentOf(planes, { mode: 3, bits: 16, width: 4, height: 4, layerSection });
    const picture = await decode(file, { keepDepth: true });
    expect(picture.alpha?.[0]).toBe(0x8000);
    expect(Array.from(picture.rgb.slice(0, 3), (value) => value >> 8)).toEqual([255, 128, 0]);
  });

  it('without a white matte keep their colors', async () => {
    const planes = [200, 40, 10, 128].map((value) => Buffer.alloc(16, value));
    const picture = await decode(documentOf(planes, { mode: 3, bits: 8, width: 4, height: 4, layers: -1 }));
    expect([...picture.rgb.slice(0, 3), picture.alpha?.[0]]).toEqual([200, 40, 10, 128]);
  });

  it('in CMYK of 16 bits are inverted', async () => {
    const plane = (value: number) => Buffer.concat(new Array<Buffer>(16).fill(u16(value)));
    const size = { mode: 4, bits: 16, width: 4, height: 4 };
    const white = await decode(documentOf([0xffff, 0xffff, 0xffff, 0xffff].map(plane), size));
    expect(Math.min(...white.rgb)).toBeGreaterThan(245);
    const deep = await decode(documentOf([0xffff, 0xffff, 0xffff, 0].map(plane), size), { keepDepth: true });
    expect(deep.rgb).toBeInstanceOf(Uint16Array);
    expect(Math.max(...deep.rgb)).toBeLessThan(0x5000);
  });

  it('in gray or CMYK keep their transparency', async () => {
    const [shade, opacity] = [90, 128].map((value) => Buffer.alloc(16, value));
    const gray = documentOf([shade ?? Buffer.alloc(0), opacity ?? Buffer.alloc(0)], {
      mode: 1,
      bits: 8,
      width: 4,
      height: 4,
      layers: -1,
    });
    const picture = await decode(gray);
    expect([...picture.rgb.slice(0, 3), picture.alpha?.[0]]).toEqual([90, 90, 90, 128]);
    const inks = [255, 255, 255, 255, 128].map((value) => Buffer.alloc(16, value));
    const cmyk = await decode(documentOf(inks, { mode: 4, bits: 8, width: 4, height: 4, layers: -1 }));
    expect(Math.min(...cmyk.rgb)).toBeGreaterThan(245);
    expect(cmyk.alpha?.[0]).toBe(128);
  });

  it('of one bit are black where the bit is set', async () => {
    const file = documentOf([Buffer.from([0xf0, 0xf0])], { mode: 0, bits: 1, width: 8, height: 2 });
    const { rgb } = await decode(file);
    expect([rgb[0], rgb[7 * 3]]).toEqual([0, 255]);
  });

  it('in L*a*b* become sRGB', async () => {
    const planes = [138, 209, 198].map((value) => Buffer.alloc(16, value));
    const { rgb } = await decode(documentOf(planes, { mode: 9, bits: 8, width: 4, height: 4 }));
    const [red = 0, green = 255, blue = 255] = rgb;
    expect(red).toBeGreaterThan(248);
    expect(Math.max(green, blue)).toBeLessThan(12);
  });

  it.each([
    ['gray', 1, 1],
    ['RGB', 3, 3],
  ])('of 32 bits hold linear light: %s', async (_, mode, channels) => {
    const pixel = Buffer.alloc(4);
    pixel.writeFloatBE(0.214);
    const plane = Buffer.concat(new Array<Buffer>(16).fill(pixel));
    const file = documentOf(new Array<Buffer>(channels).fill(plane), { mode, bits: 32, width: 4, height: 4 });
    for (const value of (await decode(file)).rgb) expect(Math.abs(value - 127)).toBeLessThan(2);
  });

  it('of 32 bits in gray with a profile of gray are not black', async () => {
    const pixel = Buffer.alloc(4);
    pixel.writeFloatBE(0.214);
    const plane = Buffer.concat(new Array<Buffer>(16).fill(pixel));
    const file = documentOf([plane], { mode: 1, bits: 32, width: 4, height: 4, icc: grayProfile() });
    for (const value of (await decode(file)).rgb) expect(Math.abs(value - 127)).toBeLessThan(2);
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
      'in an unknown color mode',
      documentOf(
        [0, 1, 2].map(() => Buffer.alloc(16)),
        { mode: 6, bits: 8, width: 4, height: 4 },
      ),
    ],
    ['with only a header', documentOf([], { mode: 3, bits: 8, width: 4, height: 4 }).subarray(0, 26)],
  ])('%s are rejected', async (_, file) => {
    await expect(decode(file)).rejects.toMatchObject({ code: 'uploads.undecodable' });
  });

  it('that claim too many pixels are rejected by their header', async () => {
    const file = documentOf([], { mode: 3, bits: 8, width: 30_000, height: 30_000 });
    await expect(decode(file)).rejects.toMatchObject({ code: 'uploads.too_many_pixels' });
  });

  it('without a merged picture are rejected with what to do', async () => {
    const planes = [0, 1, 2].map(() => Buffer.alloc(16));
    const file = documentOf(planes, { mode: 3, bits: 8, width: 4, height: 4, merged: 0 });
    await expect(decode(file)).rejects.toMatchObject({ code: 'uploads.layers_only' });
  });
});
