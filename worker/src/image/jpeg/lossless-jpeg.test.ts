import { describe, expect, it } from 'vitest';
import { decode, probe, rejectionOf } from '../../test/decoding.js';
import { CORNERS, distance, fieldsOf, quadrants } from '../../test/pictures.js';

const SIZE = { width: 64, height: 48 };
const u16 = (value: number): number[] => [value >> 8, value & 255];
const segment = (marker: number, ...payload: number[]): number[] => [
  0xff,
  marker,
  ...u16(payload.length + 2),
  ...payload,
];

interface Written {
  readonly bits: number;
  readonly shift?: number;
  readonly ids?: readonly number[];
  readonly rowsPerInterval?: number;
}

/**
 * A lossless JPEG whose differences from the left (the first column: from above) all have a code of five bits, for want of an
 * encoder: sharp and ffmpeg write none of more than 9 bits.
 */
function writeLossless(
  planes: readonly (readonly number[])[],
  { bits, shift = 0, ids, rowsPerInterval }: Written,
): Buffer {
  const { width, height } = SIZE;
  const counts = [0, 0, 0, 0, 17, ...new Array<number>(11).fill(0)];
  const scan: number[] = [];
  let text = '';
  const flush = () => {
    text = text.padEnd(Math.ceil(text.length / 8) * 8, '1');
    for (let at = 0; at < text.length; at += 8) {
      const byte = Number.parseInt(text.slice(at, at + 8), 2);
      scan.push(byte, ...(byte === 0xff ? [0] : []));
    }
    text = '';
  };
  for (let y = 0; y < height; y++) {
    const isFirstRow = y % (rowsPerInterval ?? height) === 0;
    if (isFirstRow && y > 0) {
      flush();
      scan.push(0xff, 0xd0 + ((y / (rowsPerInterval ?? height) - 1) % 8));
    }
    for (let x = 0; x < width; x++) {
      for (const plane of planes) {
        const at = y * width + x;
        const guess = x > 0 ? plane[at - 1] : isFirstRow ? 1 << (bits - shift - 1) : plane[at - width];
        // Modulo 65,536: 32,768 has a category without bits.
        const difference = (((plane[at] ?? 0) - (guess ?? 0) + 32_767 + 65_536) % 65_536) - 32_767;
        const category = difference === 0 ? 0 : Math.abs(difference).toString(2).length;
        const value = difference < 0 ? difference + (1 << category) - 1 : difference;
        text +=
          category.toString(2).padStart(5, '0') +
          (category > 0 && category < 16 ? value.toString(2).padStart(category, '0') : '');
      }
    }
  }
  flush();
  const names = ids ?? planes.map((_, index) => index + 1);
  return Buffer.from([
    0xff,
    0xd8,
    ...segment(0xc4, 0, ...counts, ...Array.from({ length: 17 }, (_, category) => category)),
    ...segment(0xc3, bits, ...u16(height), ...u16(width), planes.length, ...names.flatMap((id) => [id, 0x11, 0])),
    ...(rowsPerInterval ? segment(0xdd, ...u16(width * rowsPerInterval)) : []),
    ...segment(0xda, planes.length, ...names.flatMap((id) => [id, 0]), 1, 0, shift),
    ...scan,
    0xff,
    0xd9,
  ]);
}

async function planesOf(bits: number): Promise<number[][]> {
  const codes = await quadrants().raw().toBuffer();
  return [0, 1, 2].map((channel) =>
    Array.from({ length: SIZE.width * SIZE.height }, (_, pixel) =>
      Math.round(((codes[pixel * 3 + channel] ?? 0) / 255) * (2 ** bits - 1)),
    ),
  );
}

describe('a lossless JPEG', () => {
  it.each([{ bits: 12 }, { bits: 16 }, { bits: 16, rowsPerInterval: 5 }, { bits: 8 }])(
    'keeps the colors of %o',
    async (options) => {
      const file = writeLossless(await planesOf(options.bits), options);
      expect(await probe(file)).toMatchObject({ contentType: 'image/jpeg', ...SIZE });
      expect(distance(fieldsOf(await decode(file)), CORNERS)).toBeLessThan(2);
    },
  );

  it('in gray, with its lowest bits left out, keeps its tones', async () => {
    const tones = Array.from({ length: SIZE.width * SIZE.height }, (_, pixel) => (pixel % SIZE.width) * 64);
    const { rgb } = await decode(writeLossless([tones], { bits: 16, shift: 4 }));
    const shown = [0, 20, 63].map((x) => rgb[x * 3]);
    expect(shown).toEqual([0, 20, 63].map((x) => Math.round((x * 64 * 16 * 255) / 65_535)));
  });

  it('that ends early or is damaged is rejected', async () => {
    const file = writeLossless(await planesOf(12), { bits: 12 });
    for (const share of [0.02, 0.05, 0.4, 0.97]) {
      expect(await rejectionOf(file.subarray(0, file.length * share))).toBe('uploads.undecodable');
    }
    const scan = file.indexOf(Buffer.from([0xff, 0xda])) + 14;
    expect(await rejectionOf(Buffer.from(file).fill(0xfe, scan, scan + 400))).toBe('uploads.undecodable');
  });

  it('of too many pixels is rejected for its size', async () => {
    const file = writeLossless(await planesOf(12), { bits: 12 });
    const frame = file.indexOf(Buffer.from([0xff, 0xc3]));
    file.writeUInt16BE(20_000, frame + 5);
    file.writeUInt16BE(20_000, frame + 7);
    expect(await rejectionOf(file)).toBe('uploads.too_many_pixels');
  });
});
