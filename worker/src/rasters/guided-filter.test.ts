import { describe, expect, it } from 'vitest';
import { fitGuidedModel, type Guide } from './guided-filter.js';
import type { Plane } from './row-sampler.js';

const WIDTH = 40;
const HEIGHT = 30;

const plane = (of: (x: number, y: number) => number): Plane => ({
  width: WIDTH,
  height: HEIGHT,
  data: Float32Array.from({ length: WIDTH * HEIGHT }, (_, at) => of(at % WIDTH, Math.floor(at / WIDTH))),
});
const wave = (x: number, y: number, phase: number) => 0.5 + 0.4 * Math.sin(x / 3 + phase) * Math.cos(y / 4 - phase);
const waveAt = (phase: number) => plane((x, y) => wave(x, y, phase)).data;
const GUIDE: Guide = [waveAt(0), waveAt(1), waveAt(2)];

function evaluate(guide: Guide, target: Plane): Float32Array {
  const [red, green, blue, offset] = fitGuidedModel(guide, target, 4, 1e-4);
  const [r, g, b] = guide;
  return Float32Array.from(
    target.data,
    (_, at) =>
      (red[at] ?? 0) * (r[at] ?? 0) +
      (green[at] ?? 0) * (g[at] ?? 0) +
      (blue[at] ?? 0) * (b[at] ?? 0) +
      (offset[at] ?? 0),
  );
}

describe('fitGuidedModel', () => {
  it('fits a target that is a function of the colors', () => {
    const [r, g, b] = GUIDE;
    const target = plane(() => 0);
    for (let at = 0; at < target.data.length; at++) {
      target.data[at] = 0.3 * (r[at] ?? 0) - 0.2 * (g[at] ?? 0) + 0.5 * (b[at] ?? 0) + 0.1;
    }
    for (const [at, value] of evaluate(GUIDE, target).entries()) {
      expect(Math.abs(value - (target.data[at] ?? 0))).toBeLessThan(0.01);
    }
  });

  it('keeps a constant target constant on any picture', () => {
    for (const value of evaluate(
      GUIDE,
      plane(() => 0.7),
    ))
      expect(value).toBeCloseTo(0.7, 3);
  });

  it('aligns a blurred border with the edge of the picture', () => {
    const edge = plane((x) => (x < 20 ? 0.2 : 0.8)).data;
    const soft = plane((x) => Math.max(0, Math.min(1, (x - 15) / 10)));
    const result = evaluate([edge, edge, edge], soft);
    const row = 15 * WIDTH;
    expect((result[row + 20] ?? 0) - (result[row + 19] ?? 0)).toBeGreaterThan(0.4);
  });
});
