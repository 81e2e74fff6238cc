import { deflateSync, zstdCompressSync } from 'node:zlib';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { decode, rejectionOf } from '../../../test/decoding.js';
import { CORNERS, distance, fieldsOf, quadrants } from '../../../test/pictures.js';
import { type TiffOptions, writeTiff } from '../../../test/tiff.js';
import { shortEntry, shortsEntry } from '../../metadata/ifd.js';

const SIZE = { width: 64, height: 48 };
const RGB: TiffOptions = { ...SIZE, photometric: 2, bits: [8, 8, 8] };
const ZSTD = 50_000;
const DEFLATE = 8;
const SAMPLE_FORMAT = 339;

const rawQuadrants = () => quadrants().raw().toBuffer();
const bytesOf = ({ buffer }: Float64Array | Float32Array | BigUint64Array | Uint16Array): Uint8Array =>
  new Uint8Array(buffer);

describe('TIFF compressed by Zstandard', () => {
  it('keeps its colors, in strips and with a predictor', async () => {
    const rows = await rawQuadrants();
    const strip = 10 * SIZE.width * 3;
    const strips = Array.from({ length: 5 }, (_, index) => rows.subarray(index * strip, (index + 1) * strip));
    const options = { ...RGB, compression: ZSTD, rowsPerStrip: 10 };
    const plain = writeTiff(
      strips.map((bytes) => zstdCompressSync(bytes)),
      options,
    );
    expect(distance(fieldsOf(await decode(plain)), CORNERS)).toBe(0);
    const differences = Buffer.from(rows);
    for (let at = rows.length - 1; at >= 0; at--) {
      if (at % (SIZE.width * 3) >= 3) differences[at] = (rows[at] ?? 0) - (rows[at - 3] ?? 0);
    }
    const predicted = writeTiff([zstdCompressSync(differences)], {
      ...options,
      rowsPerStrip: 48,
      more: [shortEntry(317, 2)],
    });
    expect(distance(fieldsOf(await decode(predicted)), CORNERS)).toBe(0);
  });

  it('that unpacks to more than its picture, or to nothing, is rejected', async () => {
    const options = { ...RGB, compression: ZSTD };
    expect(await rejectionOf(writeTiff([zstdCompressSync(Buffer.alloc(50_000_000))], options))).toBe(
      'uploads.undecodable',
    );
    expect(await rejectionOf(writeTiff([Buffer.alloc(500, 7)], options))).toBe('uploads.undecodable');
    expect(await rejectionOf(writeTiff([Buffer.alloc(500)], { ...options, width: 20_000, height: 20_000 }))).toBe(
      'uploads.too_many_pixels',
    );
  });

  it('whose strip has more bytes than a thread should hold is rejected before it is unpacked', async () => {
    const strip = zstdCompressSync(Buffer.alloc(1_000));
    const size = { width: 9_000, height: 9_000, rowsPerStrip: 9_000 };
    const file = writeTiff([strip], { ...RGB, ...size, compression: ZSTD, bits: [16, 16, 16] });
    const error = await decode(file).catch((cause: Error) => cause);
    expect(error).toMatchObject({ code: 'uploads.undecodable' });
    expect(error).not.toHaveProperty('cause');
  });
});

/** An .xz stream of one block: 64 x 48 gray pixels as differences, written by Python's `lzma`. */
const XZ_OF_GRAY = [
  'fd377a585a000000ff12d941020103010021011c67c9110ee00bff01ef5d006400314760100439dd9ed2c0123e1cc16d1b5b95a797ba0d',
  'd94519078c28cfde476264dbd51f7850f3b151526ce1bb6c6d1fcd5bc2b9ecba303b581e9149566b83f5488eb275977f85f744b7f9d7cf',
  '2f81b705e124cadc536cab24f1fdea5e3aea3844fc50aff330f1ec9acfeb05e50ac5eebc8d84f23e97b69a0fe5c43b06e06d9eb0d8f5ec',
  'f49e17cc62a49e3c90b21c50aca8c55f16adfdb94f2242ceb13e0bace0c461932ed547368644eb719554a3efc3b0fa2bc2fc2686f6b7f8',
  '86832e41b9913843534f8bbdfdee2291d269add27d056e3028f82c5b9668cc730bf1228bc3627eb5c0e99d5389b278cef7d17ea17632b8',
  'b4b249808e52ee75ea1bfd2e4e1758b0db7cce715378ddd12a66de3011999dcced39a1ba9e8c8260f9a13bb01bf881d25853c78d7fb06a',
  'c9b8791f82abbca70d69fe340f2dd0704de770814414f47570bf38bac21b3eeb152cf864ef6606a52a7fb75a2a2ed09a1140ee63041b20',
  'c0ad9ade31e8303bb04cf1e1052750860c14bc606a60f08acabefc118288fe4dcd67a7797d070f739d7dbd7292fd2d6337b0cec1b1200c',
  'efca7eda0e4f7ae1a60bede3497053a5b4df2dbbb12176c528831fa39992e65ea4abf988a3f4b154ca26a00535726ac47d94f9b1765564',
  '9c7bd6c78ea4bb246fc85cfb85eaaf5097c2b7f68c6b15cbb47b1a89aef4000000000183048018000098509d51a8000afc020000000000',
  '595a',
].join('');

describe('TIFF compressed by LZMA', () => {
  const gray = { ...SIZE, photometric: 1, bits: [8], compression: 34_925 };
  const xz = Buffer.from(XZ_OF_GRAY, 'hex');

  it('keeps its tones', async () => {
    const { rgb } = await decode(writeTiff([xz], gray));
    expect([rgb[0], rgb.at(-1)]).toEqual([200, 60]);
  });

  it('that unpacks to more than its picture, or is damaged, is rejected', async () => {
    expect(await rejectionOf(writeTiff([xz], { ...gray, height: 20 }))).toBe('uploads.undecodable');
    for (const at of [0, 20, 40]) {
      const damaged = Buffer.from(xz).fill(0xaa, at, at + 12);
      expect(await rejectionOf(writeTiff([damaged], gray))).toBe('uploads.undecodable');
    }
    expect(await rejectionOf(writeTiff([xz.subarray(0, 60)], gray))).toBe('uploads.undecodable');
  });
});

describe('TIFF of wide samples', () => {
  it.each([
    ['integers of 64 bits', 64, 1, (codes: Buffer) => BigUint64Array.from(codes, (code) => BigInt(code) << 56n)],
    ['floats of 64 bits', 64, 3, (codes: Buffer) => Float64Array.from(codes, linear)],
    ['floats of 16 bits', 16, 3, (codes: Buffer) => Uint16Array.from(codes, (code) => halfOf(linear(code)))],
  ] as const)('keeps the colors of %s', async (_, bits, format, make) => {
    const samples = Buffer.from(bytesOf(make(await rawQuadrants())));
    const options = { ...RGB, bits: [bits, bits, bits], more: [shortsEntry(SAMPLE_FORMAT, [format, format, format])] };
    for (const file of [
      writeTiff([samples], options),
      writeTiff([deflateSync(samples)], { ...options, compression: DEFLATE }),
    ]) {
      expect(distance(fieldsOf(await decode(file)), CORNERS)).toBeLessThan(3);
    }
  });
});

describe('TIFF of wide samples with a predictor', () => {
  const bits = [64, 64, 64];
  const format = shortsEntry(SAMPLE_FORMAT, [3, 3, 3]);
  const rowBytes = SIZE.width * 3 * 8;

  it.each([
    ['differences', 2, differences],
    ['differences of bytes', 3, byteDifferences],
  ] as const)('keeps its colors from %s, in strips and tiles', async (_, predictor, predict) => {
    const samples = Buffer.from(bytesOf(Float64Array.from(await rawQuadrants(), linear)));
    const more = [format, shortEntry(317, predictor)];
    const stored = predict(samples, rowBytes);
    const strips = writeTiff([deflateSync(stored)], { ...RGB, bits, compression: DEFLATE, more });
    expect(distance(fieldsOf(await decode(strips)), CORNERS)).toBeLessThan(3);
    const tiles = Array.from({ length: 12 }, (_each, index) => {
      const [left, top] = [(index % 4) * 16 * 24, Math.floor(index / 4) * 16];
      const rows = Array.from({ length: 16 }, (_row, row) => {
        const at = (top + row) * rowBytes + left;
        return samples.subarray(at, at + 16 * 24);
      });
      return deflateSync(predict(Buffer.concat(rows), 16 * 24));
    });
    const tiled = writeTiff(tiles, { ...RGB, bits, compression: DEFLATE, tile: 16, more });
    expect(distance(fieldsOf(await decode(tiled)), CORNERS)).toBeLessThan(3);
  });

  it('keeps the tones of floats of 16 bits', async () => {
    const halves = Buffer.from(bytesOf(new Uint16Array(SIZE.width * SIZE.height).fill(halfOf(linear(90)))));
    const stored = Buffer.from(halves);
    // The first half of a row are high bytes, all equal: only the first byte of each half differs from the one before.
    for (let row = 0; row < stored.length; row += SIZE.width * 2) {
      stored.fill(0, row, row + SIZE.width * 2);
      stored[row] = halves[1] ?? 0;
      stored[row + SIZE.width] = (halves[0] ?? 0) - (halves[1] ?? 0);
    }
    const more = [shortEntry(SAMPLE_FORMAT, 3), shortEntry(317, 3)];
    const file = writeTiff([deflateSync(stored)], { ...SIZE, photometric: 1, bits: [16], compression: DEFLATE, more });
    expect(Math.abs(((await decode(file)).rgb[0] ?? 0) - 90)).toBeLessThan(2);
  });
});

/** Each sample of 64 bits minus the one to the left. */
function differences(samples: Buffer, rowBytes: number): Buffer {
  const result = Buffer.from(samples);
  for (let at = 0; at < samples.length; at += 8) {
    if (at % rowBytes < 24) continue;
    result.writeBigUInt64LE(BigInt.asUintN(64, samples.readBigUInt64LE(at) - samples.readBigUInt64LE(at - 24)), at);
  }
  return result;
}

/** Bytes of all samples of a row, the most significant first, minus those of the pixel to the left. */
function byteDifferences(samples: Buffer, rowBytes: number): Buffer {
  const result = Buffer.alloc(samples.length);
  const count = rowBytes / 8;
  for (let at = 0; at < samples.length; at++) {
    const [row, sample, byte] = [Math.floor(at / rowBytes), Math.floor((at % rowBytes) / 8), at % 8];
    result[row * rowBytes + (7 - byte) * count + sample] = samples[at] ?? 0;
  }
  const sorted = Buffer.from(result);
  for (let at = 0; at < result.length; at++) {
    if (at % rowBytes >= 3) result[at] = (sorted[at] ?? 0) - (sorted[at - 3] ?? 0);
  }
  return result;
}

describe('TIFF without a photometric interpretation', () => {
  it('is RGB, gray, or black on white', async () => {
    expect(
      distance(fieldsOf(await decode(writeTiff([await rawQuadrants()], { ...RGB, photometric: null }))), CORNERS),
    ).toBe(0);
    const gray = await decode(writeTiff([Buffer.alloc(64 * 48, 90)], { ...SIZE, photometric: null, bits: [8] }));
    expect(gray.rgb[0]).toBe(90);
    const fax = await sharp(Buffer.alloc(64 * 48), { raw: { ...SIZE, channels: 1 } })
      .toColourspace('b-w')
      .tiff({ compression: 'ccittfax4', bitdepth: 1, miniswhite: true })
      .toBuffer();
    const at = fax.indexOf(Buffer.from([0x06, 0x01, 0x03, 0x00, 0x01, 0x00, 0x00, 0x00]));
    expect(at).toBeGreaterThan(0);
    // A private tag, unknown to all readers, in its place.
    fax.writeUInt16LE(261, at);
    expect((await decode(fax)).rgb[0]).toBe(0);
  });
});

const linear = (code: number): number =>
  code / 255 <= 0.04045 ? code / 255 / 12.92 : ((code / 255 + 0.055) / 1.055) ** 2.4;

/** IEEE 754 binary16 of a number in 0.0001..1. */
function halfOf(value: number): number {
  const exponent = Math.floor(Math.log2(value));
  return ((exponent + 15) << 10) | Math.round((value / 2 ** exponent - 1) * 1023);
}
