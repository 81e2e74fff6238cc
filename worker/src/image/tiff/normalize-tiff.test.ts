import { deflateSync, zstdCompressSync } from 'node:zlib';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { decode, rejectionOf } from '../../test/decoding.js';
import { CORNERS, distance, fieldsOf, quadrants } from '../../test/pictures.js';
import { type TiffOptions, writeTiff } from '../../test/tiff.js';
import { shortEntry, shortsEntry } from '../metadata/ifd.js';

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
