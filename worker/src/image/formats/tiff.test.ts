import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { decode, rejectionOf } from '../../test/decoding.js';
import { CORNERS, distance, fieldsOf, quadrants } from '../../test/pictures.js';
import {
  bytesEntry,
  type IfdEntry,
  longEntry,
  longsEntry,
  shortEntry,
  shortsEntry,
  UNDEFINED,
  writeIfd,
} from '../ifd.js';

/** A little-endian TIFF of one uncompressed strip. */
function tiffOf(
  samples: Uint8Array | Uint16Array | Float32Array,
  { width, height, photometric }: { width: number; height: number; photometric: number },
  more: readonly IfdEntry[] = [],
): Buffer {
  const data = Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength);
  const channels = samples.length / (width * height);
  const entries = [
    longEntry(256, width),
    longEntry(257, height),
    shortsEntry(258, new Array<number>(channels).fill(samples.BYTES_PER_ELEMENT * 8)),
    shortEntry(259, 1),
    shortEntry(262, photometric),
    longEntry(273, 8),
    shortEntry(277, channels),
    longEntry(278, height),
    longEntry(279, data.length),
    ...more,
  ];
  const header = Buffer.from([0x49, 0x49, 42, 0, 0, 0, 0, 0]);
  header.writeUInt32LE(8 + data.length, 4);
  return Buffer.concat([header, data, writeIfd(entries, 8 + data.length)]);
}

const rawQuadrants = () => quadrants().raw().toBuffer();
const withExtra = (rgb: Buffer, extra: (pixel: number) => readonly number[]): Uint8Array =>
  Uint8Array.from(
    Array.from({ length: rgb.length / 3 }, (_, pixel) => [
      ...rgb.subarray(pixel * 3, pixel * 3 + 3),
      ...extra(pixel),
    ]).flat(),
  );
const SIZE = { width: 64, height: 48 };
const EXTRA_SAMPLES = 338;
const ICC_PROFILE = 34675;

describe('TIFF', () => {
  it('truncated after its directory is rejected', async () => {
    const entries = (data: number) => [
      longEntry(256, 64),
      longEntry(257, 64),
      shortEntry(258, 8),
      shortEntry(259, 1),
      shortEntry(262, 1),
      shortEntry(277, 1),
      longEntry(322, 32),
      longEntry(323, 32),
      longsEntry(
        324,
        [0, 1, 2, 3].map((tile) => data + tile * 1024),
      ),
      longsEntry(325, new Array<number>(4).fill(1024)),
    ];
    const directory = writeIfd(entries(8 + writeIfd(entries(0), 8).length), 8);
    const file = Buffer.concat([Buffer.from([0x49, 0x49, 42, 0, 8, 0, 0, 0]), directory, Buffer.alloc(4096, 77)]);
    expect((await decode(file)).rgb[9_999]).toBe(77);
    for (const share of [0.3, 0.6, 0.9, 0.999]) {
      expect(await rejectionOf(file.subarray(0, Math.floor(file.length * share)))).toBe('uploads.undecodable');
    }
  });

  it('with data beyond its end, or too little data, is rejected', async () => {
    const far = tiffOf(new Uint8Array(64 * 48 * 3), { ...SIZE, photometric: 2 });
    const at = far.indexOf(Buffer.from([0x17, 0x01, 4, 0]));
    far.writeUInt32LE(1_000_000, at + 8);
    expect(await rejectionOf(far)).toBe('uploads.undecodable');
    // Has 1 of 390,625 tiles.
    const entries = [
      longEntry(256, 9_999),
      longEntry(257, 9_999),
      shortEntry(258, 8),
      shortEntry(259, 1),
      shortEntry(262, 1),
      shortEntry(277, 1),
      longEntry(322, 16),
      longEntry(323, 16),
      longsEntry(324, [8]),
      longsEntry(325, [256]),
    ];
    const header = Buffer.from([0x49, 0x49, 42, 0, 8, 1, 0, 0]);
    expect(await rejectionOf(Buffer.concat([header, Buffer.alloc(256), writeIfd(entries, 264)]))).toBe(
      'uploads.undecodable',
    );
  });

  it('may be a BigTIFF', async () => {
    const file = await quadrants().tiff({ bigtiff: true, compression: 'deflate' }).toBuffer();
    expect(distance(fieldsOf(await decode(file)), CORNERS)).toBe(0);
    expect(await rejectionOf(file.subarray(0, -30))).toBe('uploads.undecodable');
  });

  it('with a fourth channel other than transparency is opaque, also when scaled', async () => {
    const samples = withExtra(await rawQuadrants(), (pixel) => [pixel % 3 === 0 ? 0 : 90]);
    const file = tiffOf(samples, { ...SIZE, photometric: 2 }, [shortEntry(EXTRA_SAMPLES, 0)]);
    for (const maxSide of [2048, 32]) {
      const picture = await decode(file, { maxSide });
      expect(picture.alpha).toBeNull();
      expect(distance(fieldsOf(picture), CORNERS)).toBeLessThan(3);
    }
    const gray = tiffOf(
      Uint8Array.from({ length: 64 * 48 * 2 }, (_, index) => (index % 2 === 0 ? 90 : 10)),
      { ...SIZE, photometric: 1 },
      [shortEntry(EXTRA_SAMPLES, 0)],
    );
    const { rgb, alpha } = await decode(gray);
    expect([alpha, rgb[0], rgb[100]]).toEqual([null, 90, 90]);
  });

  it('with five channels keeps colors and transparency', async () => {
    const samples = withExtra(await rawQuadrants(), () => [128, 7]);
    const picture = await decode(tiffOf(samples, { ...SIZE, photometric: 2 }, [shortsEntry(EXTRA_SAMPLES, [2, 0])]));
    expect(distance(fieldsOf(picture), CORNERS)).toBe(0);
    expect(picture.alpha?.[0]).toBe(128);
  });

  // sRGB's red, under D50.
  const RED = [54.29, 80.81, 69.89] as const;
  const labPixels = (make: (lab: readonly number[]) => number[]) =>
    Array.from({ length: 64 * 48 }, (_, pixel) => make(pixel % 64 < 32 ? RED : [53.39, 0, 0])).flat();

  it.each([
    ['8 bits', 8, Uint8Array.from(labPixels(([l = 0, a = 0, b = 0]) => [l * 2.55, a & 0xff, b & 0xff]))],
    ['8 bits, of the ICC kind', 9, Uint8Array.from(labPixels(([l = 0, a = 0, b = 0]) => [l * 2.55, a + 128, b + 128]))],
    [
      '16 bits',
      8,
      Uint16Array.from(labPixels(([l = 0, a = 0, b = 0]) => [l * 655.35, (a * 256) & 0xffff, (b * 256) & 0xffff])),
    ],
  ])('in L*a*b* of %s becomes sRGB', async (_, photometric, samples) => {
    const { rgb } = await decode(tiffOf(samples, { ...SIZE, photometric }));
    const [red, gray] = [rgb.slice(0, 3), rgb.slice(40 * 3, 40 * 3 + 3)];
    for (const [index, value] of [255, 0, 0].entries()) expect(Math.abs((red[index] ?? 0) - value)).toBeLessThan(9);
    for (const value of gray) expect(Math.abs(value - 127)).toBeLessThan(3);
  });

  it('with one channel of linear light is not black', async () => {
    const light = new Float32Array(64 * 48).fill(0.214);
    const { rgb } = await decode(tiffOf(light, { ...SIZE, photometric: 1 }, [shortEntry(339, 3)]));
    expect([rgb[0], rgb[1], rgb[2]]).toEqual([127, 127, 127]);
  });

  it.each([
    ['without scaling', 1, () => []],
    ['in the range that the file declares', 255, rangeOf],
  ] as const)('with floats that are codes, %s, keeps them', async (_, divisor, range) => {
    const codes = Float32Array.from(await quadrants().raw().toBuffer(), (sample) => sample / divisor);
    const color = await decode(tiffOf(codes, { ...SIZE, photometric: 2 }, [shortEntry(339, 3), ...range(3)]));
    expect(distance(fieldsOf(color), CORNERS)).toBeLessThan(2);
    const tones = new Float32Array(64 * 48).fill(100 / divisor);
    const { rgb } = await decode(tiffOf(tones, { ...SIZE, photometric: 1 }, [shortEntry(339, 3), ...range(1)]));
    expect(rgb[0]).toBe(100);
  });

  it('with three channels of floats and a profile keeps both', async () => {
    const { icc = Buffer.alloc(0) } = await sharp(await quadrants().withIccProfile('p3').png().toBuffer()).metadata();
    const codes = Float32Array.from(await quadrants().raw().toBuffer(), (sample) => sample / 255);
    const file = tiffOf(codes, { ...SIZE, photometric: 2 }, [
      shortEntry(339, 3),
      bytesEntry(ICC_PROFILE, UNDEFINED, icc),
    ]);
    const picture = await decode(file);
    expect(distance(fieldsOf(picture), CORNERS)).toBe(0);
    expect(picture.metadata.icc).toEqual(icc);
  });
});

const rangeOf = (channels: number) => [
  shortsEntry(340, new Array<number>(channels).fill(0)),
  shortsEntry(341, new Array<number>(channels).fill(1)),
];
