import { describe, expect, it } from 'vitest';
import { withKernels } from './kernels.js';
import { Enlargement, upscale } from './resize.js';

function ramp(width: number, height: number): Uint8Array {
  return Uint8Array.from({ length: width * height * 3 }, (_, at) => {
    const pixel = Math.floor(at / 3);
    return 40 + 6 * (pixel % width) + 4 * Math.floor(pixel / width);
  });
}

describe('enlarging', () => {
  it.each([2, 3, 2.5])('by %f does not shift the picture', (factor) => {
    const [width, height] = [20, 16];
    const data = upscale({ width, height, data: ramp(width, height) }, width * factor, height * factor);
    // Away from the edges, where the kernel reads repeated pixels.
    for (let y = 4 * factor; y < 12 * factor; y++) {
      for (let x = 4 * factor; x < 16 * factor; x++) {
        const expected = 40 + 6 * ((x + 0.5) / factor - 0.5) + 4 * ((y + 0.5) / factor - 0.5);
        expect(Math.abs((data[(Math.floor(y) * width * factor + x) * 3] ?? 0) - expected)).toBeLessThan(1);
      }
    }
  });

  it('keeps a flat picture flat to its edges', () => {
    const data = upscale({ width: 5, height: 3, data: new Uint8Array(45).fill(77) }, 23, 10);
    expect(new Set(data)).toEqual(new Set([77]));
  });

  it('gives the same rows in any order', () =>
    withKernels(() => {
      const source = { width: 9, height: 12, data: Float32Array.from({ length: 108 }, (_, at) => (at * 37) % 101) };
      const row = (of: Enlargement, y: number) => {
        const line = new Float32Array(30);
        of.row(y, line);
        return line;
      };
      const inOrder = new Enlargement(source, 1, 30, 40);
      const rows = Array.from({ length: 40 }, (_, y) => row(inOrder, y));
      const backwards = new Enlargement(source, 1, 30, 40);
      for (let y = 39; y >= 0; y--) expect(row(backwards, y)).toEqual(rows[y]);
    }));
});
