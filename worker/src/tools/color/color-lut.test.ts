import { describe, expect, it } from 'vitest';
import type { Rgb } from './color-lab.js';
import { applyColors, monotoneCurve, tabulateColors } from './color-lut.js';

const valuesByStep = (step: number) => Array.from({ length: Math.floor(255 / step) + 1 }, (_, index) => index * step);

describe('a color table', () => {
  it('of the identity changes nothing, in 8 bits and in 16', () => {
    const nothing = tabulateColors((codes) => codes);
    const bytes = Uint8Array.from(
      valuesByStep(15).flatMap((r) => valuesByStep(17).flatMap((g) => valuesByStep(51).flatMap((b) => [r, g, b]))),
    );
    const result = Uint8Array.from(bytes);
    applyColors(result, nothing, 0, bytes.length / 3);
    expect(Buffer.compare(result, bytes)).toBe(0);
    const deep = Uint16Array.from({ length: 3000 }, (_, index) => (index * 7919) % 65536);
    const same = Uint16Array.from(deep);
    applyColors(same, nothing, 0, 1000);
    expect(same.every((value, index) => Math.abs(value - (deep[index] ?? 0)) <= 1)).toBe(true);
  });

  it('is within half a level of the exact transform', () => {
    const bend = ([r, g, b]: Rgb): Rgb => [r ** 1.2, 0.8 * g + 0.2 * b * b, Math.sqrt(0.1 + 0.9 * b) * 0.9 + 0.1 * r];
    const table = tabulateColors(bend);
    for (const r of valuesByStep(23)) {
      for (const g of valuesByStep(31)) {
        for (const b of valuesByStep(27)) {
          const pixel = Uint16Array.of(r * 257, g * 257, b * 257);
          applyColors(pixel, table, 0, 1);
          for (const [at, value] of bend([r / 255, g / 255, b / 255]).entries()) {
            expect(Math.abs((pixel[at] ?? 0) / 257 - value * 255)).toBeLessThan(0.5);
          }
        }
      }
    }
  });

  it('for the colors of some pictures gives them the same pixels as the whole table', () => {
    const bend = ([r, g, b]: Rgb): Rgb => [r * g, 1 - b, Math.sqrt(r)];
    const bytes = Uint8Array.of(0, 0, 0, 255, 255, 255, 255, 0, 128, 17, 200, 90);
    const deep = Uint16Array.from({ length: 3000 }, (_, index) => (index * 7919) % 65536);
    let computed = 0;
    const counted = (codes: Rgb) => {
      computed++;
      return bend(codes);
    };
    const part = tabulateColors(counted, 33, [bytes, deep]);
    expect(computed).toBeLessThan(33 ** 3);
    for (const samples of [bytes, deep]) {
      const [own, other] = [samples.slice(), samples.slice()];
      applyColors(own, part, 0, samples.length / 3);
      applyColors(other, tabulateColors(bend), 0, samples.length / 3);
      expect(own).toEqual(other);
    }
  });

  it('changes only the given pixels', () => {
    const black = tabulateColors(() => [0, 0, 0], 2);
    const samples = new Uint8Array(12).fill(9);
    applyColors(samples, black, 1, 3);
    expect([...samples]).toEqual([9, 9, 9, 0, 0, 0, 0, 0, 0, 9, 9, 9]);
  });
});

describe('monotoneCurve', () => {
  const curve = monotoneCurve([
    [0, 0.1],
    [0.25, 0.15],
    [0.3, 0.6],
    [1, 0.9],
  ]);

  it('passes through its points, is constant outside, and never falls', () => {
    expect([0, 0.25, 0.3, 1].map(curve)).toEqual([0.1, 0.15, 0.6, 0.9]);
    expect([-1, 2].map(curve)).toEqual([0.1, 0.9]);
    let before = 0;
    for (let x = -0.1; x <= 1.1; x += 0.001) {
      expect(curve(x)).toBeGreaterThanOrEqual(before);
      before = curve(x);
    }
  });
});
