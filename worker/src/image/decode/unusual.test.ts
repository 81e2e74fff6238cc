import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { CORNERS, detailed, distance, fieldsOf, fileOf, quadrants, TURNED_HEIC } from '../../test/pictures.js';
import { type IfdEntry, longEntry, longsEntry, shortEntry, shortsEntry, writeIfd } from '../metadata/ifd.js';
import type { Picture } from '../picture/picture.js';
import { decodePicture } from './decode.js';
import { type ProbedImage, probeImage } from './probe.js';

const factsOf = async (bytes: Uint8Array): Promise<ProbedImage> => probeImage(await fileOf(bytes));
const decode = async (bytes: Uint8Array, options: { maxSide?: number; keepDepth?: boolean } = {}): Promise<Picture> =>
  decodePicture(await factsOf(bytes), {
    maxSide: options.maxSide ?? 2048,
    keepDepth: options.keepDepth ?? false,
    signal: new AbortController().signal,
  });
const refusal = async (bytes: Uint8Array): Promise<unknown> =>
  decode(bytes).then(
    () => 'accepted',
    (error: { code?: unknown }) => error.code,
  );

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
/** Every pixel of three samples, followed by `extra`. */
const withExtra = (rgb: Buffer, extra: (pixel: number) => readonly number[]): Uint8Array =>
  Uint8Array.from(
    Array.from({ length: rgb.length / 3 }, (_, pixel) => [
      ...rgb.subarray(pixel * 3, pixel * 3 + 3),
      ...extra(pixel),
    ]).flat(),
  );
const SIZE = { width: 64, height: 48 };
const EXTRA_SAMPLES = 338;

function pngChunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}

async function pngWith(...chunks: readonly Buffer[]): Promise<Buffer> {
  const png = await quadrants().png().toBuffer();
  return Buffer.concat([png.subarray(0, 33), ...chunks, png.subarray(33)]);
}

describe('PNG', () => {
  it('is decoded without its compressed texts', async () => {
    const text = pngChunk('zTXt', Buffer.concat([Buffer.from('k\0\0'), deflateSync(Buffer.alloc(1_000_000))]));
    const file = await pngWith(text, pngChunk('tEXt', Buffer.from('k\0v')), text, pngChunk('iTXt', Buffer.from('k\0')));
    const { source } = await factsOf(file);
    expect(Buffer.from(source).equals(await quadrants().png().toBuffer())).toBe(true);
    expect(distance(fieldsOf(await decode(file)), CORNERS)).toBe(0);
  });

  it('with Display P3 by code points gets the equivalent profile', async () => {
    const { rgb, metadata } = await decode(await pngWith(pngChunk('cICP', Buffer.from([12, 13, 0, 1]))));
    expect(Buffer.from(rgb).equals(await rawQuadrants())).toBe(true);
    const real = (await sharp(await quadrants().withIccProfile('p3').png().toBuffer()).metadata()).icc;
    const [ours, theirs] = await Promise.all(
      [metadata.icc, real].map(async (icc) => {
        const profile = pngChunk('iCCP', Buffer.concat([Buffer.from('x\0\0'), deflateSync(icc ?? Buffer.alloc(0))]));
        return sharp(await pngWith(profile))
          .raw()
          .toBuffer();
      }),
    );
    expect(ours?.equals(await rawQuadrants())).toBe(false);
    ours?.forEach((value, index) => {
      if (Math.abs(value - (theirs?.[index] ?? 0)) > 3) throw new Error('the profiles differ');
    });
  });

  it('with sRGB or HDR by code points gets no profile', async () => {
    for (const code of [
      [1, 13],
      [9, 16],
    ]) {
      const file = await pngWith(pngChunk('cICP', Buffer.from([...code, 0, 1])));
      expect((await decode(file)).metadata.icc).toBeNull();
    }
  });
});

describe('AVIF', () => {
  it('when animated gives its first frame', async () => {
    const file = await quadrants().avif({ effort: 0, lossless: true }).toBuffer();
    file.write('avis', 8, 'latin1');
    expect(distance(fieldsOf(await decode(file)), CORNERS)).toBeLessThan(4);
  });

  it('with Display P3 by code points gets its profile', async () => {
    const file = await quadrants().withIccProfile('p3').avif({ effort: 0 }).toBuffer();
    const at = file.indexOf('colrrICC', 0, 'latin1') + 4;
    file.write('nclx', at, 'latin1');
    for (const [index, code] of [12, 13, 6].entries()) file.writeUInt16BE(code, at + 4 + index * 2);
    const { icc } = (await decode(file)).metadata;
    expect(icc?.includes(Buffer.from('Display P3', 'utf16le').swap16())).toBe(true);
  });
});

/** {@link TURNED_HEIC} and the same picture without the rotation. */
function twoPictures(primary: 1 | 2): Buffer {
  let file = Buffer.from(TURNED_HEIC);
  const at = (type: string) => file.indexOf(type, 0, 'latin1');
  const endOf = (type: string) => at(type) - 4 + file.readUInt32BE(at(type) - 4);
  const append = (type: string, bytes: Buffer, parents: readonly string[]) => {
    const end = endOf(type);
    for (const box of [type, ...parents])
      file.writeUInt32BE(file.readUInt32BE(at(box) - 4) + bytes.length, at(box) - 4);
    file = Buffer.concat([file.subarray(0, end), bytes, file.subarray(end)]);
  };
  const before = file.length;
  const entry = Buffer.from(file.subarray(at('infe') - 4, endOf('infe')));
  entry.writeUInt16BE(2, 12);
  const place = Buffer.from(file.subarray(endOf('iloc') - 14, endOf('iloc')));
  place.writeUInt16BE(2, 0);
  // Essential properties: codec settings and size; the third is the rotation.
  append('ipma', Buffer.from([0, 2, 2, 0x81, 0x02]), ['iprp', 'meta']);
  append('iinf', entry, ['meta']);
  append('iloc', place, ['meta']);
  file.writeUInt32BE(2, at('ipma') + 8);
  file.writeUInt16BE(2, at('iinf') + 8);
  file.writeUInt16BE(2, at('iloc') + 10);
  for (const offset of [endOf('iloc') - 8, endOf('iloc') - 22]) {
    file.writeUInt32BE(file.readUInt32BE(offset) + file.length - before, offset);
  }
  file.writeUInt16BE(primary, at('pitm') + 8);
  return file;
}

describe('a HEIC of several pictures', () => {
  it('gives the primary one', async () => {
    const { topLeft, topRight, bottomRight, bottomLeft } = CORNERS;
    const turned = { topLeft: topRight, topRight: bottomRight, bottomRight: bottomLeft, bottomLeft: topLeft };
    expect(distance(fieldsOf(await decode(twoPictures(1))), turned)).toBeLessThan(12);
    expect(distance(fieldsOf(await decode(twoPictures(2))), CORNERS)).toBeLessThan(12);
  });
});

describe('a JPEG without its end marker', () => {
  it.each([3, 10, 40, 150])('that lacks %d more bytes is refused', async (bytes) => {
    // 4:4:4: only the last row of blocks is hit.
    const file = await detailed().jpeg({ chromaSubsampling: '4:4:4' }).toBuffer();
    expect(await refusal(file.subarray(0, -2))).toBe('accepted');
    expect(await refusal(file.subarray(0, -2 - bytes))).toBe('uploads.undecodable');
  });
});

describe('TIFF', () => {
  it('tiled and cut is refused, although its directory comes first', async () => {
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
      expect(await refusal(file.subarray(0, Math.floor(file.length * share)))).toBe('uploads.undecodable');
    }
  });

  it('with data beyond its end, or too little data, is refused', async () => {
    const far = tiffOf(new Uint8Array(64 * 48 * 3), { ...SIZE, photometric: 2 });
    const at = far.indexOf(Buffer.from([0x17, 0x01, 4, 0]));
    far.writeUInt32LE(1_000_000, at + 8);
    expect(await refusal(far)).toBe('uploads.undecodable');
    // One tile is there, 390,625 are needed.
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
    expect(await refusal(Buffer.concat([header, Buffer.alloc(256), writeIfd(entries, 264)]))).toBe(
      'uploads.undecodable',
    );
  });

  it('may be a BigTIFF', async () => {
    const file = await quadrants().tiff({ bigtiff: true, compression: 'deflate' }).toBuffer();
    expect(distance(fieldsOf(await decode(file)), CORNERS)).toBe(0);
    expect(await refusal(file.subarray(0, -30))).toBe('uploads.undecodable');
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

  it('with five channels keeps colours and transparency', async () => {
    const samples = withExtra(await rawQuadrants(), () => [128, 7]);
    const picture = await decode(tiffOf(samples, { ...SIZE, photometric: 2 }, [shortsEntry(EXTRA_SAMPLES, [2, 0])]));
    expect(distance(fieldsOf(picture), CORNERS)).toBe(0);
    expect(picture.alpha?.[0]).toBe(128);
  });

  // sRGB's red, and a gray, as colour management programs give them under D50.
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
});
