import { zstdCompressSync } from 'node:zlib';
import { type Layer, writePsdBuffer } from 'ag-psd';
import type { JpegOptions } from 'sharp';
import { describe, expect, it } from 'vitest';
import { decode, probe, rejectionOf } from '../../test/decoding.js';
import { CORNERS, distance, fieldsOf, quadrants } from '../../test/pictures.js';
import { writeTiff } from '../../test/tiff.js';
import { type IfdEntry, longEntry, longsEntry, shortEntry, shortsEntry, writeIfd } from '../ifd.js';
import { readTiffLayout } from './tiff-layout.js';

const SIZE = { width: 64, height: 48 };
/** Offset of the data: after the header. */
const DATA_AT = 8;

/** A little-endian TIFF of RGB, 64 x 48 pixels, with its data after the header. */
function tiffOf(data: Buffer, entries: readonly IfdEntry[]): Buffer {
  const common = [longEntry(256, SIZE.width), longEntry(257, SIZE.height), shortEntry(277, 3)];
  const sorted = [...common, ...entries].sort((one, other) => one.tag - other.tag);
  const padded = Buffer.concat([data, Buffer.alloc(data.length % 2)]);
  const header = Buffer.from([0x49, 0x49, 42, 0, 0, 0, 0, 0]);
  header.writeUInt32LE(DATA_AT + padded.length, 4);
  return Buffer.concat([header, padded, writeIfd(sorted, DATA_AT + padded.length)]);
}

const oneStrip = (data: Buffer, bits: number, more: readonly IfdEntry[] = []): Buffer =>
  tiffOf(data, [
    shortsEntry(258, [bits, bits, bits]),
    shortEntry(259, 1),
    shortEntry(262, 2),
    longEntry(273, DATA_AT),
    longEntry(278, SIZE.height),
    longEntry(279, data.length),
    ...more,
  ]);

const rawQuadrants = () => quadrants().raw().toBuffer();

/** Samples of `bits` bits in sequence, the most significant bit first. A row ends with a whole byte here. */
function packed(samples: Uint8Array, bits: number): Buffer {
  const bytes = Buffer.alloc((samples.length * bits) / 8);
  samples.forEach((sample, index) => {
    const value = Math.round((sample / 255) * (2 ** bits - 1));
    for (let bit = 0; bit < bits; bit++) {
      const at = index * bits + bit;
      if ((value >> (bits - 1 - bit)) & 1) bytes[at >> 3] = (bytes[at >> 3] ?? 0) | (0x80 >> (at & 7));
    }
  });
  return bytes;
}

describe('a TIFF that libvips does not read', () => {
  it.each([2, 4, 10, 12, 14])('of %d bits a sample keeps its colors', async (bits) => {
    const picture = await decode(oneStrip(packed(await rawQuadrants(), bits), bits));
    expect(picture).toMatchObject({ ...SIZE, alpha: null });
    expect(distance(fieldsOf(picture), CORNERS)).toBeLessThan(bits === 2 ? 50 : 12);
  });

  it('of integers of 32 bits a sample keeps its colors', async () => {
    const samples = Uint32Array.from(await rawQuadrants(), (sample) => sample * 0x01010101);
    const picture = await decode(oneStrip(Buffer.from(samples.buffer), 32));
    expect(distance(fieldsOf(picture), CORNERS)).toBeLessThan(2);
  });

  it('of YCbCr without JPEG keeps its colors', async () => {
    const rgb = await rawQuadrants();
    const samples = Buffer.alloc(rgb.length);
    for (let at = 0; at < rgb.length; at += 3) {
      const [red = 0, green = 0, blue = 0] = rgb.subarray(at, at + 3);
      const luma = 0.299 * red + 0.587 * green + 0.114 * blue;
      samples.set([luma, 128 + (blue - luma) / 1.772, 128 + (red - luma) / 1.402].map(Math.round), at);
    }
    const file = oneStrip(samples, 8, [shortsEntry(530, [1, 1])]);
    file.writeUInt16LE(6, readTiffLayout(file)?.photometricAt ?? 0);
    expect(distance(fieldsOf(await decode(file)), CORNERS)).toBeLessThan(4);
  });

  it('of tiles of separate planes keeps its colors', async () => {
    const samples = await rawQuadrants();
    const [across, down] = [SIZE.width / 16, SIZE.height / 16];
    const tiles = [0, 1, 2].flatMap((plane) =>
      Array.from({ length: across * down }, (_, tile) =>
        Uint8Array.from({ length: 256 }, (_unused, pixel) => {
          const x = (tile % across) * 16 + (pixel % 16);
          const y = Math.floor(tile / across) * 16 + Math.floor(pixel / 16);
          return samples[(y * SIZE.width + x) * 3 + plane] ?? 0;
        }),
      ),
    );
    const file = tiffOf(Buffer.concat(tiles), [
      shortsEntry(258, [8, 8, 8]),
      shortEntry(259, 1),
      shortEntry(262, 2),
      shortEntry(284, 2),
      longEntry(322, 16),
      longEntry(323, 16),
      longsEntry(
        324,
        tiles.map((_, index) => DATA_AT + index * 256),
      ),
      longsEntry(325, new Array<number>(tiles.length).fill(256)),
    ]);
    expect(distance(fieldsOf(await decode(file)), CORNERS)).toBe(0);
  });

  it('of old-style JPEG keeps its colors', async () => {
    const jpeg = await quadrants().jpeg({ chromaSubsampling: '4:4:4', quality: 95 }).toBuffer();
    const file = tiffOf(jpeg, [
      shortsEntry(258, [8, 8, 8]),
      shortEntry(259, 6),
      shortEntry(262, 6),
      longEntry(513, DATA_AT),
      longEntry(514, jpeg.length),
      shortsEntry(530, [1, 1]),
    ]);
    expect(distance(fieldsOf(await decode(file)), CORNERS)).toBeLessThan(8);
  });

  it('is turned upright', async () => {
    const file = oneStrip(packed(await rawQuadrants(), 12), 12, [shortEntry(274, 6)]);
    expect(await probe(file)).toMatchObject({ width: SIZE.height, height: SIZE.width });
    const picture = await decode(file);
    expect(picture).toMatchObject({ width: SIZE.height, height: SIZE.width });
    const { topLeft, topRight, bottomRight, bottomLeft } = CORNERS;
    const turned = { topLeft: bottomLeft, topRight: topLeft, bottomRight: topRight, bottomLeft: bottomRight };
    expect(distance(fieldsOf(picture), turned)).toBeLessThan(3);
  });

  it('is rejected when truncated, too large or damaged', async () => {
    const file = oneStrip(packed(await rawQuadrants(), 12), 12);
    expect(await rejectionOf(file.subarray(0, 5000))).toBe('uploads.undecodable');
    const large = Buffer.from(file);
    for (const tag of [256, 257]) large.writeUInt32LE(50_000, large.indexOf(Buffer.from([tag & 0xff, 1, 4, 0])) + 8);
    expect(await rejectionOf(large)).toBe('uploads.too_many_pixels');
    const noJpeg = tiffOf(Buffer.alloc(500, 7), [shortsEntry(258, [8, 8, 8]), shortEntry(259, 6), shortEntry(262, 6)]);
    expect(await rejectionOf(noJpeg)).toBe('uploads.undecodable');
  });

  it('of floats of 16 bits keeps its colors', async () => {
    const [black, white] = [0, 0x3c00];
    const halves = Uint16Array.from(await rawQuadrants(), (sample) => (sample > 127 ? white : black));
    const more = [shortsEntry(339, [3, 3, 3])];
    const { rgb } = await decode(oneStrip(Buffer.from(halves.buffer), 16, more));
    expect([...rgb.slice(0, 3)]).toEqual([255, 0, 0]);
  });

  it.each([
    ['compressed by Zstandard', 8, 50_000, zstdCompressSync],
    ['of 64 bits a sample', 64, 1, (samples: Buffer) => Buffer.alloc(samples.length * 8)],
  ])('%s is rejected instead of misread', async (_, bits, compression, store) => {
    const options = { ...SIZE, photometric: 2, bits: [bits, bits, bits], compression };
    expect(await rejectionOf(writeTiff([store(await rawQuadrants())], options))).toBe('uploads.undecodable');
  });

  it('of gray apart from its transparency is rejected instead of misread', async () => {
    const planes = [Buffer.alloc(SIZE.width * SIZE.height, 90), Buffer.alloc(SIZE.width * SIZE.height, 128)];
    const options = { ...SIZE, photometric: 1, bits: [8, 8], more: [shortEntry(284, 2), shortEntry(338, 2)] };
    expect(await rejectionOf(writeTiff(planes, options))).toBe('uploads.undecodable');
  });
});

const MARKER = { baseline: 0xc0, extended: 0xc1, quantization: 0xdb, scan: 0xda };

/** For want of an encoder: 12 bits have the same coefficients, and steps that are 16 times as large. */
async function writeDeepJpeg(options: JpegOptions): Promise<Buffer> {
  const shallow = await quadrants()
    .jpeg({ quality: 95, chromaSubsampling: '4:4:4', ...options })
    .toBuffer();
  const parts: Buffer[] = [shallow.subarray(0, 2)];
  for (let at = 2; ; ) {
    const marker = shallow.readUInt8(at + 1);
    const segment = Buffer.from(shallow.subarray(at, at + 2 + shallow.readUInt16BE(at + 2)));
    at += segment.length;
    if (marker === MARKER.quantization) parts.push(...tablesOf(segment.subarray(4)));
    else parts.push(segment);
    if (marker === MARKER.baseline) segment[1] = MARKER.extended;
    if (marker >= MARKER.baseline && marker <= MARKER.baseline + 2) segment[4] = 12;
    if (marker === MARKER.scan) return Buffer.concat([...parts, shallow.subarray(at)]);
  }
}

/** Tables of 16 bits. */
function tablesOf(segment: Buffer): Buffer[] {
  return Array.from({ length: segment.length / 65 }, (_, index) => {
    const table = segment.subarray(index * 65, (index + 1) * 65);
    const written = Buffer.from([0xff, MARKER.quantization, 0, 131, 0x10 | (table[0] ?? 0), ...new Array(128).fill(0)]);
    for (let at = 0; at < 64; at++) written.writeUInt16BE((table[at + 1] ?? 0) * 16, 5 + at * 2);
    return written;
  });
}

describe('a JPEG of 12 bits', () => {
  it.each<JpegOptions>([{}, { progressive: true }])('keeps its colors: %o', async (options) => {
    const file = await writeDeepJpeg(options);
    expect(await probe(file)).toMatchObject({ contentType: 'image/jpeg', ...SIZE });
    expect(distance(fieldsOf(await decode(file)), CORNERS)).toBeLessThan(8);
  });

  it('that ends early is rejected', async () => {
    const file = await writeDeepJpeg({});
    for (const share of [0.2, 0.5, 0.9]) {
      expect(await rejectionOf(file.subarray(0, file.length * share))).toBe('uploads.undecodable');
    }
  });
});

const LAYER = { width: 8, height: 8 };

const layerOf = (color: readonly number[], more: Layer = {}): Layer => ({
  ...{ top: 0, left: 0 },
  imageData: {
    ...LAYER,
    data: Uint8ClampedArray.from({ length: LAYER.width * LAYER.height * 4 }, (_, index) => color[index % 4] ?? 0),
  },
  ...more,
});

/** A document without a merged picture, its layers from bottom to top. */
const documentOf = (...children: Layer[]): Buffer =>
  writePsdBuffer({
    ...{ width: 16, height: 16, children },
    imageResources: { versionInfo: { hasRealMergedData: false, writerName: '', readerName: '', fileVersion: 1 } },
  });

describe('a Photoshop document of layers only', () => {
  it('is flattened: places, opacity, blend modes and hidden layers', async () => {
    const { rgb, alpha, width } = await decode(
      documentOf(
        layerOf([200, 0, 0, 255]),
        layerOf([0, 0, 100, 255], { left: 4, opacity: 0.5 }),
        layerOf([128, 128, 128, 255], { top: 4, left: -4, blendMode: 'multiply' }),
        layerOf([0, 255, 0, 255], { hidden: true }),
      ),
    );
    const pixelAt = (x: number, y: number) => {
      const at = y * width + x;
      return [...rgb.slice(at * 3, at * 3 + 3), alpha?.[at] ?? 255];
    };
    const expected = [
      { at: [1, 1], color: [200, 0, 0, 255] },
      { at: [6, 1], color: [100, 0, 50, 255] },
      { at: [10, 1], color: [0, 0, 100, 128] },
      { at: [1, 6], color: [100, 0, 0, 255] },
    ] as const;
    for (const { at, color } of expected) {
      const shown = pixelAt(at[0], at[1]);
      for (const [channel, value] of color.entries()) expect(Math.abs((shown[channel] ?? 0) - value)).toBeLessThan(3);
    }
    expect(pixelAt(14, 14)[3]).toBe(0);
  });
});
