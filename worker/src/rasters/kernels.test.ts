import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { compileKernels } from '../../kernels/build.mjs';
import { bytesAt, floatsAt, heap, kernels, reserve, withKernels } from './kernels.js';

const bytes = (count: number, step: number): Uint8Array =>
  Uint8Array.from({ length: count }, (_, at) => (at * step) % 256);

describe('kernels', () => {
  it('are what their source compiles to', async () => {
    const { binary, types } = await compileKernels();
    const file = await readFile(new URL('../../kernels/kernels.wasm', import.meta.url));
    expect(Buffer.compare(file, binary)).toBe(0);
    expect(await readFile(new URL('../../kernels/compiled.d.ts', import.meta.url), 'utf8')).toBe(types);
  });

  it('round as a clamped array does', () =>
    withKernels(() => {
      const values = Float32Array.from({ length: 1201 }, (_, at) => at / 4 - 20);
      const [source, target] = [reserve(4 * values.length), reserve(values.length)];
      heap.floats.set(values, source >> 2);
      kernels.round(source, target, values.length);
      expect([...bytesAt(target, values.length)]).toEqual([...Uint8ClampedArray.from(values)]);
    }));

  it('blend each pixel by its own share', () =>
    withKernels(() => {
      const pixels = 37;
      const [one, other] = [bytes(3 * pixels, 7), bytes(3 * pixels, 11)];
      const shares = Float32Array.from({ length: pixels }, (_, at) => at / (pixels - 1));
      const expected = one.map((value, at) => {
        const share = shares[Math.floor(at / 3)] ?? 0;
        return Math.floor(value + ((other[at] ?? 0) - value) * share + 0.5);
      });
      const [own, restored, opacities, target] = [
        reserve(one.length),
        reserve(one.length),
        reserve(4 * pixels),
        reserve(one.length),
      ];
      heap.bytes.set(one, own);
      heap.bytes.set(other, restored);
      heap.floats.set(shares, opacities >> 2);
      kernels.blendBytes(own, restored, opacities, target, pixels);
      expect([...bytesAt(target, one.length)]).toEqual([...expected]);
    }));

  it('cover every byte by every opacity, rounded', () =>
    withKernels(() => {
      const count = 256 * 256;
      const [own, colors, opacities] = [reserve(count), reserve(count), reserve(count)];
      const at = Array.from({ length: count }, (_, index) => index);
      const valuesOf = (index: number) => [index >> 8, (index * 7) % 256, index % 256] as const;
      for (const index of at) {
        const [value, color, opacity] = valuesOf(index);
        heap.bytes[own + index] = value;
        heap.bytes[colors + index] = color;
        heap.bytes[opacities + index] = opacity;
      }
      kernels.coverBytes(own, colors, opacities, count);
      const expected = at.map((index) => {
        const [value, color, opacity] = valuesOf(index);
        return Math.round((value * (255 - opacity) + color * opacity) / 255);
      });
      expect([...bytesAt(own, count)]).toEqual(expected);
    }));

  it('keep what lies before a part that needs more memory', () =>
    withKernels(() => {
      const row = reserve(16);
      heap.floats.fill(3, row >> 2, (row >> 2) + 4);
      reserve(heap.bytes.length);
      expect([...floatsAt(row, 4)]).toEqual([3, 3, 3, 3]);
    }));

  it('let go of a large memory after use', () => {
    withKernels(() => reserve(100_000_000));
    expect(heap.bytes.length).toBeLessThan(10_000_000);
    withKernels(() => {
      const [source, target] = [reserve(16), reserve(16)];
      heap.floats.set([1, 2, 3, 4], source >> 2);
      kernels.multiply(source, source, target, 4);
      expect([...floatsAt(target, 4)]).toEqual([1, 4, 9, 16]);
    });
  });
});
