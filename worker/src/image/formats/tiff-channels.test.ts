import { describe, expect, it } from 'vitest';
import { decode, rejectionOf } from '../../test/decoding.js';
import { writeTiff } from '../../test/tiff.js';
import { bytesEntry, shortEntry, shortsEntry, UNDEFINED } from '../ifd.js';

const SIZE = { width: 64, height: 48 };
const PIXELS = SIZE.width * SIZE.height;
const [EXTRA_SAMPLES, SAMPLE_FORMAT] = [338, 339];
const TRANSPARENCY = shortEntry(EXTRA_SAMPLES, 2);

const filled = (pixel: readonly number[]): Uint8Array =>
  Uint8Array.from({ length: PIXELS * pixel.length }, (_, index) => pixel[index % pixel.length] ?? 0);
const bytesOf = ({ buffer }: Uint16Array | Float32Array): Uint8Array => new Uint8Array(buffer);
const deep = (samples: Uint8Array): Uint8Array => bytesOf(Uint16Array.from(samples, (sample) => sample * 257));
const bitsOf = (count: number, bits = 8): number[] => new Array<number>(count).fill(bits);

async function firstPixel(file: Buffer) {
  const { rgb, alpha } = await decode(file);
  return { rgb: Array.from(rgb.slice(0, 3)), alpha: alpha?.[0] ?? null };
}

describe('TIFF in CMYK with a fifth channel', () => {
  const noInk = filled([0, 0, 0, 0, 128]);

  it.each([8, 16])('of transparency of %d bits keeps it', async (bits) => {
    const samples = bits === 16 ? deep(noInk) : noInk;
    const file = writeTiff([samples], { ...SIZE, photometric: 5, bits: bitsOf(5, bits), more: [TRANSPARENCY] });
    const { rgb, alpha } = await firstPixel(file);
    expect(Math.min(...rgb)).toBeGreaterThan(245);
    expect(alpha).toBe(128);
  });

  it('of another kind is opaque', async () => {
    const more = [shortEntry(EXTRA_SAMPLES, 0)];
    const file = writeTiff([noInk], { ...SIZE, photometric: 5, bits: bitsOf(5), more });
    expect((await firstPixel(file)).alpha).toBeNull();
  });
});

describe('TIFF', () => {
  it('in L*a*b* keeps its transparency', async () => {
    const file = writeTiff([filled([136, 0, 0, 77])], {
      ...SIZE,
      photometric: 8,
      bits: bitsOf(4),
      more: [TRANSPARENCY],
    });
    expect((await firstPixel(file)).alpha).toBe(77);
  });

  it('of floats in gray keeps its transparency', async () => {
    const samples = Float32Array.from({ length: PIXELS * 2 }, (_, index) => (index % 2 === 0 ? 0.214 : 0.4));
    const more = [TRANSPARENCY, shortsEntry(SAMPLE_FORMAT, [3, 3])];
    const file = writeTiff([bytesOf(samples)], { ...SIZE, photometric: 1, bits: bitsOf(2, 32), more });
    expect(await firstPixel(file)).toEqual({ rgb: [127, 127, 127], alpha: 102 });
  });

  it('of floats with a damaged profile is not black', async () => {
    const samples = Float32Array.from({ length: PIXELS * 3 }, () => 0.214);
    const more = [shortsEntry(SAMPLE_FORMAT, [3, 3, 3]), bytesEntry(34_675, UNDEFINED, Buffer.alloc(400, 7))];
    const { rgb } = await firstPixel(
      writeTiff([bytesOf(samples)], { ...SIZE, photometric: 2, bits: bitsOf(3, 32), more }),
    );
    for (const value of rgb) expect(Math.abs(value - 127)).toBeLessThan(3);
  });

  it('of 12 bits in which white is 0 is not inverted', async () => {
    // Two pixels of 0x333 each.
    const file = writeTiff([Uint8Array.from({ length: PIXELS * 1.5 }, () => 0x33)], {
      ...SIZE,
      photometric: 0,
      bits: [12],
    });
    expect((await firstPixel(file)).rgb).toEqual([204, 204, 204]);
  });

  it.each([
    ['LERC', 34_887],
    ['JBIG', 34_661],
  ])('in tiles of %s is rejected instead of black', async (_, compression) => {
    const tiles = Array.from({ length: 12 }, () => Buffer.alloc(300, 7));
    const file = writeTiff(tiles, { ...SIZE, photometric: 2, bits: bitsOf(3), compression, tile: 16 });
    expect(await rejectionOf(file)).toBe('uploads.undecodable');
  });
});
