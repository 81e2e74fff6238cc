import sharp, { type JpegOptions } from 'sharp';
import { describe, expect, it } from 'vitest';
import { decode, probe, rejectionOf } from '../../test/decoding.js';

const MARKER = { baseline: 0xc0, extended: 0xc1, quantization: 0xdb, scan: 0xda };
const SIZE = { width: 75, height: 51 };

/** Smooth in all channels, so that a wrong coefficient shows; its size is no multiple of a block. */
function picture(): Buffer {
  const samples = Buffer.alloc(SIZE.width * SIZE.height * 3);
  for (let pixel = 0; pixel < SIZE.width * SIZE.height; pixel++) {
    const [x, y] = [pixel % SIZE.width, Math.floor(pixel / SIZE.width)];
    samples.set([20 + 3 * x, 20 + 4 * y, 130 + 90 * Math.sin(x / 9 + y / 7)], pixel * 3);
  }
  return samples;
}

/** For want of an encoder: 12 bits have the same coefficients, and steps that are 16 times as large. */
async function writeDeep(options: JpegOptions, isGray = false): Promise<{ shallow: Buffer; deep: Buffer }> {
  const image = sharp(picture(), { raw: { ...SIZE, channels: 3 } });
  const shallow = await (isGray ? image.toColourspace('b-w') : image).jpeg({ quality: 95, ...options }).toBuffer();
  const parts: Buffer[] = [shallow.subarray(0, 2)];
  for (let at = 2; ; ) {
    const marker = shallow.readUInt8(at + 1);
    const segment = Buffer.from(shallow.subarray(at, at + 2 + shallow.readUInt16BE(at + 2)));
    at += segment.length;
    if (marker === MARKER.quantization) parts.push(...tablesOf(segment.subarray(4)));
    else parts.push(segment);
    if (marker === MARKER.baseline) segment[1] = MARKER.extended;
    if (marker >= MARKER.baseline && marker <= MARKER.baseline + 2) segment[4] = 12;
    if (marker === MARKER.scan) return { shallow, deep: Buffer.concat([...parts, shallow.subarray(at)]) };
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
  it.each<JpegOptions>([
    { chromaSubsampling: '4:4:4' },
    { chromaSubsampling: '4:2:0' },
    { chromaSubsampling: '4:2:0', progressive: true },
    { chromaSubsampling: '4:4:4', progressive: true, optimizeScans: true, mozjpeg: true },
    { chromaSubsampling: '4:4:4', quality: 60, progressive: true },
  ])('with %o looks like the same one of 8 bits', async (options) => {
    const { shallow, deep } = await writeDeep(options);
    expect(await probe(deep)).toMatchObject({ contentType: 'image/jpeg', decoder: 'deep-jpeg', ...SIZE });
    expect(await differenceOf(deep, shallow)).toBeLessThan(options.chromaSubsampling === '4:2:0' ? 1.5 : 1);
  });

  it('in gray keeps its tones', async () => {
    const { shallow, deep } = await writeDeep({}, true);
    expect(await differenceOf(deep, shallow)).toBeLessThan(1);
  });

  it.each<JpegOptions>([{ chromaSubsampling: '4:2:0' }, { chromaSubsampling: '4:2:0', progressive: true }])(
    'with %o that ends early or is damaged is rejected',
    async (options) => {
      const { deep } = await writeDeep(options);
      for (const share of [0.02, 0.2, 0.5, 0.97]) {
        expect(await rejectionOf(deep.subarray(0, deep.length * share))).toBe('uploads.undecodable');
      }
      const scan = deep.indexOf(Buffer.from([0xff, MARKER.scan])) + 14;
      expect(await rejectionOf(Buffer.from(deep).fill(0xfe, scan, scan + 400))).toBe('uploads.undecodable');
    },
  );
});

/** White of 8 bits is 16 times 255 of 4,095. */
const SCALE = (16 * 255) / 4_095;

async function differenceOf(deep: Buffer, shallow: Buffer): Promise<number> {
  const [{ rgb }, expected] = [await decode(deep), await decode(shallow)];
  expect(rgb).toHaveLength(expected.rgb.length);
  let sum = 0;
  for (const [at, value] of expected.rgb.entries()) sum += Math.abs((rgb[at] ?? 0) - SCALE * value);
  return sum / rgb.length;
}

describe('a JPEG with a false size', () => {
  it.each<JpegOptions>([{}, { progressive: true }])(
    'whose data is too short for its blocks is rejected: %o',
    async (options) => {
      const { shallow } = await writeDeep(options);
      expect(await rejectionOf(shallow)).toBe('accepted');
      const frame = shallow.indexOf(Buffer.from([0xff, options.progressive ? 0xc2 : MARKER.baseline]));
      shallow.writeUInt16BE(5_000, frame + 5);
      shallow.writeUInt16BE(5_000, frame + 7);
      expect(await rejectionOf(shallow)).toBe('uploads.undecodable');
    },
  );

  it('of one color is accepted', async () => {
    const file = await sharp({ create: { width: 3_000, height: 3_000, channels: 3, background: 'gray' } })
      .jpeg({ progressive: true })
      .toBuffer();
    expect(await rejectionOf(file)).toBe('accepted');
  });
});
